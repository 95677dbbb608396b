//! Finds files of a list by their key, in little memory: a hash and an index for each file.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::files::{FileList, FileRef};

/// The files of a list by (path, deletion-vector id), each of which can be taken once.
pub(super) struct FileIndex<'a> {
    list: &'a FileList,
    /// The first file with a hash.
    first: FxHashMap<u64, u32>,
    /// Further files with a hash that an earlier one has.
    more: FxHashMap<u64, Vec<u32>>,
    taken: Vec<bool>,
    vectors: bool,
}

impl<'a> FileIndex<'a> {
    /// A list has fewer than 2^32 files: that many would not fit in memory.
    pub(super) fn of(list: &'a FileList) -> Self {
        let mut out = FileIndex {
            list,
            first: FxHashMap::default(),
            more: FxHashMap::default(),
            taken: vec![false; list.len()],
            vectors: false,
        };
        out.first.reserve(list.len());
        for (at, file) in list.iter().enumerate() {
            out.vectors |= file.deletion_vector.is_some();
            let hash = hash(&file);
            match out.first.entry(hash) {
                Entry::Vacant(slot) => drop(slot.insert(at as u32)),
                Entry::Occupied(_) => out.more.entry(hash).or_default().push(at as u32),
            }
        }
        out
    }

    /// Whether a file of the list has a deletion vector.
    pub(super) fn has_vectors(&self) -> bool {
        self.vectors
    }

    /// The file with the same key, unless it was taken before.
    pub(super) fn take(&mut self, file: &FileRef<'_>) -> Option<FileRef<'a>> {
        let hash = hash(file);
        let first = self.first.get(&hash)?;
        let more = self.more.get(&hash).into_iter().flatten();
        for at in std::iter::once(first).chain(more).map(|at| *at as usize) {
            let found = self.list.get(at);
            if !self.taken[at] && key(&found) == key(file) {
                self.taken[at] = true;
                return Some(found);
            }
        }
        None
    }

    /// The files that were not taken, in list order.
    pub(super) fn left(&self) -> impl Iterator<Item = FileRef<'a>> {
        self.list.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(file, _)| file)
    }
}

/// The key of a logical file: its path and the parts of its vector's `uniqueId` (Delta protocol,
/// "Action Reconciliation").
fn key<'a>(file: &FileRef<'a>) -> impl Hash + PartialEq + use<'a> {
    (file.path, file.deletion_vector.map(|v| (&*v.storage_type, &*v.path_or_inline_dv, v.offset)))
}

fn hash(file: &FileRef<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    key(file).hash(&mut hasher);
    hasher.finish()
}
