//! Clustering quality of a column, from each file's smallest and largest value.
//!
//! A file is the closed range [min, max] of its values. Definitions, over the `n` files whose
//! range is known:
//!
//! * **depth of a file**: the largest number of files, itself included, that share one value of
//!   its range. 1 is ideal: no other file overlaps it.
//! * **average depth**, **maximum depth**: of these, mean and maximum. (Snowflake,
//!   SYSTEM$CLUSTERING_INFORMATION: `average_depth`, "average overlap depth"; Fabric's table health
//!   calls them `avg_depth` and `max_depth`.)
//! * **overlaps**: the mean number of *other* files whose range meets a file's range (Snowflake:
//!   `average_overlaps`). Divided by n − 1 it is the **overlap ratio** (Fabric: `overlap_ratio`,
//!   re-cluster above 0.75 with at least four files).
//! * **constant files**: files that provably hold a single value (Snowflake:
//!   `total_constant_partition_count`).
//! * **point read share**: the expected share of all files that `c = v` reads, where `v` is the
//!   value of a row taken at random. Every file counts alike, and its rows are taken as spread
//!   evenly over its range (by value for numbers, dates and times; for strings by their first 16
//!   bytes after those that all files share).
//! * **range read share**: the same for `c BETWEEN v AND w` that holds 1 % of the rows under that
//!   spread, its place being random. As it is measured in rows, not in values, one far outlier
//!   does not flatter it.
//!
//! Files that are all null are never read by such predicates. Files with unknown ranges are always
//! read: they count in full in the two shares and nowhere else. O(n log n).

mod ranks;
mod spread;
mod sweep;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::stats::{Bound, StatsColumn};

/// The share of the rows that the range predicate of the measure holds.
pub const RANGE_SHARE: f64 = 0.01;

/// The measures of one column; see the module for their definitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Clustering {
    /// None if no file's range is known.
    pub avg_depth: Option<f64>,
    pub max_depth: Option<u64>,
    pub overlaps: Option<f64>,
    pub constant_files: u64,
    /// None without files.
    pub point_read_share: Option<f64>,
    pub range_read_share: Option<f64>,
    /// Files with a known range.
    pub known_files: u64,
    /// Files in which the column is null throughout.
    pub all_null_files: u64,
    /// Files without usable bounds.
    pub unknown_files: u64,
}

impl Clustering {
    pub fn of(column: &StatsColumn) -> Self {
        let known: Vec<u32> =
            (0..column.len() as u32).filter(|i| column.bound(*i as usize).is_known()).collect();
        let total = column.len() as f64;
        let unknown_files = column.unknown_files();
        let mut out = Clustering {
            avg_depth: None,
            max_depth: None,
            overlaps: None,
            constant_files: 0,
            point_read_share: None,
            range_read_share: None,
            known_files: known.len() as u64,
            all_null_files: column.bounds().iter().filter(|b| **b == Bound::AllNull).count() as u64,
            unknown_files,
        };
        if column.is_empty() {
            return out;
        }
        let (mut point, mut range) = (0.0, 0.0);
        if let Some(ranked) = ranks::rank(column, &known) {
            let depths = sweep::measure(&ranked);
            let n = known.len() as f64;
            out.avg_depth = Some(depths.sum_depth as f64 / n);
            out.max_depth = Some(depths.max_depth);
            out.overlaps = Some(depths.sum_overlaps as f64 / n);
            out.constant_files = known.iter().filter(|i| column.is_constant(**i as usize)).count() as u64;
            (point, range) = spread::expected_reads(&ranked, RANGE_SHARE);
        }
        out.point_read_share = Some(((point + unknown_files as f64) / total).min(1.0));
        out.range_read_share = Some(((range + unknown_files as f64) / total).min(1.0));
        out
    }

    /// Mean share of the other files that a file overlaps, 0 to 1; none below two known files.
    pub fn overlap_ratio(&self) -> Option<f64> {
        let others = self.known_files.checked_sub(1).filter(|n| *n > 0)?;
        self.overlaps.map(|o| o / others as f64)
    }
}
