//! A change of a table: as it is asked for, as it is shown before it runs, while it runs, and what
//! came of it. Data only; the engine in `tune` works with it, the screen and the command line show it.

use serde::Serialize;

use super::histogram::Histogram;
use super::plan::PlanReport;
use super::plan::vacuum::{Mode, VacuumReport};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Rewrite(Rewrite),
    Vacuum(Vacuum),
    /// Takes back rewrites by an inverse commit. `to_before` names the first version whose rewrite
    /// is taken back, with all rewrites after it; none: the last one.
    Undo {
        to_before: Option<u64>,
    },
    /// Removes the rows that a second rewrite of the same files doubled.
    Repair,
}

/// Bytes of memory that rewriting needs at least: a row group that is read and one that is written.
pub const LEAST_MEMORY: u64 = 64 << 20;

/// The same rows in other files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    pub goal: Goal,
    pub scope: Scope,
    pub order: Order,
    pub codec: Codec,
    /// Rows of a row group at most; none: a default that suits the rows' width.
    pub row_group_rows: Option<u64>,
    /// Also rewrites files with a deletion vector, so that it is no longer needed.
    pub purge: bool,
    /// Also rewrites files that are fine but have another codec.
    pub all: bool,
    /// Also rewrites files that lack statistics which the table's properties ask for.
    pub stats: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Merge small files only (`optimize`). The target in bytes; none: what suits the table's size.
    /// With an order other than [`Order::Kept`], all files in scope are rewritten to about the target.
    Compact { target: Option<u64> },
    /// To exactly `count` files, in all or in each partition.
    Files { count: u64, per_partition: bool },
    /// To files of about so many bytes; good files are left alone.
    Size { bytes: u64 },
    /// Each file by itself, if the other wishes ask for it: to purge, for a codec, for statistics.
    Each,
}

/// What may be touched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    #[default]
    Table,
    /// An SQL condition over partition columns.
    Where(String),
    /// Partitions by their values, as the log writes them; column names are logical.
    Partitions(Vec<Vec<(String, Option<String>)>>),
    /// Paths as in the log, decoded.
    Files(Vec<String>),
}

/// How rows lie within a partition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Order {
    /// As they are.
    #[default]
    Kept,
    /// Sorted by these columns, ascending, nulls first.
    Sorted(Vec<String>),
    /// Along the Z-order curve of these columns.
    ZOrder(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Codec {
    #[default]
    Zstd,
    Snappy,
    Gzip,
    Lz4,
    Uncompressed,
    /// What the input files have.
    Source,
}

/// Which files to delete for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vacuum {
    pub mode: Mode,
    /// Hours; none: the table's `delta.deletedFileRetentionDuration` or its default.
    pub retain_hours: Option<u64>,
    pub below_safe_retention: bool,
    pub include_never_referenced: bool,
}

/// What a change would do, by kind; serialised it is the command line's JSON of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report {
    Rewrite(PlanReport),
    Vacuum(VacuumReport),
    Undo(UndoReport),
}

/// The plan of an inverse commit: of an undo, or of a repair.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UndoReport {
    /// `undo` or `repair`.
    pub operation: &'static str,
    pub table: String,
    pub version: u64,
    /// Versions that are taken back.
    pub versions: Vec<u64>,
    pub num_files_restored: u64,
    pub bytes_restored: u64,
    pub num_files_removed: u64,
    pub bytes_removed: u64,
    pub risks: Vec<String>,
    pub command: String,
}

/// A plan as the screen shows it before it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanView {
    pub change: Change,
    pub report: Report,
    /// Files by size now, and after the change as predicted; none where sizes do not change.
    pub before: Option<Histogram>,
    pub after: Option<Histogram>,
    /// There is nothing to do: running it would change nothing.
    pub empty: bool,
    /// Files are deleted or rows are dropped for good: the person types the table's name.
    pub destructive: bool,
}

/// What a running change is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    #[default]
    Waiting,
    Planning,
    /// Reading inputs and writing staged files.
    Rewriting,
    /// Reading staged files back.
    Verifying,
    /// The commit was sent; a cancellation waits for its outcome.
    Committing,
    Deleting,
    CleaningUp,
    /// The rows of a query, into a file of their own.
    Writing,
}

impl Phase {
    /// In a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Waiting => "waiting",
            Phase::Planning => "planning",
            Phase::Rewriting => "rewriting",
            Phase::Verifying => "verifying",
            Phase::Committing => "committing",
            Phase::Deleting => "deleting",
            Phase::CleaningUp => "cleaning up",
            Phase::Writing => "writing",
        }
    }
}

/// How far a running change is. What does not apply is zero of none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskProgress {
    pub phase: Phase,
    pub files_done: u64,
    pub files_total: Option<u64>,
    pub bytes_done: u64,
    pub bytes_total: Option<u64>,
    /// Batches that are committed, of all.
    pub batches_done: u64,
    pub batches_total: Option<u64>,
    /// Rows that an export has written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_done: Option<u64>,
    /// One more line for the task's log, such as a retry after a conflict.
    pub note: Option<String>,
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// None if nothing was committed since nothing was to be done.
    pub new_version: Option<u64>,
    pub num_files_added: u64,
    pub num_files_removed: u64,
    pub bytes_added: u64,
    pub bytes_removed: u64,
    /// Rows read back and found equal to the source's; none where nothing was rewritten.
    pub rows_verified: Option<u64>,
    pub seconds: f64,
    /// What the person should know besides: files that could not be deleted, a double rewrite seen.
    pub notes: Vec<String>,
}
