//! `deltop sql`: runs statements, one after another.

use super::args::SqlArgs;
use super::call::Call;
use super::output::failed;
use super::rows::{cancellable, write};
use super::script;
use crate::lake::sql::{SqlSession, statements};
use crate::model::{Fault, Outcome};

/// Runs each statement and writes its rows; stops at the first that fails.
pub async fn run(call: &mut Call<'_>, args: &SqlArgs) -> Outcome<()> {
    let all = statements(&script::text(args)?)?;
    if all.is_empty() {
        return Err(Fault::usage("invalid-sql", "There is no SQL statement to run").hint("deltop sql --help"));
    }
    let session = SqlSession::open(&call.place, call.as_of, call.watch).await?;
    for (at, (_, statement)) in all.iter().enumerate() {
        let run = cancellable(call.watch, session.run(statement)).await?;
        let run = run.map_err(|fault| if all.len() > 1 { numbered(fault, at + 1) } else { fault })?;
        if call.format.is_text() && at > 0 {
            writeln!(call.out).map_err(failed)?;
        }
        write(run, call.format, call.watch, call.out).await?;
    }
    Ok(())
}

/// Places in a message count from the statement's start, so it says which one.
fn numbered(mut fault: Fault, number: usize) -> Fault {
    fault.message = format!("Statement {number}: {}", fault.message);
    fault
}
