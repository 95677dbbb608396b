//! What the tables were asked for while a query was planned, and which files they chose.

use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::SchemaRef;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use object_store::path::Path;

use crate::lake::sql::yielding::only_yields;
use crate::model::query_plan::Share;

/// A part of a session's state that takes notes of scans.
#[derive(Debug, Default)]
pub(crate) struct ScanLog {
    records: Mutex<Vec<Record>>,
    /// Files are only counted.
    counts: bool,
}

/// One scan of a table.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// The table's number, see [`super::super::folded::Folded::number`].
    pub(super) table: u64,
    pub(super) schema: SchemaRef,
    pub(super) filters: Vec<Expr>,
    /// Files with their bytes, in no order.
    pub(super) files: Vec<(Path, u64)>,
    /// The same, counted.
    pub(super) share: Share,
    /// There is no reader of files in the plan at all: rows are counted from the log.
    pub(super) from_log: bool,
}

impl ScanLog {
    /// One that holds no list of files: for queries that nobody asked to explain.
    pub(super) fn counting() -> ScanLog {
        ScanLog { counts: true, ..ScanLog::default() }
    }

    pub(crate) fn note(
        &self,
        table: u64,
        schema: SchemaRef,
        filters: &[Expr],
        plan: &Arc<dyn ExecutionPlan>,
    ) {
        let (mut files, mut share) = (Vec::new(), Share::default());
        let readers = if self.counts {
            count(plan, &mut share)
        } else {
            let readers = collect(plan, &mut files);
            share.files = files.len() as u64;
            share.bytes = files.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
            readers
        };
        let from_log = readers == 0 && has_log_counter(plan);
        let record = Record { table, schema, filters: filters.to_vec(), files, share, from_log };
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// Planning again (with a mended log) starts anew.
    pub(crate) fn clear(&self) {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn records(&self) -> Vec<Record> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The reader of files that a step is; none for other steps.
pub(in crate::lake::sql) fn reader(plan: &Arc<dyn ExecutionPlan>) -> Option<&FileScanConfig> {
    plan.downcast_ref::<DataSourceExec>()?.data_source().downcast_ref::<FileScanConfig>()
}

/// The places (from the top down, each before what it reads from) of the steps that read a scan's
/// files, and none of others.
pub(super) fn readers_of(plan: &Arc<dyn ExecutionPlan>, record: &Record) -> Vec<usize> {
    fn walk(
        plan: &Arc<dyn ExecutionPlan>,
        own: &std::collections::HashSet<&Path>,
        at: &mut usize,
        out: &mut Vec<usize>,
    ) {
        if let Some(config) = reader(plan) {
            let mut files = config.file_groups.iter().flat_map(|group| group.iter()).peekable();
            if files.peek().is_some() && files.all(|f| own.contains(&f.object_meta.location)) {
                out.push(*at);
            }
        }
        *at += usize::from(!only_yields(plan));
        plan.children().into_iter().for_each(|child| walk(child, own, at, out));
    }
    let own = record.files.iter().map(|(path, _)| path).collect();
    let (mut at, mut out) = (0, Vec::new());
    walk(plan, &own, &mut at, &mut out);
    out
}

/// Adds the files below a step; gives the number of readers. A file in pieces counts once.
fn collect(plan: &Arc<dyn ExecutionPlan>, files: &mut Vec<(Path, u64)>) -> usize {
    let mut readers = 0;
    if let Some(config) = reader(plan) {
        readers += 1;
        let all = config.file_groups.iter().flat_map(|group| group.iter());
        files.extend(all.map(|file| (file.object_meta.location.clone(), file.object_meta.size)));
        files.sort();
        files.dedup();
    }
    readers + plan.children().into_iter().map(|child| collect(child, files)).sum::<usize>()
}

/// Counts the files below a step; gives the number of readers.
fn count(plan: &Arc<dyn ExecutionPlan>, share: &mut Share) -> usize {
    let mut readers = 0;
    if let Some(config) = reader(plan) {
        readers += 1;
        for file in config.file_groups.iter().flat_map(|group| group.iter()) {
            share.files += 1;
            share.bytes = share.bytes.saturating_add(file.object_meta.size);
        }
    }
    readers + plan.children().into_iter().map(|child| count(child, share)).sum::<usize>()
}

/// delta-rs' step that gives rows without values, from the log's counts.
fn has_log_counter(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.name() == "DeltaScanMetaExec" || plan.children().into_iter().any(has_log_counter)
}
