//! How tables are changed. Uses [`crate::lake`] and [`crate::model`].
//!
//! Every change goes the same way: [`plan`] works out exactly what would happen and touches
//! nothing; [`run`] carries out that plan, or ends with a fault and leaves the table as it was.
//!
//! ```text
//! context    what a change runs with: place, memory, cancellation, progress
//! commit/    put-if-absent with our own conflict check
//! data/      data files: read, written, hashed
//! rewrite/   the same rows in other files
//! undo       the inverse of rewrites
//! staged     files before their commit; journal: what a crash leaves behind; clean: its removal
//! detect     double rewrites by others
//! demo/      the demo lakehouse
//! repair     takes double rewrites back
//! new_table/ a query's rows as a new table
//! vacuum/    deletes files that no version in use needs
//! ```

pub mod clean;
pub mod commit;
mod context;
mod data;
pub mod demo;
mod detect;
pub mod journal;
pub mod new_table;
mod repair;
mod rewrite;
mod staged;
mod undo;
mod vacuum;

pub use context::{BATCH_BYTES, Context, default_memory};

use crate::model::Outcome;
use crate::model::change::{Change, Done, PlanView, Report};

/// A change worked out: what is shown, and exactly what will run.
pub struct Planned {
    pub view: PlanView,
    exact: Exact,
}

/// By kind, what [`run`] needs.
enum Exact {
    Rewrite(Box<rewrite::Exact>),
    Repair(Box<repair::Exact>),
    Undo(Box<undo::Exact>),
    Vacuum(Box<vacuum::Exact>),
}

impl Planned {
    fn new(view: PlanView, exact: Exact) -> Self {
        Planned { view, exact }
    }
}

/// Works out a change. Nothing is written.
///
/// # Errors
/// Those of reading the table; a table feature that forbids the change (exit status 4), named; what
/// cannot be planned, such as fewer files than partitions (exit status 2).
pub async fn plan(change: &Change, ctx: &Context) -> Outcome<Planned> {
    ctx.check()?;
    match change {
        Change::Rewrite(change) => rewrite::plan(change, ctx).await,
        Change::Undo { to_before } => undo::plan(*to_before, ctx).await,
        Change::Vacuum(ask) => {
            let (view, exact) = vacuum::plan(ask, ctx).await?;
            Ok(Planned::new(view, Exact::Vacuum(Box::new(exact))))
        }
        Change::Repair => {
            let (view, exact) = repair::plan(ctx).await?;
            Ok(Planned::new(view, Exact::Repair(Box::new(exact))))
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
    match planned.exact {
        Exact::Repair(exact) => repair::run(*exact, ctx).await,
        Exact::Vacuum(exact) => vacuum::run(*exact, ctx).await,
        Exact::Rewrite(exact) => {
            let command = match &planned.view.report {
                Report::Rewrite(report) => report.command.as_str(),
                _ => "",
            };
            rewrite::run(&exact, command, ctx).await
        }
        Exact::Undo(exact) => undo::run(*exact, ctx).await,
    }
}
