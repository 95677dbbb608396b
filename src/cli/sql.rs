//! `deltop sql`: runs statements, one after another.

use std::io::Write;

use super::rows::{Pipe, RowFormat, write};
use crate::lake::place::Place;
use crate::lake::sql::{SqlSession, statements};
use crate::lake::watch::Watch;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// Runs each statement of `text` and writes its rows; stops at the first that fails.
pub async fn sql(
    place: &Place,
    as_of: AsOf,
    text: &str,
    format: RowFormat,
    watch: &Watch,
    out: &mut dyn Write,
) -> Outcome<()> {
    let all = statements(text)?;
    if all.is_empty() {
        return Err(Fault::usage("invalid-sql", "There is no SQL statement to run"));
    }
    let session = SqlSession::open(place, as_of, watch).await?;
    for (at, (_, statement)) in all.iter().enumerate() {
        let run = tokio::select! {
            run = session.run(statement) => run,
            () = watch.cancel.cancelled() => Err(Fault::cancelled()),
        };
        let run = run.map_err(|fault| if all.len() > 1 { numbered(fault, at + 1) } else { fault })?;
        let people = !(format.json || format.ndjson);
        if people && at > 0 && super::rows::pipe(writeln!(out))? == Pipe::Closed {
            return Ok(());
        }
        if write(run, format, watch, out).await? == Pipe::Closed {
            return Ok(());
        }
    }
    Ok(())
}

/// Places in a message count from the statement's start, so it says which one.
fn numbered(mut fault: Fault, number: usize) -> Fault {
    fault.message = format!("Statement {number}: {}", fault.message);
    fault
}
