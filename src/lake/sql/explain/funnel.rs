//! From all files of a table to those that a query reads.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, Operator};
use datafusion::physical_plan::ExecutionPlan;
use object_store::path::Path;

use super::condition::in_sql;
use super::scans::{Record, reader};
use super::{partitions, tree};
use crate::lake::log::{OpenTable, Want};
use crate::lake::place::below;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::pushdown::skipping;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::query_plan::{FileFate, Pruned, RowGroups, Scan, Share};

pub(super) async fn scan(
    state: &SessionState,
    lakehouse: &Lakehouse,
    record: &Record,
    physical: &Arc<dyn ExecutionPlan>,
    groups: &HashMap<Path, RowGroups>,
    ran: bool,
) -> Outcome<Scan> {
    let entry = lakehouse.by_number(record.table);
    let mut scan = Scan { from_log: record.from_log, predicate: predicate(record), ..Scan::default() };
    if let Some(entry) = &entry {
        scan.table = entry.full_name();
    }
    match entry.as_ref().filter(|e| e.is_delta()) {
        Some(entry) => {
            let open = entry.open().await?;
            scan.may_be_nan = skipping(&record.filters, &record.schema).len() < record.filters.len();
            scan.version = Some(open.table.version);
            scan.without_statistics = entry.is_mended(record.table);
            fates(state, record, open, groups, &mut scan).await?;
        }
        None => {
            let fate = |(path, bytes): &(Path, u64)| FileFate {
                path: path.to_string(),
                bytes: *bytes,
                kept: true,
                reason: None,
                row_groups: None,
            };
            scan.files = record.files.iter().map(fate).collect();
            scan.total = share(scan.files.iter());
            scan.after_statistics = scan.total;
        }
    }
    if ran {
        measured(record, physical, &mut scan);
    }
    Ok(scan)
}

/// The filters as SQL.
fn predicate(record: &Record) -> Option<String> {
    let several = record.filters.len() > 1;
    let text = |filter: &Expr| match filter {
        Expr::BinaryExpr(both) if several && both.op == Operator::Or => format!("({})", in_sql(filter)),
        other => in_sql(other),
    };
    let all: Vec<String> = record.filters.iter().map(text).collect();
    (!all.is_empty()).then(|| all.join(" AND "))
}

async fn fates(
    state: &SessionState,
    record: &Record,
    open: &OpenTable,
    groups: &HashMap<Path, RowGroups>,
    scan: &mut Scan,
) -> Outcome<()> {
    let list = open.files(Want::default(), &Watch::default()).await?.list;
    let chosen: HashSet<&str> = record.files.iter().map(|(path, _)| path.as_ref()).collect();
    // A mended table's files are told by their path in the table.
    let names = |path: &str| [below(&open.place.root, path), below(&Path::default(), path)];
    let kept = partitions::kept(state, &record.schema, &record.filters, &list.partitions);
    let mut after_partitions = Share::default();
    let mut partitions: HashSet<u32> = HashSet::new();
    for file in list.iter() {
        let names = names(file.path);
        let is_chosen = names.iter().any(|name| chosen.contains(name.as_ref()));
        let by_partition = kept.get(file.partition as usize).copied().unwrap_or(true);
        let read = if record.from_log { by_partition } else { is_chosen };
        // What is read was not dropped, whatever the judgement here.
        if by_partition || read {
            after_partitions.files += 1;
            after_partitions.bytes += file.size;
        }
        if read {
            partitions.insert(file.partition);
        }
        let reason = match (read, by_partition) {
            (true, _) => None,
            (false, false) => Some("partition"),
            (false, true) => Some("statistics"),
        };
        let row_groups = names.iter().find_map(|path| groups.get(path)).copied();
        scan.files.push(FileFate {
            path: file.path.to_owned(),
            bytes: file.size,
            kept: read,
            reason,
            row_groups,
        });
    }
    scan.total = share(scan.files.iter());
    scan.after_statistics = share(scan.files.iter().filter(|f| f.kept));
    if !list.partitions.columns().is_empty() {
        scan.after_partitions = Some(after_partitions);
        let mut only = partitions.into_iter();
        scan.partition = match (only.next(), only.next()) {
            (Some(id), None) => Some(list.partitions.label(id)),
            _ => None,
        };
    }
    Ok(())
}

fn share<'a>(files: impl Iterator<Item = &'a FileFate>) -> Share {
    files.fold(Share::default(), |sum, f| Share { files: sum.files + 1, bytes: sum.bytes + f.bytes })
}

/// What the readers of these files counted while they ran.
fn measured(record: &Record, plan: &Arc<dyn ExecutionPlan>, scan: &mut Scan) {
    if let (Some(config), Some(metrics)) = (reader(plan), plan.metrics()) {
        let own: HashSet<&Path> = record.files.iter().map(|(path, _)| path).collect();
        let mut files = config.file_groups.iter().flat_map(|group| group.iter()).peekable();
        if files.peek().is_some() && files.all(|f| own.contains(&f.object_meta.location)) {
            add(
                &mut scan.row_groups,
                tree::pruned(&metrics, &["row_groups_pruned_statistics", "row_groups_pruned_bloom_filter"]),
            );
            add(&mut scan.pages, tree::pruned(&metrics, &["page_index_pages_pruned"]));
            if let Some(bytes) = metrics.sum_by_name("bytes_scanned") {
                *scan.bytes_read.get_or_insert(0) += bytes.as_usize() as u64;
            }
        }
    }
    for child in plan.children() {
        measured(record, child, scan);
    }
}

fn add(to: &mut Option<Pruned>, more: Option<Pruned>) {
    if let Some(more) = more {
        let sum = to.get_or_insert_default();
        sum.total += more.total;
        sum.pruned += more.pruned;
    }
}
