//! Rates over a window, the mix of operations, and how much is written for what stays.

use std::collections::BTreeMap;

use super::history::Commit;
use super::operation::OperationKind;
use super::row_counts::RowCounts;
use super::trends::Trends;
use super::units::Millis;

/// What happened in a window of time that ends now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rates {
    /// Milliseconds looked at.
    pub window: Millis,
    pub commits: u64,
    pub added_files: u64,
    pub removed_files: u64,
    pub added_bytes: u64,
    /// Whether the loaded commits reach back to the window's start (or to version 0); if not, the
    /// figures are lower bounds.
    pub complete: bool,
}

impl Rates {
    /// A figure of the window, per minute; 0 for an empty window.
    pub fn per_minute(&self, figure: u64) -> f64 {
        if self.window <= 0 { 0.0 } else { figure as f64 * 60_000.0 / self.window as f64 }
    }
}

impl Trends {
    /// The rates over (`now` − `window`, `now`]. Commits of the near future (clocks differ) count as of now.
    pub fn rates(&self, window: Millis, now: Millis) -> Rates {
        let start = now.saturating_sub(window.max(0));
        let mut out = Rates { window: window.max(0), ..Rates::default() };
        for point in self.points.iter().filter(|p| p.time.is_some_and(|t| t > start)) {
            out.commits += 1;
            out.added_files += point.added_files;
            out.removed_files += point.removed_files;
            out.added_bytes = out.added_bytes.saturating_add(point.added_bytes);
        }
        out.complete = match self.points.first() {
            Some(first) => first.version == 0 || first.time.is_some_and(|t| t <= start),
            None => false,
        };
        out
    }

    /// The median time between commits that follow each other, milliseconds, over the commits that
    /// `keep` picks; none with fewer than two. Steps back of the clock count as 0.
    pub fn median_interval(&self, keep: impl Fn(OperationKind) -> bool) -> Option<Millis> {
        let times: Vec<Millis> = self.points.iter().filter(|p| keep(p.kind)).filter_map(|p| p.time).collect();
        let mut steps: Vec<Millis> = times.windows(2).map(|w| (w[1] - w[0]).max(0)).collect();
        if steps.is_empty() {
            return None;
        }
        let middle = steps.len() / 2;
        Some(*steps.select_nth_unstable(middle).1)
    }
}

/// What the commits of one kind of operation wrote, and what came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OperationShare {
    pub commits: u64,
    /// Σ bytes of added files.
    pub bytes_written: u64,
    /// Σ bytes of removed files; none if a remove states no size.
    pub bytes_removed: Option<u64>,
    /// Rows that the commits inserted, updated or deleted, by their metrics; none if one lacks them.
    pub rows_changed: Option<u64>,
    /// Rows that the commits copied unchanged into new files, by their metrics.
    pub rows_copied: Option<u64>,
}

impl OperationShare {
    /// Bytes by which the table grew (or, below zero, shrank).
    pub fn net_bytes(&self) -> Option<i128> {
        self.bytes_removed.map(|r| i128::from(self.bytes_written) - i128::from(r))
    }

    /// Write amplification in bytes: bytes written ÷ net new bytes. 1 for pure appends; none where
    /// the table did not grow by these commits, or the sizes are not known.
    pub fn byte_amplification(&self) -> Option<f64> {
        let net = self.net_bytes().filter(|n| *n > 0)?;
        Some(self.bytes_written as f64 / net as f64)
    }

    /// Write amplification in rows: (rows changed + rows copied) ÷ rows changed. 1 means that
    /// nothing was rewritten that did not change; none without metrics or changed rows.
    pub fn row_amplification(&self) -> Option<f64> {
        let (changed, copied) = (self.rows_changed.filter(|n| *n > 0)?, self.rows_copied?);
        Some((changed as f64 + copied as f64) / changed as f64)
    }
}

/// The mix of operations over the commits that can be read.
pub fn operation_mix(commits: &[Commit]) -> BTreeMap<OperationKind, OperationShare> {
    let mut out: BTreeMap<OperationKind, OperationShare> = BTreeMap::new();
    let add = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a.saturating_add(b));
    for commit in commits.iter().filter(|c| c.problem.is_none()) {
        let kind = OperationKind::of(commit.operation.as_deref(), commit.operation_parameters.as_ref());
        let start = OperationShare {
            bytes_removed: Some(0),
            rows_changed: Some(0),
            rows_copied: Some(0),
            ..OperationShare::default()
        };
        let share = out.entry(kind).or_insert(start);
        let sized = (commit.removes_without_size == 0).then_some(commit.removed_bytes);
        let rows = RowCounts::of(kind, commit.operation_metrics.as_ref());
        share.commits += 1;
        share.bytes_written = share.bytes_written.saturating_add(commit.added_bytes);
        share.bytes_removed = add(share.bytes_removed, sized);
        share.rows_changed = add(share.rows_changed, rows.changed());
        share.rows_copied = add(share.rows_copied, rows.copied);
    }
    out
}
