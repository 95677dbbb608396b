//! Looks at names and columns in Spark's words: `SHOW TABLES`, `SHOW COLUMNS`, `DESCRIBE`.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};
use futures::StreamExt;

use super::encode::type_name;
use super::engine::SCHEMA;
use super::fold::fold;
use super::lakehouse::Lakehouse;
use super::session::SqlRun;
use crate::model::{Fault, Outcome};

/// A name with up to two qualifiers before it.
type Name = Vec<String>;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Look {
    Tables(Option<Name>),
    Columns(Name),
    Describe(Name),
}

impl Look {
    /// Reads such a statement; none if it is another one.
    pub(super) fn parse(tokens: &[TokenWithSpan]) -> Option<Look> {
        let idle = |t: &&Token| !matches!(t, Token::Whitespace(_) | Token::EOF | Token::SemiColon);
        let tokens: Vec<&Token> = tokens.iter().map(|t| &t.token).filter(idle).collect();
        let words: Vec<String> = tokens.iter().map(|t| keyword(t)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let rest = |skip: usize| name(tokens.get(skip..)?);
        match &words[..] {
            ["SHOW", "TABLES"] => Some(Look::Tables(None)),
            ["SHOW", "TABLES", "IN" | "FROM", ..] => Some(Look::Tables(Some(rest(3)?))),
            ["SHOW", "COLUMNS", "IN" | "FROM", ..] => Some(Look::Columns(rest(3)?)),
            ["DESCRIBE" | "DESC", "TABLE", "EXTENDED" | "FORMATTED", _, ..] => Some(Look::Describe(rest(3)?)),
            ["DESCRIBE" | "DESC", "TABLE" | "EXTENDED" | "FORMATTED", _, ..] => {
                Some(Look::Describe(rest(2)?))
            }
            ["DESCRIBE" | "DESC", _, ..] => Some(Look::Describe(rest(1)?)),
            _ => None,
        }
    }

    pub(super) async fn run(self, lakehouse: &Lakehouse) -> Outcome<SqlRun> {
        match self {
            Look::Tables(schema) => tables(lakehouse, schema.as_ref().and_then(|s| s.last())),
            Look::Columns(name) => {
                let (schema, table) = split(&name);
                let found = lakehouse.known_table(schema, table).await?.own_schema();
                table_of(&["col_name"], found.fields().iter().map(|f| vec![Some(f.name().clone())]))
            }
            Look::Describe(name) => {
                let (schema, table) = split(&name);
                let found = lakehouse.known_table(schema, table).await?.own_schema();
                let row = |f: &Arc<Field>| {
                    let comment = f.metadata().get("comment").cloned();
                    vec![Some(f.name().clone()), Some(type_name(f.data_type())), comment]
                };
                table_of(&["col_name", "data_type", "comment"], found.fields().iter().map(row))
            }
        }
    }
}

/// A word without quotes as keywords are compared; of other tokens nothing.
fn keyword(token: &Token) -> String {
    match token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        _ => String::new(),
    }
}

/// `a.b.c` and nothing after it.
fn name(tokens: &[&Token]) -> Option<Name> {
    let mut out = Name::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) if at % 2 == 0 => out.push(word.value.clone()),
            Token::Period if at % 2 == 1 => {}
            _ => return None,
        }
    }
    (tokens.len() % 2 == 1 && out.len() <= 3).then_some(out)
}

fn split(name: &[String]) -> (&str, &str) {
    match name {
        [.., schema, table] => (schema, table),
        [table] => (SCHEMA, table),
        [] => (SCHEMA, ""),
    }
}

fn tables(lakehouse: &Lakehouse, schema: Option<&String>) -> Outcome<SqlRun> {
    let schema = schema.map_or(SCHEMA, String::as_str);
    let row = |e: &std::sync::Arc<super::entry::Entry>| {
        vec![e.schema.clone(), e.names.first().cloned(), Some("false".to_owned())]
    };
    let mut rows: Vec<_> = lakehouse.entries(&fold(schema)).map(row).collect();
    rows.sort();
    table_of(&["namespace", "tableName", "isTemporary"], rows.into_iter())
}

/// A result of strings.
fn table_of(names: &[&str], rows: impl Iterator<Item = Vec<Option<String>>>) -> Outcome<SqlRun> {
    let rows: Vec<_> = rows.collect();
    let column = |at: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row.get(at).cloned().flatten()).collect::<StringArray>())
    };
    let fields = names.iter().map(|name| Field::new(*name, DataType::Utf8, true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let columns = (0..names.len()).map(column).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
    let batch = batch.map_err(|e| Fault::read("query-failed", "The list cannot be made").because(e))?;
    Ok(SqlRun { schema, batches: futures::stream::iter([Ok(batch)]).boxed() })
}

#[cfg(test)]
mod tests {
    use super::super::split::tokens;
    use super::*;

    fn look(text: &str) -> Option<Look> {
        Look::parse(&tokens(text).unwrap())
    }

    #[test]
    fn forms() {
        let name = |parts: &[&str]| parts.iter().map(|p| (*p).to_owned()).collect::<Name>();
        assert_eq!(look("show tables;"), Some(Look::Tables(None)));
        assert_eq!(look("SHOW TABLES IN dbo"), Some(Look::Tables(Some(name(&["dbo"])))));
        assert_eq!(look("desc table extended a.`B c`"), Some(Look::Describe(name(&["a", "B c"]))));
        assert_eq!(look("describe t"), Some(Look::Describe(name(&["t"]))));
        assert_eq!(look("describe select 1"), None);
        assert_eq!(look("select 1"), None);
    }
}
