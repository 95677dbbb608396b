//! Deletes files that no version in use needs (safety contract, point 11).
//!
//! ```text
//! gather   what the log knows of files, and what is in the folder; judged by model::plan::vacuum
//! clock    the store's clock
//! delete   batches, each looked at again right before
//! ```
//!
//! The log tells of it as Spark's and delta-rs' do: a commit `VACUUM START` before, `VACUUM END`
//! after. A vacuum that is broken off in between leaves a table that reads as before.

mod clock;
mod delete;
mod gather;

use std::time::{Duration, Instant};

use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use super::Context;
use super::commit::{Committed, Guards, Proposal, commit};
use crate::lake::log::OpenTable;
use crate::model::change::{Change, Done, Phase, PlanView, Report, TaskProgress, Vacuum};
use crate::model::plan::vacuum::{Listed, SAFE_RETENTION_HOURS, VacuumPlan, VacuumReport};
use crate::model::table::AsOf;
use crate::model::units::{Millis, count};
use crate::model::{Fault, FaultKind, Outcome};
use gather::Known;

/// How long the commit that tells of a vacuum's end may take where it was broken off.
const AFTER_CANCEL: Duration = Duration::from_millis(800);
const AFTER_FAILURE: Duration = Duration::from_secs(30);

/// What runs.
pub struct Exact {
    /// The version that the plan was made from.
    table: OpenTable,
    ask: Vacuum,
    plan: VacuumPlan,
    listing: Vec<Listed>,
    planned_at: Millis,
    /// The table's own retention, milliseconds.
    table_retention: i64,
}

/// Works out which files would go. Nothing is written.
///
/// # Errors
/// `unsupported-feature`, `retention-too-short`, `clock-skew`, `bad-retention`; those of reading.
pub async fn plan(ask: &Vacuum, ctx: &Context) -> Outcome<(PlanView, Exact)> {
    (ctx.progress)(TaskProgress { phase: Phase::Planning, ..TaskProgress::default() });
    let known = Known::newest(ctx).await?;
    let planned_at = ctx.now();
    // Refusals come before the listing, which may take long.
    known.judge(ask, &[], planned_at, None)?;
    let listing = known.listing(ask.mode, ctx).await?;
    let plan = known.judge(ask, &listing, planned_at, None)?;
    let view = PlanView {
        change: Change::Vacuum(ask.clone()),
        report: Report::Vacuum(VacuumReport::from(&plan)),
        before: None,
        after: None,
        empty: plan.files.is_empty(),
        destructive: true,
    };
    let (table_retention, table) = (known.table_retention(), known.table);
    Ok((view, Exact { table, ask: ask.clone(), plan, listing, planned_at, table_retention }))
}

/// Deletes what was planned and is still not needed by the newest version.
///
/// # Errors
/// `clock-skew` and the refusals of [`plan`], before anything is deleted; `conflict` if the table's
/// protocol or metadata changed since the plan; `vacuum-incomplete` if files could not be deleted.
pub async fn run(exact: Exact, ctx: &Context) -> Outcome<Done> {
    let begun = Instant::now();
    if exact.plan.files.is_empty() {
        return Ok(done(None, &delete::Deleted::default(), begun));
    }
    let store_now = clock::ask(ctx).await?;
    let known = Known::newest(ctx).await?;
    // The store's clock is compared with ours as it is now; ages count from the time of the plan.
    known.judge(&exact.ask, &[], ctx.now(), Some(store_now))?;
    start(&exact, ctx).await?;
    let mut deleted = delete::Deleted::default();
    if let Err(fault) = delete::all(&exact, &mut deleted, ctx).await {
        // The log is not left with a start alone, as far as that takes no longer than a cancel may.
        let last = Context { cancel: CancellationToken::new(), ..ctx.clone() };
        let patience = if fault.kind == FaultKind::Cancelled { AFTER_CANCEL } else { AFTER_FAILURE };
        drop(tokio::time::timeout(patience, end(&deleted, "FAILED", &last)).await);
        return Err(fault);
    }
    let status = if deleted.failed == 0 { "COMPLETED" } else { "FAILED" };
    let ended = end(&deleted, status, ctx).await?;
    if deleted.failed > 0 {
        let all = exact.plan.files.len() as u64 - deleted.spared;
        return Err(Fault::new(
            FaultKind::Change,
            "vacuum-incomplete",
            format!("{} of {} files could not be deleted", count(deleted.failed), count(all)),
        )
        .because(deleted.why)
        .hint("The table reads as before. Check the rights and run the vacuum again"));
    }
    Ok(done(Some(ended.version), &deleted, begun))
}

async fn start(exact: &Exact, ctx: &Context) -> Outcome<Committed> {
    let mut proposal = Proposal::on(&exact.table, "VACUUM START");
    let asked = exact.ask.retain_hours.map(|h| h.saturating_mul(3_600_000));
    proposal.parameters = object(json!({
        "retentionCheckEnabled": exact.plan.retention_hours >= SAFE_RETENTION_HOURS,
        "specifiedRetentionMillis": asked,
        "defaultRetentionMillis": exact.table_retention,
    }));
    proposal.metrics = object(json!({
        "numFilesToDelete": exact.plan.files.len(),
        "sizeOfDataToDelete": exact.plan.bytes(),
    }));
    proposal.guards = Guards { metadata: true, ..Guards::default() };
    commit(ctx, proposal).await
}

async fn end(deleted: &delete::Deleted, status: &str, ctx: &Context) -> Outcome<Committed> {
    let table = OpenTable::open(&ctx.place, AsOf::Latest, &ctx.watch()).await?;
    let mut proposal = Proposal::on(&table, "VACUUM END");
    proposal.parameters = object(json!({ "status": status }));
    proposal.metrics = object(json!({ "numDeletedFiles": deleted.files, "numVacuumedDirectories": 0 }));
    commit(ctx, proposal).await
}

fn object(value: serde_json::Value) -> Map<String, serde_json::Value> {
    match value {
        serde_json::Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn done(new_version: Option<u64>, deleted: &delete::Deleted, begun: Instant) -> Done {
    let mut notes = Vec::new();
    if deleted.spared > 0 {
        notes.push(format!("{} files were kept, as newer versions need them again", count(deleted.spared)));
    }
    Done {
        new_version,
        num_files_added: 0,
        num_files_removed: deleted.files,
        bytes_added: 0,
        bytes_removed: deleted.bytes,
        rows_verified: None,
        seconds: begun.elapsed().as_secs_f64(),
        notes,
    }
}
