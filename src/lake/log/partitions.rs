//! Partition values of many files: found by physical name, and numbered.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::model::partition::PartitionDict;
use crate::model::table::Metadata;

/// Numbers the partition values of one batch of files, apart from other batches that are read at
/// the same time; [`PartitionNumbers::merge_into`] brings them together.
#[derive(Debug)]
pub struct PartitionNumbers {
    /// Physical names of the partition columns.
    columns: Arc<[String]>,
    /// Values as bytes, see `finish_row`, to their number.
    ids: HashMap<Box<[u8]>, u32, FxBuildHasher>,
    tuples: Vec<Box<[Option<Arc<str>>]>>,
    /// The row that is being put together: a range of `text` for each column.
    row: Vec<Option<(usize, usize)>>,
    text: Vec<u8>,
    scratch: Vec<u8>,
    /// Whether a null is written as an empty string.
    empty_texts: bool,
}

impl PartitionNumbers {
    pub fn new(columns: Arc<[String]>) -> Self {
        let row = vec![None; columns.len()];
        PartitionNumbers {
            columns,
            ids: HashMap::default(),
            tuples: Vec::new(),
            row,
            text: Vec::new(),
            scratch: Vec::new(),
            empty_texts: false,
        }
    }

    /// Begins with the next file: all values are null.
    pub fn start_row(&mut self) {
        self.row.fill(None);
        self.text.clear();
    }

    /// A value of the current file. Names that are no partition column are ignored; an empty
    /// value is null (protocol, "Partition Value Serialization").
    pub fn set(&mut self, physical_name: &str, value: Option<&str>) {
        let Some(at) = self.columns.iter().position(|c| c == physical_name) else {
            return;
        };
        self.empty_texts |= value == Some("");
        self.row[at] = value.filter(|v| !v.is_empty()).map(|v| {
            let start = self.text.len();
            self.text.extend_from_slice(v.as_bytes());
            (start, self.text.len())
        });
    }

    /// The number of the current file's values.
    pub fn finish_row(&mut self) -> u32 {
        self.scratch.clear();
        for value in &self.row {
            // 0 for null, else the length plus one, then the bytes: no two rows look alike.
            let length = value.map_or(0, |(start, end)| (end - start + 1) as u64);
            self.scratch.extend_from_slice(&length.to_le_bytes());
            if let Some((start, end)) = value {
                self.scratch.extend_from_slice(&self.text[*start..*end]);
            }
        }
        if let Some(id) = self.ids.get(&self.scratch[..]) {
            return *id;
        }
        let text = |(start, end): (usize, usize)| {
            Arc::from(String::from_utf8_lossy(&self.text[start..end]).as_ref())
        };
        let id = self.tuples.len() as u32;
        self.tuples.push(self.row.iter().map(|v| v.map(text)).collect());
        self.ids.insert(self.scratch.as_slice().into(), id);
        id
    }

    /// Adds the values to the table's dictionary: the number there of each number here.
    pub fn merge_into(&self, dict: &mut PartitionDict) -> Vec<u32> {
        dict.empty_texts |= self.empty_texts;
        self.tuples.iter().map(|t| dict.intern(t)).collect()
    }
}

/// The names of the partition columns in `partitionValues`: physical ones under column mapping.
pub fn physical_columns(metadata: &Metadata) -> Arc<[String]> {
    let mapped = metadata.configuration.get("delta.columnMapping.mode").is_some_and(|m| m != "none");
    let physical = |name: &String| match metadata.column(name) {
        Some(field) if mapped => field.physical_name().to_owned(),
        _ => name.clone(),
    };
    metadata.partition_columns.iter().map(physical).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_come_together() {
        let columns: Arc<[String]> = Arc::from(["a".to_owned(), "b".to_owned()]);
        let mut dict = PartitionDict::new(columns.clone());
        let mut number = |rows: &[&[(&str, Option<&str>)]]| {
            let mut batch = PartitionNumbers::new(columns.clone());
            let mut ids = Vec::new();
            for row in rows {
                batch.start_row();
                row.iter().for_each(|(k, v)| batch.set(k, *v));
                ids.push(batch.finish_row());
            }
            let map = batch.merge_into(&mut dict);
            ids.into_iter().map(|id| map[id as usize]).collect::<Vec<_>>()
        };
        let first =
            number(&[&[("a", Some("1")), ("b", Some("2"))], &[("b", Some("2")), ("a", Some("1"))], &[]]);
        assert_eq!(first, [0, 0, 1]);
        let second =
            number(&[&[("a", Some("")), ("c", Some("x"))], &[("a", Some("12"))], &[("a", Some("1"))]]);
        assert_eq!(second, [1, 2, 3]);
        assert_eq!(dict.label(2), "a=12/b=null");
    }
}
