//! Statements that change tables and that cannot be run here yet: read in full, checked as far as
//! the tables tell, and answered with what to use instead.

mod alter;
mod convert;
mod create;
mod restore;
mod rows;
mod words;

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::{Cursor, Name};
use super::engine::SCHEMA;
use super::entry::Entry;
use super::explain::Mode;
use super::session::{SqlRun, SqlSession};
use super::split::tokens;
use crate::model::{Fault, Outcome};

/// What a statement is checked against.
struct Desk<'a> {
    session: &'a SqlSession,
    state: &'a SessionState,
    /// The whole statement.
    words: &'a [TokenWithSpan],
}

/// Answers such a statement; none if it is another one. Nearly all answers are faults: that of a
/// mistake in the statement, else that it cannot be run yet. `IF NOT EXISTS` of what exists does
/// nothing, and goes well.
pub(super) async fn answer(
    session: &SqlSession,
    state: &SessionState,
    words: &[TokenWithSpan],
) -> Outcome<Option<SqlRun>> {
    let desk = Desk { session, state, words };
    let mut c = Cursor::new(words);
    let run = if c.eat(&["DELETE"]) {
        rows::delete(&desk, &mut c).await?
    } else if c.eat(&["UPDATE"]) {
        rows::update(&desk, &mut c).await?
    } else if c.eat(&["INSERT"]) {
        rows::insert(&desk, &mut c).await?
    } else if c.eat(&["MERGE"]) {
        rows::merge(&desk, &mut c).await?
    } else if c.eat(&["RESTORE"]) {
        restore::restore(&desk, &mut c).await?
    } else if c.eat(&["CONVERT"]) {
        convert::convert(&desk, &mut c).await?
    } else if c.eat(&["ALTER", "TABLE"]) {
        alter::alter(&desk, &mut c).await?
    } else if c.eat(&["CREATE"]) {
        return create::create(&desk, &mut c).await;
    } else {
        return words::check(words).map(|()| None);
    };
    Ok(Some(run))
}

/// The fault for a statement that is right, and cannot be run yet.
fn not_yet(what: &str, instead: impl Into<String>) -> Fault {
    Fault::refused("unsupported-change", format!("{what} cannot be run here yet; nothing was changed"))
        .because("Of the statements that change a table, OPTIMIZE, REORG and VACUUM can be run")
        .hint(instead)
}

/// How the Python package of delta-rs does it.
fn in_python(entry: &Entry, call: &str) -> String {
    format!("In Python: deltalake.DeltaTable({}){call}", quoted(&entry.place.display))
}

/// As a text in a program.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Desk<'_> {
    /// The table of that name.
    async fn table(&self, name: &Name) -> Outcome<Arc<Entry>> {
        let (schema, table) = match &name[..] {
            [.., schema, table] => (schema.as_str(), table.as_str()),
            [table] => (SCHEMA, table.as_str()),
            [] => (SCHEMA, ""),
        };
        self.session.lakehouse().known_entry(schema, table).await
    }

    /// The columns that a query would give, without reading any row. Its faults are those of the
    /// statement: places are kept.
    async fn planned(&self, query: &[&[TokenWithSpan]]) -> Outcome<SchemaRef> {
        let mut words: Vec<TokenWithSpan> = Vec::new();
        for part in query {
            words.extend(part.iter().filter(|t| !matches!(t.token, Token::EOF | Token::SemiColon)).cloned());
        }
        let run = self.session.run_in(self.state, words, Some(Mode::Run));
        // Boxed: checking a statement is a statement itself.
        Box::pin(run).await.map(|run| run.schema)
    }
}

/// Words that the program adds.
fn sql(text: &str) -> Vec<TokenWithSpan> {
    // A space apart from the words around them.
    tokens(&format!(" {text} ")).unwrap_or_default()
}
