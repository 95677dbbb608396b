//! Looks at tables in Spark's words: `SHOW …` and `DESCRIBE …`, answered without the engine.

mod answer;
mod create;
mod describe;
mod detail;
mod history;
mod show;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::{Cursor, Name};
use super::engine::{CATALOG, SCHEMA};
use super::lakehouse::Lakehouse;
use super::session::SqlRun;
use crate::model::Outcome;

/// A statement that looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// `SHOW TABLES [IN schema] [[LIKE] 'pattern']`
    Tables {
        schema: Option<Name>,
        pattern: Option<String>,
    },
    Schemas,
    /// `SHOW VIEWS …`: there are none.
    Views,
    Columns(Name),
    Partitions(Name),
    Properties {
        table: Name,
        key: Option<String>,
    },
    Create(Name),
    Describe {
        table: Name,
        extended: bool,
    },
    Detail(Name),
    History {
        table: Name,
        limit: Option<usize>,
    },
    Catalogs,
    /// `SHOW CURRENT SCHEMA`
    Current,
    /// `DESCRIBE SCHEMA s`
    DescribeSchema(Name),
    /// `USE s`: names are found without it.
    Use(Name),
}

impl Look {
    /// Reads such a statement; none if it is another one.
    ///
    /// # Errors
    /// `invalid-sql` with the place, if it begins as one and goes on otherwise.
    pub(super) fn parse(words: &[TokenWithSpan]) -> Outcome<Option<Look>> {
        let mut c = Cursor::new(words);
        let look = if c.eat(&["SHOW"]) {
            show(&mut c)?
        } else if c.eat(&["DESCRIBE"]) || c.eat(&["DESC"]) {
            describe(&mut c)?
        } else if c.eat(&["USE"]) {
            let _ = c.eat(&["CATALOG"]) || eat_schema(&mut c);
            Some(Look::Use(c.name("a schema")?))
        } else {
            None
        };
        if look.is_some() {
            c.end("the end of the statement")?;
        }
        Ok(look)
    }

    pub(super) async fn run(self, lakehouse: &Lakehouse) -> Outcome<SqlRun> {
        match self {
            Look::Tables { schema, pattern } => {
                show::tables(lakehouse, schema.as_ref().and_then(|s| s.last()), pattern.as_deref())
            }
            Look::Schemas => show::schemas(lakehouse),
            Look::Views => answer::texts(&["namespace", "viewName", "isTemporary"], &[]),
            Look::Columns(name) => show::columns(lakehouse, &name).await,
            Look::Partitions(name) => show::partitions(lakehouse, &name).await,
            Look::Properties { table, key } => show::properties(lakehouse, &table, key.as_deref()).await,
            Look::Create(name) => create::statement(lakehouse, &name).await,
            Look::Describe { table, extended } => describe::describe(lakehouse, &table, extended).await,
            Look::Detail(name) => detail::detail(lakehouse, &name).await,
            Look::History { table, limit } => history::history(lakehouse, &table, limit).await,
            Look::Catalogs => answer::texts(&["catalog"], &[vec![Some(CATALOG.into())]]),
            Look::Current => {
                answer::texts(&["catalog", "namespace"], &[vec![Some(CATALOG.into()), Some(SCHEMA.into())]])
            }
            Look::DescribeSchema(name) => show::schema(lakehouse, &name),
            Look::Use(name) => {
                show::known_schema(lakehouse, name.last().map_or(SCHEMA, String::as_str))?;
                said("Tables are found by their names in all schemas; nothing was switched".into())
            }
        }
    }
}

fn show(c: &mut Cursor<'_>) -> Outcome<Option<Look>> {
    let of = |c: &mut Cursor<'_>| c.eat(&["IN"]) || c.eat(&["FROM"]);
    if c.eat(&["TABLES"]) {
        let schema = if of(c) { Some(c.name("a schema")?) } else { None };
        let pattern = match (c.eat(&["LIKE"]), c.text()) {
            (true, None) => return Err(c.expected("a pattern in quotes")),
            (_, pattern) => pattern,
        };
        return Ok(Some(Look::Tables { schema, pattern }));
    }
    if c.eat(&["VIEWS"]) {
        c.words_until(&[]);
        return Ok(Some(Look::Views));
    }
    if c.eat(&["SCHEMAS"]) || c.eat(&["DATABASES"]) || c.eat(&["NAMESPACES"]) {
        return Ok(Some(Look::Schemas));
    }
    if c.eat(&["COLUMNS"]) {
        if !of(c) {
            return Err(c.expected("IN and a table"));
        }
        let mut name = c.table()?;
        if of(c) {
            let mut schema = c.name("a schema")?;
            schema.append(&mut name);
            name = schema;
        }
        return Ok(Some(Look::Columns(name)));
    }
    if c.eat(&["PARTITIONS"]) {
        of(c);
        return c.table().map(|name| Some(Look::Partitions(name)));
    }
    if c.eat(&["TBLPROPERTIES"]) {
        let table = c.table()?;
        let key = if c.eat_sign(&Token::LParen) { Some(property(c)?) } else { None };
        return Ok(Some(Look::Properties { table, key }));
    }
    if c.eat(&["CREATE", "TABLE"]) {
        return c.table().map(|name| Some(Look::Create(name)));
    }
    if c.eat(&["CATALOGS"]) {
        return Ok(Some(Look::Catalogs));
    }
    if c.eat(&["CURRENT"]) {
        return if c.eat(&["CATALOG"]) || eat_schema(c) {
            Ok(Some(Look::Current))
        } else {
            Err(c.expected("SCHEMA or CATALOG"))
        };
    }
    // The engine lists its functions itself.
    let functions = ["FUNCTIONS", "USER", "SYSTEM", "ALL"].iter().any(|word| c.sees(&[word]));
    if functions {
        return Ok(None);
    }
    Err(c.expected(
        "TABLES, SCHEMAS, COLUMNS IN a table, PARTITIONS, TBLPROPERTIES, CREATE TABLE or FUNCTIONS",
    ))
}

fn eat_schema(c: &mut Cursor<'_>) -> bool {
    c.eat(&["SCHEMA"]) || c.eat(&["DATABASE"]) || c.eat(&["NAMESPACE"])
}

/// A property's name in brackets: `'delta.appendOnly'`, or `delta.appendOnly` without quotes.
fn property(c: &mut Cursor<'_>) -> Outcome<String> {
    let key = match c.text() {
        Some(key) => key,
        None => c.name("the name of a property")?.join("."),
    };
    if c.eat_sign(&Token::RParen) { Ok(key) } else { Err(c.expected(")")) }
}

fn describe(c: &mut Cursor<'_>) -> Outcome<Option<Look>> {
    if c.eat(&["DETAIL"]) {
        return c.table().map(|name| Some(Look::Detail(name)));
    }
    if c.eat(&["HISTORY"]) {
        let table = c.table()?;
        let limit = if c.eat(&["LIMIT"]) { Some(c.integer("how many versions")? as usize) } else { None };
        return Ok(Some(Look::History { table, limit }));
    }
    // A query is described by its plan.
    if ["SELECT", "WITH", "QUERY", "VALUES", "FROM", "FUNCTION"].iter().any(|word| c.sees(&[word])) {
        return Ok(None);
    }
    let is_name = |c: &Cursor<'_>| matches!(c.peek(), Some(Token::Word(_)));
    let mut after = c.clone();
    if eat_schema(&mut after) && (after.eat(&["EXTENDED"]) || is_name(&after)) {
        *c = after;
        return c.name("a schema").map(|name| Some(Look::DescribeSchema(name)));
    }
    let mut after = c.clone();
    if after.eat(&["TABLE"]) && is_name(&after) {
        *c = after;
    }
    let mut after = c.clone();
    let extended = (after.eat(&["EXTENDED"]) || after.eat(&["FORMATTED"])) && is_name(&after);
    if extended {
        *c = after;
    }
    let table = c.table()?;
    Ok(Some(Look::Describe { table, extended }))
}

/// The query that `DESCRIBE [QUERY] SELECT …` is about; none for other statements.
pub(super) fn described_query(words: &[TokenWithSpan]) -> Option<&[TokenWithSpan]> {
    let mut c = Cursor::new(words);
    if !(c.eat(&["DESCRIBE"]) || c.eat(&["DESC"])) {
        return None;
    }
    c.eat(&["QUERY"]);
    let is_query = ["SELECT", "WITH", "VALUES", "FROM"].iter().any(|word| c.sees(&[word]));
    is_query.then(|| c.rest())
}

/// The columns of a query, as `DESCRIBE` tells them.
pub(super) fn columns_of(schema: &arrow::datatypes::Schema) -> Outcome<SqlRun> {
    let row = |f: &std::sync::Arc<arrow::datatypes::Field>| {
        vec![Some(f.name().clone()), Some(super::encode::type_name(f.data_type())), None]
    };
    let rows: Vec<_> = schema.fields().iter().map(row).collect();
    answer::texts(&["col_name", "data_type", "comment"], &rows)
}

/// The answer of a statement that has no rows.
pub(super) fn said(text: String) -> Outcome<SqlRun> {
    answer::texts(&["result"], &[vec![Some(text)]])
}

/// Schema and table of a name.
fn split(name: &[String]) -> (&str, &str) {
    match name {
        [.., schema, table] => (schema, table),
        [table] => (SCHEMA, table),
        [] => (SCHEMA, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    fn look(text: &str) -> Option<Look> {
        Look::parse(&tokens(text).unwrap()).unwrap()
    }

    #[test]
    fn forms() {
        let name = |parts: &[&str]| parts.iter().map(|p| (*p).to_owned()).collect::<Name>();
        let tables =
            |schema, pattern: Option<&str>| Look::Tables { schema, pattern: pattern.map(str::to_owned) };
        assert_eq!(look("show tables;"), Some(tables(None, None)));
        assert_eq!(look("SHOW TABLES IN dbo"), Some(tables(Some(name(&["dbo"])), None)));
        assert_eq!(look("SHOW TABLES LIKE 's*'"), Some(tables(None, Some("s*"))));
        let describe = |parts: &[&str], extended| Look::Describe { table: name(parts), extended };
        assert_eq!(look("desc table extended a.`B c`"), Some(describe(&["a", "B c"], true)));
        assert_eq!(look("describe t"), Some(describe(&["t"], false)));
        assert_eq!(look("describe extended"), Some(describe(&["extended"], false)));
        assert_eq!(look("describe detail t"), Some(Look::Detail(name(&["t"]))));
        assert_eq!(
            look("describe history t limit 3"),
            Some(Look::History { table: name(&["t"]), limit: Some(3) })
        );
        let key = Some("delta.appendOnly".to_owned());
        assert_eq!(
            look("show tblproperties t (delta.appendOnly)"),
            Some(Look::Properties { table: name(&["t"]), key })
        );
        assert_eq!(look("show create table a.t"), Some(Look::Create(name(&["a", "t"]))));
        assert_eq!(look("describe select 1"), None);
        assert_eq!(look("select 1"), None);
    }

    #[test]
    fn what_does_not_belong_is_told_with_its_place() {
        let fault = Look::parse(&tokens("show partitions t where a").unwrap()).unwrap_err();
        assert_eq!(fault.message, "Invalid SQL at line 1, column 19, near \"where\"");
        assert!(Look::parse(&tokens("describe history").unwrap()).is_err());
    }
}
