//! Statements on rows: `DELETE`, `UPDATE`, `INSERT`, `MERGE`. Each is checked as the query that
//! would find its rows.

use super::{Desk, in_python, not_yet, quoted, sql};
use crate::lake::sql::cursor::{Cursor, as_text};
use crate::lake::sql::session::SqlRun;
use crate::model::Outcome;

/// `DELETE FROM t [WHERE p]`
pub(super) async fn delete(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    let from = c.rest();
    if !c.eat(&["FROM"]) {
        return Err(c.expected("FROM and a table"));
    }
    let name = c.table()?;
    c.words_until(&[&["WHERE"]]);
    let condition = if c.eat(&["WHERE"]) { Some(c.text_until(&[])) } else { None };
    desk.planned(&[&sql("SELECT * "), from, &sql(" LIMIT 0")]).await?;
    let entry = desk.table(&name).await?;
    let call = condition.map_or(".delete()".into(), |p| format!(".delete({})", quoted(&p)));
    let count = format!("SELECT count(*) {} tells how many rows it means", as_text(from));
    Err(not_yet("DELETE", format!("{count}. {}", in_python(&entry, &call))))
}

/// `UPDATE t [alias] SET a = …, b = … [WHERE p]`
pub(super) async fn update(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    let name = c.clone().table()?;
    let table = c.words_until(&[&["SET"]]);
    if !c.eat(&["SET"]) {
        return Err(c.expected("SET column = value"));
    }
    let set = c.words_until(&[&["WHERE"]]);
    let condition = c.rest();
    // An assignment reads like a comparison, and both sides must fit.
    let query = [&sql("SELECT "), set, &sql(" FROM "), table, condition, &sql(" LIMIT 0")];
    desk.planned(&query).await?;
    let entry = desk.table(&name).await?;
    let count = format!("SELECT count(*) FROM {} {}", as_text(table), as_text(condition));
    let count = format!("{} tells how many rows it means", count.trim());
    Err(not_yet("UPDATE", format!("{count}. {}", in_python(&entry, ".update(updates={…}, predicate=…)"))))
}

/// `INSERT INTO | OVERWRITE [TABLE] t [(a, b)] query`
pub(super) async fn insert(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    let overwrite = c.eat(&["OVERWRITE"]);
    if !(c.eat(&["INTO"]) || overwrite) {
        return Err(c.expected("INTO or OVERWRITE, and a table"));
    }
    c.eat(&["TABLE"]);
    let entry = desk.table(&c.table()?).await?;
    let starts: &[&[&str]] = &[&["SELECT"], &["WITH"], &["VALUES"], &["TABLE"], &["FROM"]];
    c.words_until(starts);
    if c.at_end() {
        return Err(c.expected("VALUES (…) or a query"));
    }
    desk.planned(&[&sql("SELECT * FROM ("), c.rest(), &sql(") LIMIT 0")]).await?;
    let mode = if overwrite { "overwrite" } else { "append" };
    let place = quoted(&entry.place.display);
    let instead = format!(
        "The query alone can be run, and its rows saved (--format parquet). In Python: \
         deltalake.write_deltalake({place}, rows, mode=\"{mode}\")"
    );
    Err(not_yet(if overwrite { "INSERT OVERWRITE" } else { "INSERT" }, instead))
}

/// `MERGE INTO t [a] USING s [b] ON p WHEN …`
pub(super) async fn merge(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    if !c.eat(&["INTO"]) {
        return Err(c.expected("INTO and a table"));
    }
    let name = c.clone().table()?;
    let target = c.words_until(&[&["USING"]]);
    if !c.eat(&["USING"]) {
        return Err(c.expected("USING and a table or a query"));
    }
    let source = c.words_until(&[&["WHEN"]]);
    if c.at_end() {
        return Err(c.expected("WHEN MATCHED or WHEN NOT MATCHED"));
    }
    let query = [&sql("SELECT 1 FROM "), target, &sql(" JOIN "), source, &sql(" LIMIT 0")];
    desk.planned(&query).await?;
    let entry = desk.table(&name).await?;
    let join = format!("SELECT count(*) FROM {} JOIN {}", as_text(target), as_text(source));
    let python = in_python(&entry, ".merge(source, predicate=…).when_matched_update_all().execute()");
    Err(not_yet("MERGE", format!("{join} tells how many rows match. {python}")))
}
