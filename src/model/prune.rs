//! The pruning what-if: how many files a condition leaves to be read, and why each one stays or goes.
//! What is kept is what the engine's plan reads; the reasons are put in words here.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::column_roles::names_column;
use super::evidence::Evidence;
use super::query_plan::{FileFate, RowGroups, Scan, Share};
use super::stats::{Bound, StatKind, StatsColumn};
use super::units::count;

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
    /// What the statistics in the footers leave of these; none if no footer was looked for.
    pub after_row_groups: Option<AfterRowGroups>,
    pub files: Vec<Fate>,
}

/// What is left of the files whose footers were looked at. Every figure is of these only: a part of the
/// files that are read where `num_footers` is below `of_files`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AfterRowGroups {
    /// Files with a row group left.
    pub files: u64,
    /// Compressed bytes of the row groups that are left.
    pub bytes: u64,
    pub row_groups: u64,
    pub total_row_groups: u64,
    /// Footers that were read, of so many files that statistics leave.
    pub num_footers: u64,
    pub of_files: u64,
}

impl AfterRowGroups {
    fn of(files: &[Fate]) -> Self {
        let mut sum = AfterRowGroups::default();
        for file in files.iter().filter(|f| f.kept) {
            sum.of_files += 1;
            let Some(groups) = file.row_groups else { continue };
            sum.num_footers += 1;
            sum.files += u64::from(groups.kept > 0);
            sum.bytes = sum.bytes.saturating_add(groups.kept_bytes);
            sum.row_groups += groups.kept;
            sum.total_row_groups += groups.total;
        }
        sum
    }

    /// Whether these are figures of a part of the files only.
    pub fn is_partial(&self) -> bool {
        self.num_footers < self.of_files
    }

    /// `12 of 40 row groups`, and of how many files if not of all.
    pub fn sentence(&self) -> String {
        let groups = format!("{} of {} row groups", count(self.row_groups), count(self.total_row_groups));
        match self.is_partial() {
            true => {
                format!("{groups}, ~ in {} of {} footers", count(self.num_footers), count(self.of_files))
            }
            false => groups,
        }
    }
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
    /// Of a file that is read, if its footer was looked at.
    pub row_groups: Option<RowGroups>,
}

/// The columns that a condition names and that have statistics, by their logical names.
pub fn named_columns<'a>(predicate: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let top = |name: &'a str| name.split('.').next().unwrap_or(name);
    names.into_iter().filter(|name| names_column(predicate, top(name))).map(str::to_owned).collect()
}

/// Puts the engine's choice in words. `scan`: none if the plan reads no table at all, since the
/// condition can never hold. `evidence` has the statistics of `columns`; `footers`: whether they
/// were looked for.
pub fn prune_report(
    scan: Option<&Scan>,
    evidence: &Evidence,
    columns: &[String],
    footers: bool,
) -> PruneReport {
    let all = Share {
        files: evidence.files.len() as u64,
        bytes: evidence.files.sizes().fold(0, u64::saturating_add),
    };
    let mut report = PruneReport {
        total_files: all.files,
        total_bytes: all.bytes,
        after_partitions: Share::default(),
        after_statistics: Share::default(),
        after_row_groups: footers.then(AfterRowGroups::default),
        files: Vec::with_capacity(evidence.files.len()),
    };
    let Some(scan) = scan else {
        let gone = |f: crate::model::files::FileRef<'_>| Fate {
            path: f.path.to_owned(),
            kept: false,
            reason: "the condition never holds".into(),
            bytes: f.size,
            row_groups: None,
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
            reason: match scan.without_statistics && file.kept {
                true => unused(file, at.get(file.path.as_str()).copied(), &columns, partitions),
                false => {
                    let at = at.get(file.path.as_str()).copied();
                    reason(file, at, &columns, partitions, scan.may_be_nan)
                }
            },
            bytes: file.bytes,
            row_groups: file.row_groups.filter(|_| file.kept),
        })
        .collect();
    report.files.sort_by(|a, b| a.path.cmp(&b.path));
    report.after_row_groups = footers.then(|| AfterRowGroups::of(&report.files));
    report
}

/// A file is kept since the engine was given no statistics of the table.
fn unused(file: &FileFate, at: Option<usize>, columns: &[&StatsColumn], partitions: &[String]) -> String {
    let own = columns.iter().filter(|c| !partitions.contains(&c.name));
    let damaged = own.filter_map(|c| {
        at.filter(|at| matches!(c.bound(*at), Bound::Invalid | Bound::Reversed)).map(|_| c.name.as_str())
    });
    let damaged: Vec<&str> = damaged.collect();
    let why = match damaged.is_empty() {
        false => format!("statistics of {} unusable", damaged.join(", ")),
        true => "the engine takes no statistics of this table, since some in its log are damaged".to_owned(),
    };
    format!("nothing rules it out: {why}{}", of_groups(file))
}

fn of_groups(file: &FileFate) -> String {
    match file.row_groups.filter(|_| file.kept) {
        Some(RowGroups { total, kept, .. }) if kept < total => {
            format!("; reads {} of {} row groups", count(kept), count(total))
        }
        _ => String::new(),
    }
}

fn reason(
    file: &FileFate,
    at: Option<usize>,
    columns: &[&StatsColumn],
    partitions: &[String],
    may_be_nan: bool,
) -> String {
    let by_partition = file.reason == Some("partition");
    let told: Vec<&&StatsColumn> =
        columns.iter().filter(|c| !by_partition || partitions.contains(&c.name)).collect();
    let told_of = |c: &&&StatsColumn| {
        let partition = partitions.contains(&c.name);
        let beyond = may_be_nan && file.kept && !partition && c.kind == StatKind::Double;
        let nan = if beyond && c.min(at?).is_some() { ", or NaN" } else { "" };
        Some(figure(c, at?, partition) + nan)
    };
    let figures: Vec<String> = told.iter().filter_map(told_of).collect();
    let usable = at.is_some_and(|at| told.iter().any(|c| !c.bound(at).is_unknown()));
    let figures = figures.join(", ");
    let groups = of_groups(file);
    let reversed = at.is_some_and(|at| told.iter().any(|c| c.bound(at) == Bound::Reversed));
    match (file.kept, file.reason, figures.as_str()) {
        (false, Some("statistics"), figures) if reversed => {
            format!("dropped wrongly, perhaps: {figures}; the engine does not notice")
        }
        (true, _, "") => format!("may match: the condition names no column with statistics{groups}"),
        (true, _, figures) if usable && file.row_groups.is_some_and(|g| g.kept == 0 && g.total > 0) => {
            format!("the log's statistics did not rule it out, its footer does: {figures}{groups}")
        }
        (true, _, figures) if usable => format!("may match: {figures}{groups}"),
        (true, _, figures) => format!("nothing rules it out: {figures}{groups}"),
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
        (Bound::Invalid, ..) if partition => format!("{name} is not of the column's type"),
        (Bound::Invalid, ..) => format!("statistics of {name} unusable"),
        (Bound::Reversed, ..) => format!("statistics of {name} unusable, min above max"),
        _ => match column.nulls(file) {
            Some(0) => format!("{name} never null, its values unknown"),
            Some(n) => format!("{name} {} times null, its values unknown", count(n)),
            None => format!("no statistics of {name}"),
        },
    }
}
