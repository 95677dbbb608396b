//! The same figures of many Parquet footers, summed: what the advice looks at.

use std::collections::BTreeMap;

use super::footer_totals::{Differences, Failures};
use super::units::count;

/// Sums over the footers that were read; for large tables a sample, and then it says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FooterSummary {
    /// Footers read.
    pub files: u64,
    /// Active files of the table.
    pub of_files: u64,
    /// Data files that are not there, or whose footer cannot be read.
    pub failures: Failures,
    /// Files with deletion vectors that are not there.
    pub vectors: Failures,
    /// Files with other rows, or another size, than the log says.
    pub wrong_rows: Differences,
    pub wrong_sizes: Differences,
    /// Rows of each row group read, in any order.
    pub row_group_rows: Vec<u64>,
    /// Of the files with several row groups: rows of each group but the last one of its file.
    pub inner_row_group_rows: Vec<u64>,
    /// Compressed bytes by codec (`SNAPPY`, `ZSTD`, `UNCOMPRESSED`, …).
    pub codecs: BTreeMap<String, u64>,
    /// Files whose footer says that they are V-ordered (a key containing `vorder`).
    pub v_order_files: u64,
}

impl FooterSummary {
    /// Files that were looked at, with success or without.
    pub fn looked_at(&self) -> u64 {
        self.files + self.failures.files()
    }

    /// Whether only some of the table's files were looked at.
    pub fn is_sample(&self) -> bool {
        self.looked_at() < self.of_files
    }

    /// What was looked at: `16 of 16 data files`, or `~ 1,000 of 12,345 data files` for a sample.
    pub fn basis(&self) -> String {
        let sample = if self.is_sample() { "~ " } else { "" };
        let s = if self.of_files == 1 { "" } else { "s" };
        format!("{sample}{} of {} data file{s}", count(self.looked_at()), count(self.of_files))
    }
}
