//! The remove actions of a state (tombstones), as far as they are needed: counted, and known again
//! when a later commit names the same file.

use rustc_hash::FxHashSet;

use super::key::{KeySet, hash};
use crate::model::table::Tombstones;

/// The removed files: a hash of each one's key, and its size; sixteen bytes a file. Two of a million
/// keys share a hash once in tens of millions of tables.
#[derive(Debug, Clone, Default)]
pub struct Removed(Vec<(u64, u64)>);

/// Stands for a size that the remove does not state.
const UNKNOWN: u64 = u64::MAX;

impl Removed {
    pub fn push(&mut self, key: &[u8], size: Option<u64>) {
        self.0.push((hash(key), size.unwrap_or(UNKNOWN)));
    }

    pub fn append(&mut self, mut more: Removed) {
        self.0.append(&mut more.0);
    }

    /// Those that no newer action names.
    #[must_use]
    pub fn without(&self, newer: &KeySet) -> Removed {
        let newer: FxHashSet<u64> = newer.hashes().collect();
        Removed(self.0.iter().filter(|(hash, _)| !newer.contains(hash)).copied().collect())
    }

    /// Whether any of them has one of these keys.
    pub fn meets(&self, keys: &KeySet) -> bool {
        let keys: FxHashSet<u64> = keys.hashes().collect();
        self.0.iter().any(|(hash, _)| keys.contains(hash))
    }

    pub fn count(&self) -> Tombstones {
        let mut sum = Tombstones { files: self.0.len() as u64, ..Tombstones::default() };
        for (_, size) in &self.0 {
            match *size {
                UNKNOWN => sum.without_size += 1,
                size => sum.bytes = sum.bytes.saturating_add(size),
            }
        }
        sum
    }
}
