//! What a query cost, once its rows are there. Nothing is read for it.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::physical_plan::ExecutionPlan;
use object_store::path::Path;

use super::scans::{ScanLog, reader};
use super::tree;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::model::progress::Progress;
use crate::model::query_plan::Share;
use crate::model::run_facts::{Read, RunFacts};

/// A query's plan and what its tables were asked for, kept while it runs.
pub struct AfterRun {
    pub(in crate::lake::sql) lakehouse: Arc<Lakehouse>,
    pub(in crate::lake::sql) log: Arc<ScanLog>,
    pub(in crate::lake::sql) plan: Arc<dyn ExecutionPlan>,
}

impl AfterRun {
    /// The figures as they are now: whole after the last row, those until then before.
    pub fn facts(&self) -> RunFacts {
        let reads = self.log.records().into_iter().map(|record| {
            let bytes = record.files.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
            let files = Share { files: record.files.len() as u64, bytes };
            let table = self.lakehouse.by_number(record.table).map(|e| e.full_name());
            Read { table: table.unwrap_or_default(), files, from_log: record.from_log }
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
        let (mut done, mut parts, mut files) = (0, 0, HashSet::new());
        count(&self.plan, &mut done, &mut parts, &mut files);
        let unit = if files.len() as u64 == parts { "files" } else { "parts of files" };
        (parts > 0).then(|| Progress::new("reading", done.min(parts), Some(parts), unit))
    }
}

fn count<'a>(
    plan: &'a Arc<dyn ExecutionPlan>,
    done: &mut u64,
    parts: &mut u64,
    files: &mut HashSet<&'a Path>,
) {
    if let Some(config) = reader(plan) {
        let all = config.file_groups.iter().flat_map(|group| group.iter());
        all.for_each(|file| {
            *parts += 1;
            files.insert(&file.object_meta.location);
        });
        let read = plan.metrics().and_then(|m| m.sum_by_name("files_processed"));
        *done += read.map_or(0, |n| n.as_usize() as u64);
    }
    plan.children().into_iter().for_each(|child| count(child, done, parts, files));
}

/// Bytes that all readers of files fetched; none if none of them counted.
fn bytes_read(plan: &Arc<dyn ExecutionPlan>) -> Option<u64> {
    let own = reader(plan).and_then(|_| plan.metrics()).and_then(|m| m.sum_by_name("bytes_scanned"));
    let own = own.map(|bytes| bytes.as_usize() as u64);
    plan.children().into_iter().map(bytes_read).chain([own]).flatten().reduce(u64::saturating_add)
}
