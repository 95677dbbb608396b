//! The footers of many files summed up: bytes a column, row groups, codecs, writers, schemas.
//!
//! A monoid: [`FooterTotals::merge`] is associative and does not depend on the order, so that the
//! sum can grow while footers arrive, in any order and from several threads.

mod drift;
mod failures;
mod report;
mod spread;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::footer::{Chunk, Footer, Leaf, RowGroup};
use super::footer_summary::FooterSummary;

pub use drift::{Drift, DriftKind};
pub use failures::{Differences, FailureSum, Failures, KEPT_PROBLEMS, NOT_FOUND, Problem, Stated};
pub use report::{ColumnReport, Report, Sample, SpreadReport};
pub use spread::{Bin, Spread};

/// The sum over the footers read so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FooterTotals {
    /// Footers read.
    pub files: u64,
    /// Real sizes of their files.
    pub bytes: u64,
    /// Rows in the files: those that deletion vectors delete are counted too.
    pub rows: u64,
    pub row_groups: u64,
    pub v_order_files: u64,
    /// Files of each writer (`created_by`); none: it left no name.
    pub writers: BTreeMap<Option<String>, u64>,
    pub codecs: BTreeMap<&'static str, CodecSum>,
    /// By path.
    pub columns: BTreeMap<String, ColumnSum>,
    pub row_group_rows: Spread,
    /// Compressed bytes.
    pub row_group_bytes: Spread,
    /// Row groups by their exact number of rows: how many there are.
    pub groups_by_rows: BTreeMap<u64, u64>,
    /// The same without the last group of each file, which holds what was left.
    pub inner_groups_by_rows: BTreeMap<u64, u64>,
    /// The different sets of leaf columns, each with its files.
    pub schemas: BTreeMap<Arc<[Arc<Leaf>]>, SchemaUse>,
    /// Data files without a footer.
    pub failures: Failures,
    /// Files with deletion vectors that are not there, or cannot be reached.
    pub vectors: Failures,
    /// Files with other rows than the log says, and with another size.
    pub wrong_rows: Differences,
    pub wrong_sizes: Differences,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodecSum {
    pub chunks: u64,
    pub compressed_size: u64,
}

/// The chunks of one column in all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSum {
    pub chunks: u64,
    pub compressed: u64,
    pub uncompressed: u64,
    /// Σ of the null counts that are known.
    pub known_nulls: u64,
    pub chunks_without_null_count: u64,
    /// Chunks with a minimum and a maximum to be trusted.
    pub with_bounds: u64,
    pub with_page_index: u64,
    pub with_bloom_filter: u64,
    pub with_dictionary: u64,
    pub codecs: BTreeSet<&'static str>,
    pub encodings: BTreeSet<&'static str>,
}

/// The files that share a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaUse {
    pub files: u64,
    /// The first path of them in alphabetical order.
    pub example: String,
}

impl FooterTotals {
    pub fn add(&mut self, footer: &Footer) {
        self.files += 1;
        grow(&mut self.bytes, footer.size_in_bytes);
        grow(&mut self.rows, footer.num_rows);
        self.v_order_files += u64::from(footer.v_order);
        bump(&mut self.writers, &footer.created_by, 1);
        match self.schemas.get_mut(&footer.schema) {
            Some(known) => known.add(1, &footer.path),
            None => {
                let first = SchemaUse { files: 1, example: footer.path.clone() };
                self.schemas.insert(footer.schema.clone(), first);
            }
        }
        footer.row_groups.iter().for_each(|group| self.add_row_group(group));
        if let Some((_, inner)) = footer.row_groups.split_last() {
            inner.iter().for_each(|group| bump(&mut self.inner_groups_by_rows, &group.num_rows, 1));
        }
    }

    fn add_row_group(&mut self, group: &RowGroup) {
        self.row_groups += 1;
        self.row_group_rows.add(group.num_rows);
        self.row_group_bytes.add(group.compressed_size);
        bump(&mut self.groups_by_rows, &group.num_rows, 1);
        for chunk in &group.columns {
            let codec = self.codecs.entry(chunk.codec).or_default();
            codec.chunks += 1;
            grow(&mut codec.compressed_size, chunk.compressed_size);
            if let Some(column) = self.columns.get_mut(&chunk.leaf.path) {
                column.add(chunk);
            } else {
                self.columns.entry(chunk.leaf.path.clone()).or_default().add(chunk);
            }
        }
    }

    /// Compares a footer that was added with what the log says of its file.
    pub fn compare(&mut self, footer: &Footer, stated: Stated) {
        self.wrong_sizes.add(&footer.path, stated.bytes, footer.size_in_bytes);
        if let Some(rows) = stated.rows {
            // Some old writers left the sum out.
            let sum = || footer.row_groups.iter().fold(0u64, |sum, g| sum.saturating_add(g.num_rows));
            let real = if footer.num_rows == 0 { sum() } else { footer.num_rows };
            self.wrong_rows.add(&footer.path, rows, real);
        }
    }

    pub fn merge(&mut self, other: &FooterTotals) {
        self.files += other.files;
        grow(&mut self.bytes, other.bytes);
        grow(&mut self.rows, other.rows);
        self.row_groups += other.row_groups;
        self.v_order_files += other.v_order_files;
        other.writers.iter().for_each(|(name, files)| bump(&mut self.writers, name, *files));
        for (name, sum) in &other.codecs {
            let codec = self.codecs.entry(name).or_default();
            codec.chunks += sum.chunks;
            grow(&mut codec.compressed_size, sum.compressed_size);
        }
        for (path, column) in &other.columns {
            self.columns.entry(path.clone()).or_default().merge(column);
        }
        self.row_group_rows.merge(&other.row_group_rows);
        self.row_group_bytes.merge(&other.row_group_bytes);
        other.groups_by_rows.iter().for_each(|(rows, n)| bump(&mut self.groups_by_rows, rows, *n));
        other
            .inner_groups_by_rows
            .iter()
            .for_each(|(rows, n)| bump(&mut self.inner_groups_by_rows, rows, *n));
        for (schema, more) in &other.schemas {
            match self.schemas.get_mut(schema) {
                Some(known) => known.add(more.files, &more.example),
                None => drop(self.schemas.insert(schema.clone(), more.clone())),
            }
        }
        self.failures.merge(&other.failures);
        self.vectors.merge(&other.vectors);
        self.wrong_rows.merge(&other.wrong_rows);
        self.wrong_sizes.merge(&other.wrong_sizes);
    }

    /// Data files that are not there.
    pub fn missing(&self) -> u64 {
        self.failures.missing().files
    }

    /// Data files that are there, but whose footer cannot be read.
    pub fn unreadable(&self) -> u64 {
        self.failures.unreadable().files
    }

    /// What the advice looks at. `of_files`: the active files of the table.
    pub fn summary(&self, of_files: u64) -> FooterSummary {
        let each = |groups: &BTreeMap<u64, u64>| {
            groups.iter().flat_map(|(rows, n)| (0..*n).map(|_| *rows)).collect::<Vec<u64>>()
        };
        FooterSummary {
            files: self.files,
            of_files,
            failures: self.failures.clone(),
            vectors: self.vectors.clone(),
            wrong_rows: self.wrong_rows.clone(),
            wrong_sizes: self.wrong_sizes.clone(),
            row_group_rows: each(&self.groups_by_rows),
            inner_row_group_rows: each(&self.inner_groups_by_rows),
            codecs: self.codecs.iter().map(|(name, sum)| ((*name).to_owned(), sum.compressed_size)).collect(),
            v_order_files: self.v_order_files,
        }
    }

    /// All column chunks, and their bytes in the files.
    pub fn chunks(&self) -> CodecSum {
        let mut sum = CodecSum::default();
        for codec in self.codecs.values() {
            sum.chunks += codec.chunks;
            grow(&mut sum.compressed_size, codec.compressed_size);
        }
        sum
    }
}

impl ColumnSum {
    fn add(&mut self, chunk: &Chunk) {
        self.chunks += 1;
        grow(&mut self.compressed, chunk.compressed_size);
        grow(&mut self.uncompressed, chunk.uncompressed_size);
        match chunk.null_count {
            Some(n) => grow(&mut self.known_nulls, n),
            None => self.chunks_without_null_count += 1,
        }
        self.with_bounds += u64::from(chunk.min.is_some() && chunk.max.is_some());
        self.with_page_index += u64::from(chunk.has_page_index);
        self.with_bloom_filter += u64::from(chunk.has_bloom_filter);
        self.with_dictionary += u64::from(chunk.has_dictionary);
        self.codecs.insert(chunk.codec);
        self.encodings.extend(&chunk.encodings);
    }

    fn merge(&mut self, other: &ColumnSum) {
        self.chunks += other.chunks;
        grow(&mut self.compressed, other.compressed);
        grow(&mut self.uncompressed, other.uncompressed);
        grow(&mut self.known_nulls, other.known_nulls);
        self.chunks_without_null_count += other.chunks_without_null_count;
        self.with_bounds += other.with_bounds;
        self.with_page_index += other.with_page_index;
        self.with_bloom_filter += other.with_bloom_filter;
        self.with_dictionary += other.with_dictionary;
        self.codecs.extend(&other.codecs);
        self.encodings.extend(&other.encodings);
    }

    /// Nulls; none if a chunk lacks the figure.
    pub fn nulls(&self) -> Option<u64> {
        (self.chunks_without_null_count == 0).then_some(self.known_nulls)
    }

    /// Uncompressed over compressed bytes; none without bytes.
    pub fn ratio(&self) -> Option<f64> {
        (self.compressed > 0).then(|| self.uncompressed as f64 / self.compressed as f64)
    }
}

impl SchemaUse {
    fn add(&mut self, files: u64, example: &str) {
        self.files += files;
        if example < self.example.as_str() {
            self.example = example.to_owned();
        }
    }
}

/// Sums of what files claim can exceed any width; they stop at the largest number.
fn grow(sum: &mut u64, by: u64) {
    *sum = sum.saturating_add(by);
}

/// Adds to a count without cloning a key that is there.
fn bump<K: Ord + Clone>(counts: &mut BTreeMap<K, u64>, key: &K, by: u64) {
    match counts.get_mut(key) {
        Some(count) => *count += by,
        None => drop(counts.insert(key.clone(), by)),
    }
}

#[cfg(test)]
mod tests;
