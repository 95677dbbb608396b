//! The pruning what-if: how many files a condition leaves to be read, and why each one stays or goes.
//! What is kept is what the engine's plan reads; the reasons are put in words here.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::column_roles::names_column;
use super::evidence::Evidence;
use super::query_plan::{FileFate, Scan, Share};
use super::stats::{Bound, StatsColumn};

/// The command-line contract's `prune` object; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PruneReport {
    pub total_files: u64,
    pub total_bytes: u64,
    /// What partition values leave; everything if the table has none.
    pub after_partitions: Share,
    /// What statistics leave: the files that are read.
    pub after_statistics: Share,
    pub files: Vec<Fate>,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fate {
    pub path: String,
    pub kept: bool,
    /// Why, with the file's figures for the columns of the condition; not cleaned for a terminal.
    pub reason: String,
    #[serde(skip)]
    pub bytes: u64,
}

/// The columns that a condition names and that have statistics, by their logical names.
pub fn named_columns<'a>(predicate: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let top = |name: &'a str| name.split('.').next().unwrap_or(name);
    names.into_iter().filter(|name| names_column(predicate, top(name))).map(str::to_owned).collect()
}

/// Puts the engine's choice in words. `scan`: none if the plan reads no table at all, since the
/// condition can never hold. `evidence` has the statistics of `columns`.
pub fn prune_report(scan: Option<&Scan>, evidence: &Evidence, columns: &[String]) -> PruneReport {
    let all = Share {
        files: evidence.files.len() as u64,
        bytes: evidence.files.sizes().fold(0, u64::saturating_add),
    };
    let mut report = PruneReport {
        total_files: all.files,
        total_bytes: all.bytes,
        after_partitions: Share::default(),
        after_statistics: Share::default(),
        files: Vec::with_capacity(evidence.files.len()),
    };
    let Some(scan) = scan else {
        let gone = |f: crate::model::files::FileRef<'_>| Fate {
            path: f.path.to_owned(),
            kept: false,
            reason: "the condition never holds".into(),
            bytes: f.size,
        };
        report.files = evidence.files.iter().map(gone).collect();
        report.files.sort_by(|a, b| a.path.cmp(&b.path));
        return report;
    };
    report.after_partitions = scan.after_partitions.unwrap_or(all);
    report.after_statistics = scan.after_statistics;
    let at: FxHashMap<&str, usize> = evidence.files.iter().enumerate().map(|(i, f)| (f.path, i)).collect();
    let columns: Vec<&StatsColumn> = columns.iter().filter_map(|c| evidence.column(c)).collect();
    let partitions = &evidence.table.metadata.partition_columns;
    report.files = scan
        .files
        .iter()
        .map(|file| Fate {
            path: file.path.clone(),
            kept: file.kept,
            reason: reason(file, at.get(file.path.as_str()).copied(), &columns, partitions),
            bytes: file.bytes,
        })
        .collect();
    report.files.sort_by(|a, b| a.path.cmp(&b.path));
    report
}

fn reason(file: &FileFate, at: Option<usize>, columns: &[&StatsColumn], partitions: &[String]) -> String {
    let by_partition = file.reason == Some("partition");
    let figures: Vec<String> = columns
        .iter()
        .filter(|c| !by_partition || partitions.contains(&c.name))
        .filter_map(|c| Some(figure(c, at?, partitions.contains(&c.name))))
        .collect();
    let figures = figures.join(", ");
    match (file.kept, file.reason, figures.as_str()) {
        (true, _, "") => "may match: the condition names no column with statistics".into(),
        (true, _, figures) => format!("may match: {figures}"),
        (false, Some(why), "") => format!("dropped by {why}"),
        (false, Some(why), figures) => format!("{why}: {figures}"),
        (false, None, _) => "dropped".into(),
    }
}

/// What is known of a column in a file.
fn figure(column: &StatsColumn, file: usize, partition: bool) -> String {
    let name = &column.name;
    let show = |v| column.kind.show(&v);
    match (column.bound(file), column.min(file), column.max(file)) {
        (Bound::AllNull, ..) => format!("{name} is null"),
        (_, Some(min), Some(_)) if partition => format!("{name}={}", show(min)),
        (_, Some(min), Some(max)) if min == max => format!("{name} {}", show(min)),
        (_, Some(min), Some(max)) => format!("{name} {} to {}", show(min), show(max)),
        _ => format!("{name} unknown"),
    }
}
