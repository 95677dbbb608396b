//! What lies between two versions of a table: files, rows, partitions, schema, properties.

use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

use super::diff_partition::{PartitionDiff, PartitionTally};
use super::file_index::FileIndex;
use super::files::{FileList, FileRef};
use super::history::Commit;
use super::schema_diff::SchemaChange;
use super::table::Table;
use super::table_diff::{Change, MetadataDiff, protocol_changes};

/// A set of files: how many, their bytes by the log, their live rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sum {
    pub files: u64,
    pub bytes: u64,
    /// `numRecords` less the deletion vectors' cardinality; none if a file lacks the figure.
    pub records: Option<u64>,
}

impl Default for Sum {
    /// No files, and so no rows.
    fn default() -> Self {
        Sum { files: 0, bytes: 0, records: Some(0) }
    }
}

impl Sum {
    pub(super) fn add(&mut self, bytes: u64, records: Option<u64>) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.records = self.records.zip(records).map(|(a, b)| a.saturating_add(b));
    }
}

/// Data files that stayed while their deletion vector changed (also counted as removed and added).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VectorsChanged {
    pub files: u64,
    /// Rows that the vectors of these files delete, before and after.
    pub deleted_records_before: u64,
    pub deleted_records_after: u64,
}

/// Files of a size class, in both versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OverlayBucket {
    /// Bytes, inclusive.
    pub from: u64,
    /// Bytes, exclusive; none: no limit.
    pub to: Option<u64>,
    pub files_before: u64,
    pub bytes_before: u64,
    pub files_after: u64,
    pub bytes_after: u64,
}

/// The `diff` object of the command-line contract; what follows `partitions` there is extra.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    pub from: u64,
    pub to: u64,
    /// Files of `to` that are not in `from`, keyed by (path, deletion-vector id).
    pub added: Sum,
    /// Files of `from` that are not in `to`.
    pub removed: Sum,
    pub unchanged: Sum,
    /// Whether the rows stayed the same, so that only their layout in files can have changed; none
    /// if that cannot be told. See [`layout_only`].
    pub layout_only: Option<bool>,
    pub schema_changes: Vec<SchemaChange>,
    pub property_changes: Vec<Change>,
    pub protocol_changes: Vec<Change>,
    /// Partitions with files added or removed, by their values; none without partition columns. Of
    /// a table partitioned anew, the files of the side without columns are one part without values.
    pub partitions: Vec<PartitionDiff>,
    pub metadata_changes: Vec<Change>,
    pub vectors_changed: VectorsChanged,
    /// Steps of four from 4 KiB on, from the smallest class in use to the largest.
    pub histogram: Vec<OverlayBucket>,
    /// Live rows in each version; none if unknown.
    #[serde(serialize_with = "before_after")]
    pub num_records: (Option<u64>, Option<u64>),
}

/// One version as [`Diff::between`] needs it: the table, and all its files with their records.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub table: &'a Table,
    pub files: &'a FileList,
}

impl Diff {
    /// `data_changed`: see [`data_changed`]. Linear in the files of both sides.
    pub fn between(from: Side<'_>, to: Side<'_>, data_changed: Option<bool>) -> Diff {
        let files = FileDiff::of(from.files, to.files);
        let meta = MetadataDiff::of_tables(from.table, to.table);
        let rows = |a: Sum, b: Sum| a.records.zip(b.records).map(|(x, y)| x.saturating_add(y));
        let num_records = (rows(files.unchanged, files.removed), rows(files.unchanged, files.added));
        let same_files = files.added.files == 0 && files.removed.files == 0;
        Diff {
            from: from.table.version,
            to: to.table.version,
            added: files.added,
            removed: files.removed,
            unchanged: files.unchanged,
            layout_only: layout_only(same_files, files.added, files.removed, data_changed),
            schema_changes: meta.schema_changes,
            property_changes: meta.property_changes,
            protocol_changes: protocol_changes(&from.table.protocol, &to.table.protocol),
            partitions: files.partitions,
            metadata_changes: meta.metadata_changes,
            vectors_changed: files.vectors,
            histogram: overlay(from.files, to.files),
            num_records,
        }
    }

    /// Rows more (or, below zero, less) in `to` than in `from`.
    pub fn net_records(&self) -> Option<i128> {
        self.added.records.zip(self.removed.records).map(|(a, r)| i128::from(a) - i128::from(r))
    }
}

/// Whether only the layout changed: true if no file differs, or if all commits between say
/// `dataChange=false` and as many rows were added as removed; false if a commit says
/// `dataChange=true` or the rows differ; none if neither can be told.
pub fn layout_only(same_files: bool, added: Sum, removed: Sum, data_changed: Option<bool>) -> Option<bool> {
    let rows_equal = added.records.zip(removed.records).map(|(a, r)| a == r);
    match (data_changed, rows_equal) {
        _ if same_files => Some(true),
        (Some(true), _) | (_, Some(false)) => Some(false),
        (Some(false), Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether a commit after the older and up to the newer of two versions says `dataChange=true`:
/// the input of [`Diff::between`]. None if none says so but a commit is missing or unreadable.
/// The order of `commits` does not matter.
pub fn data_changed<'a>(commits: impl IntoIterator<Item = &'a Commit>, from: u64, to: u64) -> Option<bool> {
    let (low, high) = (from.min(to), from.max(to));
    let mut seen = std::collections::BTreeSet::new();
    for commit in commits.into_iter().filter(|c| c.version > low && c.version <= high) {
        if commit.data_change == Some(true) {
            return Some(true);
        }
        if !commit.incomplete {
            seen.insert(commit.version);
        }
    }
    (seen.len() as u64 == high - low).then_some(false)
}

#[derive(Default)]
struct FileDiff {
    added: Sum,
    removed: Sum,
    unchanged: Sum,
    vectors: VectorsChanged,
    partitions: Vec<PartitionDiff>,
}

impl FileDiff {
    fn of(from: &FileList, to: &FileList) -> FileDiff {
        let mut out = FileDiff::default();
        let mut tally = PartitionTally::new(&from.partitions, &to.partitions);
        let mut index = FileIndex::of(from);
        // Added files of paths whose vector may have changed.
        let mut vectors: FxHashMap<&str, u64> = FxHashMap::default();
        for file in to.iter() {
            match index.take(&file) {
                Some(before) => {
                    let records = file.live_records().or(before.live_records());
                    out.unchanged.add(file.size, records);
                    tally.unchanged(file.partition, file.size, records);
                }
                None => {
                    out.added.add(file.size, file.live_records());
                    tally.added(file.partition, file.size, file.live_records());
                    if index.has_vectors() || file.deletion_vector.is_some() {
                        vectors.insert(file.path, deleted(&file));
                    }
                }
            }
        }
        for file in index.left() {
            out.removed.add(file.size, file.live_records());
            tally.removed(file.partition, file.size, file.live_records());
            if let Some(after) = vectors.get(file.path) {
                let sum = &mut out.vectors;
                sum.files += 1;
                sum.deleted_records_before = sum.deleted_records_before.saturating_add(deleted(&file));
                sum.deleted_records_after = sum.deleted_records_after.saturating_add(*after);
            }
        }
        out.partitions = tally.finish();
        out
    }
}

/// Rows that the file's deletion vector deletes.
fn deleted(file: &FileRef<'_>) -> u64 {
    file.deletion_vector.map_or(0, |v| v.cardinality)
}

fn overlay(from: &FileList, to: &FileList) -> Vec<OverlayBucket> {
    // Class 0 is below 4 KiB; class k from 4^(k-1) × 4 KiB.
    let class = |size: u64| if size < 4096 { 0 } else { (size.ilog2() as usize - 12) / 2 + 1 };
    let edge = |k: usize| 4096u64.checked_shl(2 * k as u32).filter(|e| *e >= 4096);
    let empty =
        OverlayBucket { from: 0, to: None, files_before: 0, bytes_before: 0, files_after: 0, bytes_after: 0 };
    let mut all: Vec<OverlayBucket> = (0..=class(u64::MAX))
        .map(|k| OverlayBucket {
            from: k.checked_sub(1).and_then(edge).unwrap_or(0),
            to: if k == class(u64::MAX) { None } else { edge(k) },
            ..empty
        })
        .collect();
    for size in from.sizes() {
        let bucket = &mut all[class(size)];
        bucket.files_before += 1;
        bucket.bytes_before = bucket.bytes_before.saturating_add(size);
    }
    for size in to.sizes() {
        let bucket = &mut all[class(size)];
        bucket.files_after += 1;
        bucket.bytes_after = bucket.bytes_after.saturating_add(size);
    }
    let used = |b: &OverlayBucket| b.files_before + b.files_after > 0;
    let first = all.iter().position(used).unwrap_or(all.len());
    let last = all.iter().rposition(used).map_or(first, |l| l + 1);
    all.truncate(last);
    all.drain(..first.min(last));
    all
}

fn before_after<S: Serializer>(value: &(Option<u64>, Option<u64>), to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Pair {
        from: Option<u64>,
        to: Option<u64>,
    }
    Pair { from: value.0, to: value.1 }.serialize(to)
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
