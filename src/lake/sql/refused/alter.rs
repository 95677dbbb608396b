//! `ALTER TABLE t ADD COLUMNS (…)`, `SET TBLPROPERTIES (…)` and the like.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Desk, in_python, not_yet, quoted};
use crate::lake::sql::cursor::Cursor;
use crate::lake::sql::fold::fold;
use crate::lake::sql::session::SqlRun;
use crate::model::{Fault, Outcome};

pub(super) async fn alter(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    let name = c.table()?;
    if c.eat(&["ADD", "COLUMNS"]) || c.eat(&["ADD", "COLUMN"]) {
        let columns = super::create::columns(c)?;
        let entry = desk.table(&name).await?;
        let own = &entry.open().await?.table.metadata.schema;
        let there = |column: &&(String, String)| own.iter().any(|f| fold(&f.name) == fold(&column.0));
        if let Some((column, _)) = columns.iter().find(there) {
            let message = format!("The table \"{}\" has a column \"{column}\" already", entry.full_name());
            return Err(Fault::usage("column-exists", message));
        }
        let python = in_python(&entry, ".alter.add_columns([deltalake.Field(…)])");
        return Err(not_yet("ALTER TABLE … ADD COLUMNS", python));
    }
    if c.eat(&["SET", "TBLPROPERTIES"]) {
        let pairs = properties(c)?;
        c.end("the end of the statement")?;
        let entry = desk.table(&name).await?;
        let pairs: Vec<String> =
            pairs.iter().map(|(key, value)| format!("{}: {}", quoted(key), quoted(value))).collect();
        let call = format!(".alter.set_table_properties({{{}}})", pairs.join(", "));
        let now = format!("SHOW TBLPROPERTIES {} shows those that are set", name.join("."));
        return Err(not_yet(
            "ALTER TABLE … SET TBLPROPERTIES",
            format!("{now}. {}", in_python(&entry, &call)),
        ));
    }
    desk.table(&name).await?;
    let known: &[&[&str]] = &[&["UNSET"], &["DROP"], &["RENAME"], &["ALTER"], &["CHANGE"], &["CLUSTER"]];
    let others: &[&[&str]] = &[&["SET"], &["ADD"], &["REPLACE"], &["RECOVER"]];
    let Some(word) = known.iter().chain(others).find(|word| c.sees(word)) else {
        return Err(c.expected("ADD COLUMNS (…), SET TBLPROPERTIES (…) or another change of the table"));
    };
    Err(not_yet(&format!("ALTER TABLE … {}", word.join(" ")), "Spark runs it; deltop shows what it did"))
}

/// `('key' = 'value', …)`
pub(super) fn properties(c: &mut Cursor<'_>) -> Outcome<Vec<(String, String)>> {
    if !c.eat_sign(&Token::LParen) {
        return Err(c.expected("('key' = 'value')"));
    }
    let mut out = Vec::new();
    loop {
        let key = match c.text() {
            Some(key) => key,
            None => c.name("the name of a property")?.join("."),
        };
        if !c.eat_sign(&Token::Eq) {
            return Err(c.expected("= and the property's value"));
        }
        let value = match c.text().or_else(|| c.word()) {
            Some(value) => value,
            None => c.integer("the property's value, in quotes")?.to_string(),
        };
        out.push((key, value));
        if c.eat_sign(&Token::RParen) {
            return Ok(out);
        }
        if !c.eat_sign(&Token::Comma) {
            return Err(c.expected(", or )"));
        }
    }
}
