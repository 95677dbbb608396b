//! Partition values of many files: found by physical name, and numbered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::key::KeySet;
use crate::model::files::ChunkBuilder;
use crate::model::partition::PartitionDict;
use crate::model::table::Metadata;

/// A table's partition values while its files are read: one dictionary that all threads share.
#[derive(Debug, Clone)]
pub struct Partitions {
    /// Physical names of the partition columns.
    columns: Arc<[String]>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug)]
struct Shared {
    dict: PartitionDict,
    known: KeySet,
    /// For each known one its id in the dictionary.
    ids: Vec<u32>,
    /// What threads have given back: whoever comes next need not begin anew.
    idle: Vec<PartitionNumbers>,
}

impl Partitions {
    /// `dict` may hold values already, as when more files come to a list.
    pub fn new(metadata: &Metadata, dict: PartitionDict) -> Self {
        Self::with_columns(physical_columns(metadata), dict)
    }

    fn with_columns(columns: Arc<[String]>, dict: PartitionDict) -> Self {
        let shared = Shared { dict, known: KeySet::default(), ids: Vec::new(), idle: Vec::new() };
        Partitions { columns, shared: Arc::new(Mutex::new(shared)) }
    }

    /// For one thread; to be given back.
    pub fn borrow(&self) -> PartitionNumbers {
        let idle = self.lock().idle.pop();
        idle.unwrap_or_else(|| PartitionNumbers::new(self.columns.clone()))
    }

    pub fn give_back(&self, numbers: PartitionNumbers) {
        self.lock().idle.push(numbers);
    }

    /// Brings the numbers of a batch's files to the dictionary's.
    pub fn settle(&self, numbers: &mut PartitionNumbers, files: &mut ChunkBuilder) {
        let mut shared = self.lock();
        let Shared { dict, known, ids, .. } = &mut *shared;
        dict.empty_texts |= numbers.empty_texts;
        let tuples = numbers.tuples.keys();
        for at in numbers.settled.len()..tuples.len() {
            let tuple = tuples.get(at);
            let number = known.number(tuple) as usize;
            if number == ids.len() {
                ids.push(dict.intern(&decode(tuple)));
            }
            numbers.settled.push(ids[number]);
        }
        drop(shared);
        files.renumber_partitions(&numbers.settled);
    }

    /// The values met so far.
    pub fn dict(&self) -> PartitionDict {
        self.lock().dict.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic ends the reading, whatever state this is in.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Numbers the partition values of files, apart from other threads.
#[derive(Debug)]
pub struct PartitionNumbers {
    columns: Arc<[String]>,
    /// Values as bytes, see [`encode`].
    tuples: KeySet,
    /// The dictionary's ids of the first tuples.
    settled: Vec<u32>,
    /// Rows as they stand in a checkpoint, and the number of each one's values.
    raw: KeySet,
    raw_ids: Vec<u32>,
    /// The row that is being put together: a range of `text` for each column.
    row: Vec<Option<(usize, usize)>>,
    text: Vec<u8>,
    scratch: Vec<u8>,
    /// Whether a null is written as an empty string.
    empty_texts: bool,
}

impl PartitionNumbers {
    fn new(columns: Arc<[String]>) -> Self {
        let row = vec![None; columns.len()];
        PartitionNumbers {
            columns,
            tuples: KeySet::default(),
            settled: Vec::new(),
            raw: KeySet::default(),
            raw_ids: Vec::new(),
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
            encode(&mut self.scratch, value.and_then(|(start, end)| self.text.get(start..end)));
        }
        self.tuples.number(&self.scratch)
    }

    /// The number of a whole row. Rows that look alike, names included, are taken apart only once.
    pub fn number<'a>(&mut self, row: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> u32 {
        self.scratch.clear();
        for (name, value) in row.clone() {
            encode(&mut self.scratch, Some(name.as_bytes()));
            encode(&mut self.scratch, value.map(str::as_bytes));
        }
        if let Some(id) = self.raw.find(&self.scratch).and_then(|n| self.raw_ids.get(n as usize)) {
            return *id;
        }
        self.raw.number(&self.scratch);
        self.start_row();
        row.for_each(|(name, value)| self.set(name, value));
        let id = self.finish_row();
        self.raw_ids.push(id);
        id
    }
}

/// Appends a value so that no two sequences of values look alike: 0 for null, else the length plus
/// one, then the bytes.
fn encode(out: &mut Vec<u8>, value: Option<&[u8]>) {
    let length = value.map_or(0, |v| v.len() as u32 + 1);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(value.unwrap_or_default());
}

/// The values that were encoded one after the other.
fn decode(mut bytes: &[u8]) -> Vec<Option<Arc<str>>> {
    let mut values = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length).checked_sub(1);
        let (value, rest) = rest.split_at_checked(length.unwrap_or(0) as usize).unwrap_or((rest, &[]));
        values.push(length.map(|_| String::from_utf8_lossy(value).into()));
        bytes = rest;
    }
    values
}

/// The names of the partition columns in `partitionValues`: physical ones under column mapping.
fn physical_columns(metadata: &Metadata) -> Arc<[String]> {
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
    use crate::model::files::NewFile;

    #[test]
    fn batches_come_together() {
        let columns: Arc<[String]> = Arc::from(["a".to_owned(), "b".to_owned()]);
        let partitions = Partitions::with_columns(columns.clone(), PartitionDict::new(columns));
        let number = |rows: &[&[(&str, Option<&str>)]]| {
            let mut batch = partitions.borrow();
            let mut files = ChunkBuilder::new(false, 0);
            for row in rows {
                batch.start_row();
                row.iter().for_each(|(k, v)| batch.set(k, *v));
                let partition = batch.finish_row();
                assert_eq!(batch.number(row.iter().copied()), partition);
                assert_eq!(batch.number(row.iter().copied()), partition, "when it is known");
                files.push(NewFile { partition, ..NewFile::default() });
            }
            partitions.settle(&mut batch, &mut files);
            partitions.give_back(batch);
            files.finish().partitions().to_vec()
        };
        let first =
            number(&[&[("a", Some("1")), ("b", Some("2"))], &[("b", Some("2")), ("a", Some("1"))], &[]]);
        assert_eq!(first, [0, 0, 1]);
        let second =
            number(&[&[("a", Some("")), ("c", Some("x"))], &[("a", Some("12"))], &[("a", Some("1"))]]);
        assert_eq!(second, [1, 2, 3]);
        assert_eq!(partitions.dict().label(2), "a=12/b=null");
    }
}
