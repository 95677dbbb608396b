//! What a query cost, once its rows are there. Nothing is read for it.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use datafusion::physical_plan::ExecutionPlan;
use object_store::path::Path;

use super::scans::{ScanLog, reader};
use super::tree;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::model::progress::Progress;
use crate::model::run_facts::{Read, RunFacts};

/// A query's plan and what its tables were asked for, kept while it runs.
pub struct AfterRun {
    lakehouse: Arc<Lakehouse>,
    log: Arc<ScanLog>,
    plan: Arc<dyn ExecutionPlan>,
    /// Files that are read, in parts of them, and what these are called; counted when first asked for.
    parts: OnceLock<(u64, &'static str)>,
}

impl AfterRun {
    pub(in crate::lake::sql) fn new(
        lakehouse: &Arc<Lakehouse>,
        log: Arc<ScanLog>,
        plan: Arc<dyn ExecutionPlan>,
    ) -> AfterRun {
        AfterRun { lakehouse: Arc::clone(lakehouse), log, plan, parts: OnceLock::new() }
    }

    /// The figures as they are now: whole after the last row, those until then before.
    pub fn facts(&self) -> RunFacts {
        let reads = self.log.records().into_iter().map(|record| {
            let table = self.lakehouse.by_number(record.table).map(|e| e.full_name());
            Read { table: table.unwrap_or_default(), files: record.share, from_log: record.from_log }
        });
        RunFacts {
            reads: reads.collect(),
            bytes_read: bytes_read(&self.plan),
            nodes: tree::nodes(&self.plan, true),
        }
    }
}

impl AfterRun {
    /// How many of the files that were chosen have been read; none if no file is. A large file that
    /// several threads share counts as that many parts.
    pub fn progress(&self) -> Option<Progress> {
        let (parts, unit) = *self.parts.get_or_init(|| {
            let (mut parts, mut files) = (0, HashSet::new());
            count(&self.plan, &mut parts, &mut files);
            (parts, if files.len() as u64 == parts { "files" } else { "parts of files" })
        });
        (parts > 0).then(|| Progress::new("reading", read(&self.plan).min(parts), Some(parts), unit))
    }
}

fn count<'a>(plan: &'a Arc<dyn ExecutionPlan>, parts: &mut u64, files: &mut HashSet<&'a Path>) {
    let groups = reader(plan).map(|config| config.file_groups.iter());
    for file in groups.into_iter().flatten().flat_map(|group| group.iter()) {
        *parts += 1;
        files.insert(&file.object_meta.location);
    }
    plan.children().into_iter().for_each(|child| count(child, parts, files));
}

/// Parts of files that the readers have done with.
fn read(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    let own = reader(plan).and_then(|_| plan.metrics()).and_then(|m| m.sum_by_name("files_processed"));
    let own = own.map_or(0, |n| n.as_usize() as u64);
    own + plan.children().into_iter().map(read).sum::<u64>()
}

/// Bytes that all readers of files fetched; none if none of them counted.
fn bytes_read(plan: &Arc<dyn ExecutionPlan>) -> Option<u64> {
    let own = reader(plan).and_then(|_| plan.metrics()).and_then(|m| m.sum_by_name("bytes_scanned"));
    let own = own.map(|bytes| bytes.as_usize() as u64);
    plan.children().into_iter().map(bytes_read).chain([own]).flatten().reduce(u64::saturating_add)
}
