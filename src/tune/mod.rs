//! How tables are changed. Uses [`crate::lake`] and [`crate::model`].
//!
//! Every change goes the same way: [`plan`] works out exactly what would happen and touches
//! nothing; [`run`] carries out that plan, or ends with a fault and leaves the table as it was.
//!
//! ```text
//! context    what a change runs with: place, memory, cancellation, progress
//! commit/    put-if-absent with our own conflict check
//! demo/      the demo lakehouse
//! ```

pub mod commit;
mod context;
pub mod demo;

pub use context::{BATCH_BYTES, Context, default_memory};

use crate::model::change::{Change, Done, PlanView};
use crate::model::{Fault, Outcome};

/// A change worked out: what is shown, and exactly what will run.
pub struct Planned {
    pub view: PlanView,
    exact: Exact,
}

/// By kind, what [`run`] needs.
enum Exact {}

/// Works out a change. Nothing is written.
///
/// # Errors
/// Those of reading the table; a table feature that forbids the change (exit status 4), named; what
/// cannot be planned, such as fewer files than partitions (exit status 2).
pub async fn plan(change: &Change, ctx: &Context) -> Outcome<Planned> {
    ctx.check()?;
    match change {
        Change::Rewrite(_) | Change::Undo { .. } | Change::Vacuum(_) | Change::Repair => {
            Err(Fault::feature("not-available", "This change is not in this version"))
        }
    }
}

/// Carries out a plan.
///
/// # Errors
/// `read-only` unless writes are permitted; a conflict with another writer (exit status 6) or a
/// failure on the way (7): then nothing of the batch under way was committed, and its staged files
/// are gone.
pub async fn run(planned: Planned, ctx: &Context) -> Outcome<Done> {
    ctx.may_write()?;
    ctx.check()?;
    match planned.exact {}
}
