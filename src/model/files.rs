//! The active files of one version, columnar and compact: a table can have millions.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use serde::Serialize;

use super::partition::PartitionDict;
use super::units::Millis;

mod change;

/// A file's deletion vector, as its add action describes it
/// (Delta protocol, "Deletion Vector Descriptor Schema").
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionVector {
    /// `u` (file beside the table, UUID-named), `p` (absolute path) or `i` (inline).
    pub storage_type: String,
    pub path_or_inline_dv: String,
    /// Start of the data in the file, bytes; none for inline vectors.
    pub offset: Option<i64>,
    /// Size of the serialised vector, bytes.
    pub size_in_bytes: i64,
    /// Rows that it deletes.
    pub cardinality: u64,
}

impl DeletionVector {
    /// The id that, with the path, is the key of a logical file (protocol: `uniqueId`).
    pub fn unique_id(&self) -> String {
        match self.offset {
            Some(offset) => format!("{}{}@{offset}", self.storage_type, self.path_or_inline_dv),
            None => format!("{}{}", self.storage_type, self.path_or_inline_dv),
        }
    }
}

/// A file's tags (`add.tags`).
pub type Tags = Vec<(String, Option<String>)>;

const UNKNOWN: u64 = u64::MAX;

/// A run of files in columns. Built once by [`ChunkBuilder`], then shared and never changed.
#[derive(Debug, Default)]
pub struct FileChunk {
    /// Apart, so that a list whose records come later shares it with the one without.
    base: Arc<Base>,
    /// `UNKNOWN` where the statistics lack `numRecords`; empty if records were not read.
    records: Box<[u64]>,
}

/// Everything but the records.
#[derive(Debug, Default, PartialEq)]
struct Base {
    path_bytes: Box<[u8]>,
    /// `path_ends[i]` is where path `i` ends in `path_bytes`.
    path_ends: Box<[u32]>,
    sizes: Box<[u64]>,
    modified: Box<[Millis]>,
    partitions: Box<[u32]>,
    /// (row, vector), ascending by row: few files have one.
    vectors: Box<[(u32, DeletionVector)]>,
    /// Indexes into `tag_sets`, plus one; empty if no file here has tags or tags were not read.
    tags: Box<[u32]>,
    tag_sets: Box<[Tags]>,
}

/// One file, borrowed from its chunk.
#[derive(Debug, Clone, Copy)]
pub struct FileRef<'a> {
    /// Path as in the log, percent-decoded; relative to the table, or absolute.
    pub path: &'a str,
    /// Bytes.
    pub size: u64,
    /// `modificationTime` of the add action.
    pub modified: Millis,
    /// `numRecords` of the statistics: rows before the deletion vector; none if unknown or not read.
    pub records: Option<u64>,
    /// Id in the list's [`PartitionDict`].
    pub partition: u32,
    pub deletion_vector: Option<&'a DeletionVector>,
    /// None if the file has no tags or they were not read.
    pub tags: Option<&'a Tags>,
}

impl FileRef<'_> {
    /// Rows that a query returns: `numRecords` less the deletion vector's cardinality.
    pub fn live_records(&self) -> Option<u64> {
        let deleted = self.deletion_vector.map_or(0, |dv| dv.cardinality);
        self.records.map(|n| n.saturating_sub(deleted))
    }
}

impl FileChunk {
    pub fn len(&self) -> usize {
        self.base.sizes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.base.sizes.is_empty()
    }

    pub fn path(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.base.path_ends[row - 1] as usize };
        let bytes = &self.base.path_bytes[start..self.base.path_ends[row] as usize];
        std::str::from_utf8(bytes).unwrap_or("\u{fffd}")
    }

    pub fn sizes(&self) -> &[u64] {
        &self.base.sizes
    }

    pub fn modified(&self) -> &[Millis] {
        &self.base.modified
    }

    pub fn partitions(&self) -> &[u32] {
        &self.base.partitions
    }

    /// `numRecords` of a row; none if unknown or not read.
    pub fn records(&self, row: usize) -> Option<u64> {
        self.records.get(row).copied().filter(|n| *n != UNKNOWN)
    }

    /// The chunk, sharing its memory with one that holds the same files.
    #[must_use]
    pub fn sharing(self, other: &FileChunk) -> FileChunk {
        if self.base == other.base { FileChunk { base: other.base.clone(), ..self } } else { self }
    }

    pub fn deletion_vector(&self, row: usize) -> Option<&DeletionVector> {
        if self.base.vectors.is_empty() {
            return None;
        }
        let at = self.base.vectors.binary_search_by_key(&(row as u32), |(r, _)| *r).ok()?;
        Some(&self.base.vectors[at].1)
    }

    pub fn get(&self, row: usize) -> FileRef<'_> {
        FileRef {
            path: self.path(row),
            size: self.base.sizes[row],
            modified: self.base.modified[row],
            records: self.records(row),
            partition: self.base.partitions[row],
            deletion_vector: self.deletion_vector(row),
            tags: self.base.tags.get(row).and_then(|t| self.base.tag_sets.get((*t as usize).checked_sub(1)?)),
        }
    }

    /// Bytes of memory that the chunk holds.
    pub fn heap_bytes(&self) -> usize {
        let vectors: usize = self
            .base
            .vectors
            .iter()
            .map(|(_, v)| {
                size_of::<(u32, DeletionVector)>() + v.storage_type.len() + v.path_or_inline_dv.len()
            })
            .sum();
        let tags: usize = self
            .base
            .tag_sets
            .iter()
            .flatten()
            .map(|(k, v)| 2 * size_of::<String>() + k.len() + v.as_ref().map_or(0, String::len))
            .sum();
        self.base.path_bytes.len()
            + 4 * (self.base.path_ends.len() + self.base.partitions.len() + self.base.tags.len())
            + 8 * (self.base.sizes.len() + self.base.modified.len() + self.records.len())
            + vectors
            + tags
    }
}

/// Collects files into a [`FileChunk`]. A chunk's paths must stay below 4 GiB in all; keep chunks
/// at some ten thousand files.
#[derive(Debug, Default)]
pub struct ChunkBuilder {
    path_bytes: Vec<u8>,
    path_ends: Vec<u32>,
    sizes: Vec<u64>,
    modified: Vec<Millis>,
    records: Vec<u64>,
    with_records: bool,
    partitions: Vec<u32>,
    vectors: Vec<(u32, DeletionVector)>,
    tags: Vec<u32>,
    tag_sets: Vec<Tags>,
    tag_ids: HashMap<Tags, u32, FxBuildHasher>,
}

/// A file as it is given to [`ChunkBuilder::push`].
#[derive(Debug, Clone, Default)]
pub struct NewFile<'a> {
    /// Percent-decoded.
    pub path: &'a str,
    pub size: u64,
    pub modified: Millis,
    pub records: Option<u64>,
    /// Id in the list's [`PartitionDict`].
    pub partition: u32,
    pub deletion_vector: Option<DeletionVector>,
    /// None if there are none or they were not read.
    pub tags: Option<Tags>,
}

impl ChunkBuilder {
    /// `with_records`: the statistics are read, so that `records` means something.
    pub fn new(with_records: bool, capacity: usize) -> Self {
        ChunkBuilder {
            path_bytes: Vec::with_capacity(capacity * 80),
            path_ends: Vec::with_capacity(capacity),
            sizes: Vec::with_capacity(capacity),
            modified: Vec::with_capacity(capacity),
            records: Vec::with_capacity(if with_records { capacity } else { 0 }),
            with_records,
            partitions: Vec::with_capacity(capacity),
            ..ChunkBuilder::default()
        }
    }

    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    pub fn push(&mut self, file: NewFile<'_>) {
        let row = self.sizes.len() as u32;
        self.path_bytes.extend_from_slice(file.path.as_bytes());
        self.path_ends.push(self.path_bytes.len() as u32);
        self.sizes.push(file.size);
        self.modified.push(file.modified);
        if self.with_records {
            self.records.push(file.records.unwrap_or(UNKNOWN));
        }
        self.partitions.push(file.partition);
        if let Some(dv) = file.deletion_vector {
            self.vectors.push((row, dv));
        }
        if let Some(tags) = file.tags.filter(|t| !t.is_empty()) {
            let id = self.tag_set(tags);
            self.tags.resize(row as usize, 0);
            self.tags.push(id);
        }
    }

    /// The index plus one of these tags.
    fn tag_set(&mut self, tags: Tags) -> u32 {
        let next = self.tag_sets.len() as u32 + 1;
        let id = *self.tag_ids.entry(tags.clone()).or_insert(next);
        if id == next {
            self.tag_sets.push(tags);
        }
        id
    }

    /// Replaces each partition id by what `ids` has at its place.
    pub fn renumber_partitions(&mut self, ids: &[u32]) {
        for id in &mut self.partitions {
            *id = ids.get(*id as usize).copied().unwrap_or(*id);
        }
    }

    /// Drops the files whose `keep` is false.
    pub fn retain(&mut self, keep: &[bool]) {
        if keep.iter().all(|k| *k) {
            return;
        }
        let old = std::mem::take(self);
        let with_records = old.with_records;
        let mut vectors = old.vectors.into_iter().peekable();
        *self = ChunkBuilder { with_records, ..ChunkBuilder::default() };
        let mut start = 0;
        for (row, end) in old.path_ends.iter().enumerate() {
            let path = &old.path_bytes[start..*end as usize];
            start = *end as usize;
            let vector = vectors.next_if(|(r, _)| *r as usize == row);
            if !keep.get(row).copied().unwrap_or(true) {
                continue;
            }
            let new_row = self.sizes.len();
            self.path_bytes.extend_from_slice(path);
            self.path_ends.push(self.path_bytes.len() as u32);
            self.sizes.push(old.sizes[row]);
            self.modified.push(old.modified[row]);
            self.records.extend(old.records.get(row));
            self.partitions.push(old.partitions[row]);
            self.vectors.extend(vector.map(|(_, v)| (new_row as u32, v)));
            if let Some(id) = old.tags.get(row).filter(|id| **id > 0) {
                let set = old.tag_sets.get(*id as usize - 1).cloned().unwrap_or_default();
                let id = self.tag_set(set);
                self.tags.resize(new_row, 0);
                self.tags.push(id);
            }
        }
    }

    /// Adds the files of `other` after its own. Both must have records, or neither.
    pub fn append(&mut self, other: ChunkBuilder) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let (rows, bytes) = (self.sizes.len() as u32, self.path_bytes.len() as u32);
        self.path_bytes.extend_from_slice(&other.path_bytes);
        self.path_ends.extend(other.path_ends.iter().map(|end| end + bytes));
        self.sizes.extend(other.sizes);
        self.modified.extend(other.modified);
        self.records.extend(other.records);
        self.partitions.extend(other.partitions);
        self.vectors.extend(other.vectors.into_iter().map(|(row, v)| (row + rows, v)));
        if !other.tags.is_empty() {
            self.tags.resize(rows as usize, 0);
            let ids: Vec<u32> = other.tag_sets.into_iter().map(|t| self.tag_set(t)).collect();
            let renumbered = other.tags.iter().map(|t| t.checked_sub(1).map_or(0, |i| ids[i as usize]));
            self.tags.extend(renumbered);
        }
    }

    /// Bytes of all paths so far.
    pub fn path_bytes(&self) -> usize {
        self.path_bytes.len()
    }

    pub fn finish(mut self) -> FileChunk {
        if !self.tags.is_empty() {
            self.tags.resize(self.sizes.len(), 0);
        }
        let base = Base {
            path_bytes: self.path_bytes.into(),
            path_ends: self.path_ends.into(),
            sizes: self.sizes.into(),
            modified: self.modified.into(),
            partitions: self.partitions.into(),
            vectors: self.vectors.into(),
            tags: self.tags.into(),
            tag_sets: self.tag_sets.into(),
        };
        FileChunk { base: Arc::new(base), records: self.records.into() }
    }
}

/// The files of one version, in chunks that are shared: a clone is cheap, so that a growing list
/// can be shown while the rest is read.
#[derive(Debug, Clone, Default)]
pub struct FileList {
    chunks: Vec<Arc<FileChunk>>,
    /// `ends[i]`: index after the last file of chunk `i`.
    ends: Vec<usize>,
    pub partitions: Arc<PartitionDict>,
    /// Whether `numRecords` was read (for each file it may still be unknown).
    pub has_records: bool,
    /// Whether tags were read.
    pub has_tags: bool,
}

impl FileList {
    pub fn new(partitions: Arc<PartitionDict>, has_records: bool, has_tags: bool) -> Self {
        FileList { partitions, has_records, has_tags, ..FileList::default() }
    }

    pub fn push_chunk(&mut self, chunk: Arc<FileChunk>) {
        if !chunk.is_empty() {
            self.ends.push(self.len() + chunk.len());
            self.chunks.push(chunk);
        }
    }

    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn chunks(&self) -> &[Arc<FileChunk>] {
        &self.chunks
    }

    /// The chunk that holds file `index`, and its row there. Panics if out of range.
    pub fn locate(&self, index: usize) -> (&FileChunk, usize) {
        let at = self.ends.partition_point(|end| *end <= index);
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        (&self.chunks[at], index - start)
    }

    /// File `index`. Panics if out of range.
    pub fn get(&self, index: usize) -> FileRef<'_> {
        let (chunk, row) = self.locate(index);
        chunk.get(row)
    }

    pub fn iter(&self) -> impl Iterator<Item = FileRef<'_>> {
        self.chunks.iter().flat_map(|c| (0..c.len()).map(move |row| c.get(row)))
    }

    /// The sizes in bytes of all files, in list order.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().flat_map(|c| c.sizes().iter().copied())
    }

    /// Index ranges of the chunks, for work done chunk by chunk.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(a, b)| a..b)
    }

    /// Bytes of memory that the list holds.
    pub fn heap_bytes(&self) -> usize {
        self.chunks.iter().map(|c| c.heap_bytes()).sum::<usize>() + self.partitions.heap_bytes()
    }
}

#[cfg(test)]
mod tests;
