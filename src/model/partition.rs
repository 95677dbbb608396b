//! Partition values, kept once however many files share them.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

/// The values of a file's partition columns, in the order of the table's partition columns.
/// None is null; the protocol makes an empty string null.
pub type PartitionValues = Box<[Option<Arc<str>>]>;

/// Sorts values as people expect it: null, then whole numbers by their size, then texts.
pub fn value_key(value: Option<&str>) -> (Option<(bool, i64)>, Option<&str>) {
    let number = value.map(|v| v.parse::<i64>().map_or((true, 0), |n| (false, n)));
    (number, value)
}

/// Compares by [`value_key`], value by value.
pub fn compare_tuples(a: &[Option<Arc<str>>], b: &[Option<Arc<str>>]) -> Ordering {
    let each = a.iter().zip(b).map(|(a, b)| value_key(a.as_deref()).cmp(&value_key(b.as_deref())));
    each.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
}

/// Each combination of partition values of a table, numbered in the order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct PartitionDict {
    columns: Arc<[String]>,
    tuples: Vec<PartitionValues>,
    ids: HashMap<PartitionValues, u32, FxBuildHasher>,
    /// Whether the log writes a null as an empty string somewhere; here it is a null all the same.
    pub empty_texts: bool,
}

impl PartitionDict {
    /// For a table with these partition columns (logical names). A table without any has one
    /// empty combination, id 0.
    pub fn new(columns: impl Into<Arc<[String]>>) -> Self {
        let mut dict = PartitionDict { columns: columns.into(), ..PartitionDict::default() };
        if dict.columns.is_empty() {
            dict.intern(&[]);
        }
        dict
    }

    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub fn len(&self) -> usize {
        self.tuples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tuples.is_empty()
    }

    /// The id of these values; a new one if they were not met before.
    pub fn intern(&mut self, values: &[Option<Arc<str>>]) -> u32 {
        if let Some(id) = self.ids.get(values) {
            return *id;
        }
        let id = self.tuples.len() as u32;
        self.tuples.push(values.into());
        self.ids.insert(values.into(), id);
        id
    }

    /// The values with this id; none of an id that was never given out.
    pub fn values(&self, id: u32) -> &[Option<Arc<str>>] {
        self.tuples.get(id as usize).map_or(&[], |t| &t[..])
    }

    /// `a=1/b=null`, for lists; empty for a table without partitions. Not cleaned for the terminal.
    pub fn label(&self, id: u32) -> String {
        let mut out = String::new();
        for (column, value) in self.columns.iter().zip(self.values(id)) {
            if !out.is_empty() {
                out.push('/');
            }
            out.push_str(column);
            out.push('=');
            out.push_str(value.as_deref().unwrap_or("null"));
        }
        out
    }

    /// Bytes of memory that the dictionary holds, roughly.
    pub fn heap_bytes(&self) -> usize {
        let values: usize = self.tuples.iter().flat_map(|t| t.iter()).flatten().map(|v| v.len() + 16).sum();
        values + self.tuples.len() * (2 * self.columns.len() * 16 + 48)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_order_of_their_size() {
        let mut values = [Some("b"), Some("10"), None, Some("9"), Some("-1"), Some("a"), Some("09")];
        values.sort_by_key(|v| value_key(*v));
        assert_eq!(values, [None, Some("-1"), Some("09"), Some("9"), Some("10"), Some("a"), Some("b")]);
    }
}
