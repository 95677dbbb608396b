//! `CREATE SCHEMA`, `CREATE TABLE` and the like.

mod mended;
mod table;

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Desk, not_yet};
use crate::lake::sql::cursor::Cursor;
use crate::lake::sql::fold::fold;
use crate::lake::sql::look::said;
use crate::lake::sql::near::nearest;
use crate::lake::sql::path::check_url;
use crate::lake::sql::session::SqlRun;
use crate::model::{Fault, Outcome};

pub(super) async fn create<'a>(desk: &Desk<'a>, c: &mut Cursor<'a>) -> Outcome<Option<SqlRun>> {
    c.eat(&["OR", "REPLACE"]);
    if c.eat(&["SCHEMA"]) || c.eat(&["DATABASE"]) {
        return schema(desk, c).map(Some);
    }
    if c.eat(&["TABLE"]) || c.eat(&["EXTERNAL", "TABLE"]) {
        return table::table(desk, c).await.map(Some);
    }
    let temporary = c.eat(&["GLOBAL", "TEMPORARY"])
        || c.eat(&["GLOBAL", "TEMP"])
        || c.eat(&["TEMPORARY"])
        || c.eat(&["TEMP"]);
    if c.eat(&["VIEW"]) {
        return Err(not_yet(
            "CREATE VIEW",
            "WITH name AS (SELECT …) SELECT … names a query within one statement",
        ));
    }
    let what = match c.peek() {
        Some(Token::Word(word)) => word.value.to_uppercase(),
        _ => return Err(c.expected("SCHEMA, DATABASE or TABLE")),
    };
    let what = if temporary { format!("TEMPORARY {what}") } else { what };
    Err(not_yet(&format!("CREATE {what}"), "SELECT, SHOW, DESCRIBE and EXPLAIN can be run"))
}

/// `CREATE SCHEMA [IF NOT EXISTS] s [COMMENT '…'] [LOCATION '…']`
fn schema(desk: &Desk<'_>, c: &mut Cursor<'_>) -> Outcome<SqlRun> {
    let unless_there = c.eat(&["IF", "NOT", "EXISTS"]);
    let name = c.name("a schema")?;
    loop {
        if c.eat(&["COMMENT"]) {
            c.text().ok_or_else(|| c.expected("a comment in quotes"))?;
        } else if c.eat(&["LOCATION"]) || c.eat(&["MANAGED", "LOCATION"]) {
            check_url(&c.text().ok_or_else(|| c.expected("a location in quotes"))?)?;
        } else if c.eat(&["WITH", "DBPROPERTIES"]) {
            super::alter::properties(c)?;
        } else {
            break;
        }
    }
    c.end("COMMENT, LOCATION, or the end of the statement")?;
    let name = name.last().map_or("", String::as_str);
    let there = desk.session.lakehouse().schemas().iter().any(|s| fold(s) == fold(name));
    match (there, unless_there) {
        (true, true) => said(format!("The schema {name} is there already; nothing was done")),
        (true, false) => {
            Err(Fault::usage("schema-exists", format!("The schema \"{name}\" is there already"))
                .hint("CREATE SCHEMA IF NOT EXISTS"))
        }
        _ => Err(not_yet(
            "CREATE SCHEMA",
            format!(
                "A schema is a folder of tables. Without one called {name}, {name}.table means the open location"
            ),
        )),
    }
}

/// `(name type …, …)`: names and types.
///
/// # Errors
/// `invalid-sql` with the place; for a type that there is not also what it may mean.
pub(super) fn columns(c: &mut Cursor<'_>) -> Outcome<Vec<(String, String)>> {
    if c.peek() != Some(&Token::LParen) {
        return Err(c.expected("(column type, …)"));
    }
    listed(c.brackets()?)
}

/// The columns in brackets.
fn listed(words: &[TokenWithSpan]) -> Outcome<Vec<(String, String)>> {
    let mut c = Cursor::new(words);
    let mut out = Vec::new();
    loop {
        let name = c.word().ok_or_else(|| c.expected("a column"))?;
        c.eat_sign(&Token::Colon);
        let wrong = c.expected("the column's type");
        let Some(Token::Word(word)) = c.peek() else { return Err(wrong) };
        let data_type = word.value.to_uppercase();
        if !TYPES.contains(&data_type.as_str()) {
            let types: Vec<String> = TYPES.iter().map(|t| (*t).to_owned()).collect();
            let near = nearest(&data_type, &types).join(" or ");
            let hint = if near.is_empty() { TYPES.join(", ") } else { format!("Did you mean {near}?") };
            return Err(c.expected("the column's type").hint(hint));
        }
        // Types nest in angle brackets, where `>>` closes two.
        let mut depth = 0i32;
        while let Some(token) = c.peek() {
            depth += match token {
                Token::LParen | Token::Lt => 1,
                Token::RParen | Token::Gt => -1,
                Token::ShiftRight => -2,
                Token::Comma if depth == 0 => break,
                _ => 0,
            };
            c.next();
        }
        out.push((name, data_type));
        if !c.eat_sign(&Token::Comma) {
            return Ok(out);
        }
    }
}

const TYPES: &[&str] = &[
    "BOOLEAN",
    "BYTE",
    "TINYINT",
    "SHORT",
    "SMALLINT",
    "INT",
    "INTEGER",
    "LONG",
    "BIGINT",
    "FLOAT",
    "REAL",
    "DOUBLE",
    "DECIMAL",
    "DEC",
    "NUMERIC",
    "DATE",
    "TIMESTAMP",
    "TIMESTAMP_NTZ",
    "STRING",
    "VARCHAR",
    "CHAR",
    "BINARY",
    "ARRAY",
    "MAP",
    "STRUCT",
    "VARIANT",
];
