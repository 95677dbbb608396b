//! Rewriting: the same rows in other files.
//!
//! ```text
//! plan      what is asked for → the exact plan, and what is shown
//! stage     one batch: files written and verified
//! unit      one thread pair of it: reading and hashing, writing
//! order     sorting (order), the Z-order curve (zorder)
//! verify    staged files read back and compared
//! paths     names of new files
//! input     add actions of inputs, remove actions from them
//! actions   the commit of a batch
//! reencode  files that have the wanted codec already
//! rows      row counts that only the footers tell
//! written   partition values that are null in two ways
//! doubled   no rewrite of what a double rewrite left
//! ```

mod actions;
mod doubled;
pub mod input;
mod meter;
mod order;
mod paths;
mod plan;
mod rate;
mod reencode;
mod rows;
mod space;
mod spread;
mod stage;
mod unit;
mod verify;
mod written;
mod zorder;

use std::sync::Arc;
use std::time::Instant;

pub use plan::plan;

use super::Context;
use super::commit::{self, Guards, Proposal, UNCLEAR};
use super::staged::Staged;
use crate::lake::log::{OpenTable, raw};
use crate::model::change::{Done, Phase, Rewrite};
use crate::model::files::FileList;
use crate::model::plan::{Group, Plan};
use crate::model::units::count;
use crate::model::{Fault, Outcome};
use input::Input;
use meter::Meter;
use stage::{GroupOrder, NewFile, Stage};

/// What a rewrite runs by.
pub struct Exact {
    open: OpenTable,
    list: FileList,
    plan: Plan,
    rewrite: Rewrite,
    /// Bytes that the new files are to have, if that was what they are made for.
    target: Option<u64>,
}

/// Carries the plan out, batch by batch. What is committed stays, whatever comes after.
pub async fn run(exact: &Exact, command: &str, ctx: &Context) -> Outcome<Done> {
    let started = Instant::now();
    let task = uuid::Uuid::new_v4().to_string();
    let batches = batches(&exact.plan.groups, ctx.batch_bytes);
    let mut done = Done {
        new_version: None,
        num_files_added: 0,
        num_files_removed: 0,
        bytes_added: 0,
        bytes_removed: 0,
        rows_verified: Some(0),
        seconds: 0.0,
        notes: Vec::new(),
    };
    if batches.is_empty() {
        return Ok(done);
    }
    let meter =
        Arc::new(Meter::new(ctx, exact.plan.input_files(), exact.plan.input_bytes(), batches.len() as u64));
    let staged = Staged::start(ctx, &exact.open, &task)?;
    for (at, groups) in batches.iter().enumerate() {
        let batch = Batch { exact, command, ctx, staged: &staged, meter: &meter, task: &task };
        let outcome = batch.run(groups, at, batches.len()).await;
        let committed = match outcome {
            Ok(committed) => committed,
            Err(fault) => {
                let unclear = fault.code == UNCLEAR;
                let left = if unclear {
                    Vec::new()
                } else {
                    meter.phase(Phase::CleaningUp);
                    staged.discard().await
                };
                if !unclear {
                    staged.end();
                }
                return Err(with_state(fault, at, batches.len(), &left, done.new_version));
            }
        };
        staged.committed();
        meter.batch();
        done.new_version = Some(committed.version);
        done.num_files_added += committed.added.0;
        done.bytes_added += committed.added.1;
        done.num_files_removed += committed.removed.0;
        done.bytes_removed += committed.removed.1;
        done.rows_verified = done.rows_verified.map(|n| n + committed.rows);
    }
    staged.end();
    done.seconds = started.elapsed().as_secs_f64();
    let files = done.num_files_added + done.num_files_removed;
    rate::note(ctx, done.bytes_added + done.bytes_removed, files, done.seconds, ctx.threads as u64);
    done.notes.extend(super::detect::double_rewrites(ctx, exact.open.table.version).await);
    Ok(done)
}

/// A fault with what has become of the rest.
fn with_state(mut fault: Fault, done: usize, of: usize, left: &[String], version: Option<u64>) -> Fault {
    if let Some(version) = version {
        let kept = format!(
            "{} of {} batches were committed before (up to version {version}) and stay",
            count(done as u64),
            count(of as u64)
        );
        fault.hint = match fault.hint.strip_prefix("Nothing was committed") {
            Some(rest) => format!("Of this batch nothing was committed; {kept}{rest}"),
            None if fault.hint.is_empty() => kept,
            None => format!("{}. {kept}", fault.hint.trim_end_matches('.')),
        };
    }
    if !left.is_empty() {
        fault.hint = format!(
            "{}. {} staged files could not be removed: `deltop clean-staged` does so later",
            fault.hint.trim_end_matches('.'),
            count(left.len() as u64)
        );
    }
    fault
}

/// Groups in order, cut where a batch has its bytes.
fn batches(groups: &[Group], bytes: u64) -> Vec<Vec<&Group>> {
    let mut out: Vec<Vec<&Group>> = Vec::new();
    let mut size = 0u64;
    for group in groups {
        match out.last_mut() {
            Some(batch) if size.saturating_add(group.bytes) <= bytes => {
                batch.push(group);
                size += group.bytes;
            }
            _ => {
                out.push(vec![group]);
                size = group.bytes;
            }
        }
    }
    out
}

struct Batch<'a> {
    exact: &'a Exact,
    command: &'a str,
    ctx: &'a Context,
    staged: &'a Staged,
    meter: &'a Arc<Meter>,
    task: &'a str,
}

struct BatchDone {
    version: u64,
    /// Files and bytes.
    added: (u64, u64),
    removed: (u64, u64),
    rows: u64,
}

impl Batch<'_> {
    async fn run(&self, groups: &[&Group], at: usize, of: usize) -> Outcome<BatchDone> {
        let (exact, ctx) = (self.exact, self.ctx);
        let indexes: Vec<u32> = groups.iter().flat_map(|g| g.inputs.iter().copied()).collect();
        let mut proposal = Proposal::on(&exact.open, "OPTIMIZE");
        proposal.guards = Guards::of_decoded(indexes.iter().map(|i| exact.list.get(*i as usize).path));
        // Work on a plan that no longer holds would be for nothing.
        commit::still_holds(ctx, &proposal).await?;
        let adds = raw::adds(&exact.open, &exact.list, &indexes, &ctx.watch()).await?;
        let mut inputs = adds.into_iter().map(Input::new).collect::<Outcome<Vec<Input>>>()?.into_iter();
        let orders = groups.iter().map(|group| {
            let inputs = inputs.by_ref().take(group.inputs.len()).collect();
            GroupOrder { inputs, outputs: group.outputs.len() }
        });
        let orders: Vec<GroupOrder> = orders.collect();
        let now = ctx.now();
        let removed: Vec<(String, u64, bool)> = orders
            .iter()
            .flat_map(|o| &o.inputs)
            .map(|i| (i.remove(now), i.file.size, i.file.vector.is_some()))
            .collect();
        let stage =
            Stage { ctx, open: &exact.open, rewrite: &exact.rewrite, staged: self.staged, meter: self.meter };
        let (new, rows): (Vec<NewFile>, u64) = stage.run(orders).await?;
        let sizes: Vec<u64> = new.iter().map(|f| f.written.size).collect();
        let done = BatchDone {
            version: 0,
            added: (sizes.len() as u64, sizes.iter().sum()),
            removed: (removed.len() as u64, removed.iter().map(|r| r.1).sum()),
            rows,
        };
        proposal.parameters = actions::parameters(&exact.rewrite);
        proposal.metrics = actions::metrics(&removed, &sizes);
        proposal.task = actions::task(self.task, at, of, self.command);
        proposal.actions = removed.into_iter().map(|r| r.0).collect();
        proposal.actions.extend(new.iter().map(|file| actions::add(file, now, exact.target)));
        self.meter.phase(Phase::Committing);
        let committed = commit::commit(ctx, proposal).await?;
        if committed.others > 0 {
            self.meter.note(format!("{} commits of others came in between", count(committed.others)));
        }
        Ok(BatchDone { version: committed.version, ..done })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_cut_by_bytes() {
        let group =
            |bytes| Group { partition: 0, inputs: Vec::new(), bytes, rows: None, outputs: Vec::new() };
        let groups: Vec<Group> = [5, 5, 20, 1, 1].map(group).to_vec();
        let sizes: Vec<usize> = batches(&groups, 10).iter().map(Vec::len).collect();
        assert_eq!(sizes, [2, 1, 2]);
        assert!(batches(&[], 10).is_empty());
    }

    #[test]
    fn a_late_failure_says_what_stays() {
        let fault = Fault::read("x", "m").hint("Nothing was committed. Check it");
        let hint = with_state(fault, 2, 5, &[], Some(7)).hint;
        assert!(hint.contains("2 of 5 batches") && hint.ends_with(". Check it"), "{hint}");
    }
}
