//! The same figures of many Parquet footers, summed: what the advice looks at.

use std::collections::BTreeMap;

/// Sums over the footers that were read; for large tables a sample, and then it says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FooterSummary {
    /// Footers read.
    pub files: u64,
    /// Active files of the table.
    pub of_files: u64,
    /// Files whose footer could not be read.
    pub unreadable: u64,
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
    /// Whether only some of the table's footers were read.
    pub fn is_sample(&self) -> bool {
        self.files < self.of_files
    }
}
