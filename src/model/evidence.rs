//! All that was found out about a table at one version, for the advice and the panes. Whatever was
//! not looked for is none, so that nobody takes it for "there is none".

use std::collections::BTreeMap;
use std::sync::Arc;

use super::clustering::Clustering;
use super::double_rewrite::DoubleRewrite;
use super::files::FileList;
use super::footer_summary::FooterSummary;
use super::footer_totals::{FooterTotals, Sample};
use super::operation::OperationKind;
use super::stats::{StatsColumn, StatsTable};
use super::table::{Table, Tombstones};
use super::trend_rates::OperationShare;
use super::units::Millis;

/// What was gathered of a table at one version. A clone is cheap but for the sums.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub table: Arc<Table>,
    /// All active files, with their records.
    pub files: FileList,
    pub tombstones: Option<Tombstones>,
    /// What was got over while reading, beyond [`Table::warnings`].
    pub warnings: Vec<String>,
    /// Statistics of `files`, in their order.
    pub stats: Option<Arc<StatsTable>>,
    /// The partition columns in the same form, from the files' partition values.
    pub partition_columns: Arc<[StatsColumn]>,
    /// Columns that have statistics and were left out because the table has too many files for all.
    pub columns_left_out: u64,
    /// Measures of the columns in `stats` and `partition_columns`.
    pub clustering: Option<Arc<[ColumnClustering]>>,
    pub footers: Option<Arc<FooterEvidence>>,
    pub history: Option<Arc<HistoryEvidence>>,
    pub orphans: Option<Arc<Orphans>>,
}

impl Evidence {
    /// What is said beside a verdict that rests on the log alone; none if data files were looked at, or
    /// there are none.
    pub fn data_not_looked_at(&self) -> Option<&'static str> {
        (self.footers.is_none() && !self.files.is_empty())
            .then_some("Data files were not looked at (--footers).")
    }

    /// A column's statistics, by its logical name; none if they were not read.
    pub fn column(&self, name: &str) -> Option<&StatsColumn> {
        let partition = self.partition_columns.iter().find(|c| c.name == name);
        partition.or_else(|| self.stats.as_ref()?.column(name))
    }

    /// A column's clustering, by its logical name.
    pub fn clustering_of(&self, column: &str) -> Option<&Clustering> {
        self.clustering.iter().flat_map(|c| c.iter()).find(|c| c.column == column).map(|c| &c.clustering)
    }
}

/// A column's clustering measures.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnClustering {
    /// Logical name; nested fields dotted.
    pub column: String,
    pub clustering: Clustering,
}

/// The footers of the data files, or of a sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FooterEvidence {
    pub totals: FooterTotals,
    /// None if every file was looked at.
    pub sample: Option<Sample>,
    pub summary: FooterSummary,
}

/// What the newest commits say, as far back as they were read without a gap.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryEvidence {
    /// The oldest and the newest version read; none if no commit could be.
    pub versions: Option<(u64, u64)>,
    /// Whether these are all commits that the table ever had.
    pub complete: bool,
    /// Commits that removed files which were removed already.
    pub double_rewrites: Vec<DoubleRewrite>,
    /// What each kind of operation wrote, and what came of it.
    pub operations: BTreeMap<OperationKind, OperationShare>,
}

/// A file of the table's folder that neither the state nor a tombstone names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orphan {
    /// Relative to the table, decoded.
    pub path: String,
    pub size: u64,
    pub modified: Millis,
    /// Older than the table's retention of removed files: no writer is still at it.
    pub is_old: bool,
}

/// Files of the table's folder that neither the state nor a tombstone names, from a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Orphans {
    pub sum: Unreferenced,
    /// The largest of them.
    pub files: Vec<Orphan>,
}

/// Sums over such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unreferenced {
    pub files: u64,
    pub bytes: u64,
    /// Of those, the ones older than the retention: no writer is still at them.
    pub old_files: u64,
    pub old_bytes: u64,
}
