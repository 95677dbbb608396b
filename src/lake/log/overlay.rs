//! File actions of commits, newest first: the first word on a file is the last one
//! (protocol, "Action Reconciliation").

use bytes::Bytes;

use super::Want;
use super::action::{self, FileLine};
use super::checkpoint::files::Piece;
use super::key::{KeyList, KeySet, VectorId, decode_path, write_key};
use super::lines::{self, BadLine};
use super::partitions::PartitionNumbers;
use super::read::Reading;
use super::removed::Removed;
use super::segment::TailFile;
use super::stats;
use super::tail::bad_commit;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::files::{ChunkBuilder, NewFile};
use crate::model::stats::StatsTable;

/// Lines that hold no file action.
const SKIP: [&str; 6] =
    ["{\"commitInfo\"", "{\"cdc\"", "{\"metaData\"", "{\"protocol\"", "{\"txn\"", "{\"domainMetadata\""];

/// The file actions of some commits, the newest first.
pub struct Batch {
    files: ChunkBuilder,
    stats: Option<StatsTable>,
    keys: KeyList,
    /// One for each key.
    ops: Vec<Op>,
    odd_sizes: u64,
}

enum Op {
    /// The next row of `files`.
    Add,
    Remove {
        size: Option<u64>,
    },
}

impl Batch {
    /// Parses commits, which are given newest first.
    pub fn parse(commits: &[(TailFile, Bytes)], reading: &Reading, watch: &Watch) -> Outcome<Batch> {
        let mut batch = Batch {
            files: ChunkBuilder::new(reading.want.records, 0),
            stats: reading.stats.as_deref().map(StatsTable::part),
            keys: KeyList::default(),
            ops: Vec::new(),
            odd_sizes: 0,
        };
        let mut numbers = reading.partitions.borrow();
        let mut key = Vec::new();
        for (file, bytes) in commits {
            watch.check()?;
            let (lines, bad) = lines::parse::<FileLine<'_>>(bytes, &SKIP);
            if let Some(bad) = bad {
                return Err(bad_commit(&file.name, &bad));
            }
            for line in lines.into_iter().rev() {
                batch.line(&line, reading.want, &mut numbers, &mut key).map_err(|why| {
                    bad_commit(&file.name, &BadLine { line: line_without_path(bytes), why: why.into() })
                })?;
            }
        }
        reading.partitions.settle(&mut numbers, &mut batch.files);
        reading.partitions.give_back(numbers);
        Ok(batch)
    }

    fn line(
        &mut self,
        line: &FileLine<'_>,
        want: Want,
        numbers: &mut PartitionNumbers,
        key: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        if let Some(remove) = &line.remove {
            let path = remove.path.0.as_deref().ok_or("a remove action without a path")?;
            write_key(key, &decode_path(path), remove.deletion_vector.as_ref().map(vector_id));
            self.keys.push(key);
            self.ops.push(Op::Remove { size: remove.size.natural() });
        }
        if let Some(add) = &line.add {
            let path = decode_path(add.path.0.as_deref().ok_or("an add action without a path")?);
            write_key(key, &path, add.deletion_vector.as_ref().map(vector_id));
            self.keys.push(key);
            self.ops.push(Op::Add);
            numbers.start_row();
            for (name, value) in &add.partition_values.0 {
                numbers.set(name, value.0.as_deref());
            }
            self.odd_sizes += u64::from(add.size.natural().is_none());
            if let Some(table) = &mut self.stats {
                table.push_json(stats::text(add.stats).as_deref());
            }
            let stats = add.stats.filter(|_| want.records);
            self.files.push(NewFile {
                path: &path,
                size: add.size.natural().unwrap_or(0),
                modified: add.modification_time.value().unwrap_or(0),
                records: stats.and_then(|s| stats::num_records_escaped(s.get())),
                partition: numbers.finish_row(),
                deletion_vector: add.deletion_vector.as_ref().map(action::Vector::to_model),
                tags: want.tags.then(|| action::tags(add.tags)),
            });
        }
        Ok(())
    }
}

fn vector_id<'a>(vector: &'a action::Vector<'_>) -> VectorId<'a> {
    VectorId {
        storage_type: vector.storage_type.0.as_deref().unwrap_or_default(),
        path_or_inline: vector.path_or_inline_dv.0.as_deref().unwrap_or_default(),
        offset: vector.offset.value(),
    }
}

/// The line that holds an action without a path; only for the message.
fn line_without_path(bytes: &[u8]) -> usize {
    let without_path = |line: &&[u8]| {
        let found = serde_json::from_slice::<FileLine<'_>>(line).ok();
        found.is_some_and(|l| {
            l.add.is_some_and(|a| a.path.0.is_none()) || l.remove.is_some_and(|r| r.path.0.is_none())
        })
    };
    bytes.split(|b| *b == b'\n').position(|line| without_path(&line)).map_or(1, |i| i + 1)
}

/// What newer commits said.
#[derive(Default)]
pub struct Overlay {
    /// Every file that an action named.
    pub seen: KeySet,
    /// Remove actions that no newer one takes back.
    pub removed: Removed,
}

impl Overlay {
    /// Goes on with older commits; what is left of their files.
    pub fn apply(&mut self, mut batch: Batch) -> Piece {
        let mut keep = Vec::with_capacity(batch.files.len());
        for (i, op) in batch.ops.iter().enumerate() {
            let key = batch.keys.get(i);
            let first = self.seen.insert(key);
            match op {
                Op::Add => keep.push(first),
                Op::Remove { size } if first => self.removed.push(key, *size),
                Op::Remove { .. } => {}
            }
        }
        batch.files.retain(&keep);
        if let Some(stats) = &mut batch.stats {
            stats.retain(&keep);
        }
        Piece {
            files: batch.files,
            stats: batch.stats,
            removed: Removed::default(),
            odd_sizes: batch.odd_sizes,
        }
    }
}
