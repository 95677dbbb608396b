//! What identifies a logical file: its canonical path and its deletion vector's id
//! (protocol, "Action Reconciliation").

use std::borrow::Cow;
use std::hash::Hasher;

use percent_encoding::{AsciiSet, CONTROLS};
use rustc_hash::FxHasher;

use crate::model::files::DeletionVector;

/// What a path in the log must have encoded (protocol: paths are URIs, RFC 2396). The `/` stays.
pub const IN_URI: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The path that an action means: percent-decoded (protocol: paths are URI-encoded). A path that
/// would not be text then stays as it is.
pub fn decode_path(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    percent_encoding::percent_decode_str(path).decode_utf8().unwrap_or(Cow::Borrowed(path))
}

/// `file:/x`, `file:///x` and `/x` are one file.
fn canonical(path: &str) -> &str {
    match path.strip_prefix("file:") {
        Some(rest) if rest.starts_with("///") => &rest[2..],
        Some(rest) if rest.starts_with('/') && !rest.starts_with("//") => rest,
        _ => path,
    }
}

/// Whether the set holds the key of a file. `path` is decoded; `scratch` is overwritten.
pub fn holds(set: &KeySet, path: &str, vector: Option<VectorId<'_>>, scratch: &mut Vec<u8>) -> bool {
    if set.is_empty() {
        return false;
    }
    if vector.is_none() {
        return set.contains(canonical(path).as_bytes());
    }
    write_key(scratch, path, vector);
    set.contains(scratch)
}

/// A path of an action as one compares it: decoded, and `file:` URIs as plain paths.
pub fn comparable(path: &str) -> String {
    let decoded = decode_path(path);
    canonical(&decoded).to_owned()
}

/// As [`comparable`], of a path that is decoded already.
pub fn comparable_decoded(path: &str) -> String {
    canonical(path).to_owned()
}

/// Puts the key of a file together in `out`. `path` is decoded.
pub fn write_key(out: &mut Vec<u8>, path: &str, vector: Option<VectorId<'_>>) {
    out.clear();
    out.extend_from_slice(canonical(path).as_bytes());
    if let Some(vector) = vector {
        // A byte that no UTF-8 text holds.
        out.push(0xff);
        out.extend_from_slice(vector.storage_type.as_bytes());
        out.extend_from_slice(vector.path_or_inline.as_bytes());
        if let Some(offset) = vector.offset {
            out.push(b'@');
            out.extend_from_slice(offset.to_string().as_bytes());
        }
    }
}

/// The parts of a deletion vector's unique id.
#[derive(Debug, Clone, Copy)]
pub struct VectorId<'a> {
    pub storage_type: &'a str,
    pub path_or_inline: &'a str,
    pub offset: Option<i64>,
}

/// The id of a vector that was read.
pub fn id(vector: &DeletionVector) -> VectorId<'_> {
    VectorId {
        storage_type: &vector.storage_type,
        path_or_inline: &vector.path_or_inline_dv,
        offset: vector.offset,
    }
}

/// Keys one after the other.
#[derive(Debug, Default)]
pub struct KeyList {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl KeyList {
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    pub fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |i| self.ends[i]);
        &self.bytes[start..self.ends[index]]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// A set of keys, numbered in the order in which they came: an open-addressing table over a
/// [`KeyList`], some twenty bytes a key beyond the key.
#[derive(Debug, Default)]
pub struct KeySet {
    keys: KeyList,
    /// At most half full. The length is a power of two.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// Upper half of the key's hash: most keys that are not there are told by it alone.
    tag: u32,
    /// Index of a key plus one; 0 is free.
    index: u32,
}

impl KeySet {
    pub fn is_empty(&self) -> bool {
        self.keys.len() == 0
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn contains(&self, key: &[u8]) -> bool {
        self.find(key).is_some()
    }

    /// The number of a key.
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(key, hash(key))].index.checked_sub(1)
    }

    /// Whether the key was not there before.
    pub fn insert(&mut self, key: &[u8]) -> bool {
        let before = self.len();
        self.number(key) as usize == before
    }

    /// The number of a key, which is added if it is not there.
    pub fn number(&mut self, key: &[u8]) -> u32 {
        if (self.keys.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash(key);
        let slot = self.slot(key, hash);
        if let Some(index) = self.slots[slot].index.checked_sub(1) {
            return index;
        }
        self.keys.push(key);
        let index = self.keys.len() as u32;
        self.slots[slot] = Slot { tag: tag(hash), index };
        index - 1
    }

    /// The keys' hashes.
    pub fn hashes(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|at| hash(self.keys.get(at)))
    }

    /// The keys, by number.
    pub fn keys(&self) -> &KeyList {
        &self.keys
    }

    /// The slot that holds the key, or the free one where it belongs.
    fn slot(&self, key: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.index == 0 || (slot.tag == tag(hash) && self.keys.get(slot.index as usize - 1) == key) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots = vec![Slot::default(); size];
        for i in 0..self.keys.len() {
            let hash = hash(self.keys.get(i));
            let mut at = hash as usize & (size - 1);
            while self.slots[at].index != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = Slot { tag: tag(hash), index: i as u32 + 1 };
        }
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// A hash of a key, the same in every run.
pub fn hash(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_key() {
        let key = |path: &str| {
            let mut out = Vec::new();
            write_key(&mut out, &decode_path(path), None);
            out
        };
        assert_eq!(key("/a b"), key("file:/a%20b"));
        assert_eq!(key("/a b"), key("file:///a%20b"));
        assert_ne!(key("/a"), key("file://host/a"));
        assert_ne!(key("a"), key("/a"));
        assert_eq!(decode_path("100%"), "100%");
        assert_eq!(decode_path("x%ff"), "x%ff");
        let vector = VectorId { storage_type: "u", path_or_inline: "ab", offset: Some(1) };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        write_key(&mut a, "f", Some(vector));
        write_key(&mut b, "f", Some(VectorId { offset: None, ..vector }));
        assert_ne!(a, b);
    }

    #[test]
    fn sets_grow() {
        let mut set = KeySet::default();
        assert!(!set.contains(b"0"));
        for i in 0..1000 {
            assert!(set.insert(i.to_string().as_bytes()));
        }
        for i in 0..1000 {
            assert!(set.contains(i.to_string().as_bytes()));
            assert!(!set.insert(i.to_string().as_bytes()));
        }
        assert!(!set.contains(b"1000"));
    }
}
