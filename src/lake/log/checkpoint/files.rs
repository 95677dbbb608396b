//! The file actions of a checkpoint: decoded in parallel, a row group a task, into chunks.

use std::sync::Arc;

use arrow::array::{Array, AsArray, Int64Array, RecordBatch, StringArray};
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::columns::{Texts, Vectors, integers, number, strings};
use super::figures::{self, Figures};
use super::parquet_file::{Group, ParquetFile, damaged};
use super::{AT_ONCE, OpenCheckpoint, Sidecar};
use crate::lake::log::key::{KeySet, decode_path, holds, write_key};
use crate::lake::log::partitions::PartitionNumbers;
use crate::lake::log::read::Reading;
use crate::lake::log::removed::Removed;
use crate::lake::log::stats;
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::files::{ChunkBuilder, NewFile};
use crate::model::stats::StatsTable;
use crate::model::{Fault, Outcome};

/// Rows decoded at once: their arrays stay in the processor's cache, and in memory that is used again.
const BATCH_ROWS: usize = 2048;
/// Files of a chunk.
const CHUNK_FILES: usize = 32_768;

/// A piece of a checkpoint's files, or of its tombstones.
pub struct Piece {
    pub files: ChunkBuilder,
    /// Of the same files, in the same order; none if not asked for.
    pub stats: Option<StatsTable>,
    pub removed: Removed,
    /// Files whose size is missing or no size.
    pub odd_sizes: u64,
}

/// What the tasks share.
pub struct Job {
    pub reading: Reading,
    /// Keys that commits after the checkpoint added or removed: their rows no longer count.
    pub newer: KeySet,
}

impl OpenCheckpoint {
    /// Rows in all its parquet files known so far; an upper bound of its files.
    fn rows(files: &[ParquetFile]) -> u64 {
        files.iter().map(ParquetFile::rows).sum()
    }

    /// Calls `each` with the pieces, in the order of the files' rows. The second argument is an
    /// upper bound of all files.
    pub async fn pieces(
        &self,
        store: &Arc<dyn ObjectStore>,
        job: Arc<Job>,
        watch: &Watch,
        mut each: impl FnMut(Piece, u64) + Send,
    ) -> Outcome<()> {
        let mut files = self.parts.clone();
        let sidecars = futures::stream::iter(self.sidecars.clone())
            .map(|sidecar| open_sidecar(store.clone(), sidecar, watch.clone()));
        files.extend(sidecars.buffered(AT_ONCE).try_collect::<Vec<_>>().await?);
        let rows = Self::rows(&files);
        let mut units = Vec::new();
        for file in files {
            let file = Arc::new(file);
            let adds = Columns::adds(&file, &job.reading);
            units.extend(file.groups_with(&adds.marks).into_iter().map(|g| (file.clone(), g, adds.clone())));
            if job.reading.want.tombstones {
                let removes = Columns::removes(&file);
                let groups = file.groups_with(&removes.marks).into_iter();
                units.extend(groups.map(|g| (file.clone(), g, removes.clone())));
            }
        }
        // Each unit sends to its own channel and the channels are read in turn: the order of the
        // files does not depend on which thread is first.
        let turns = Arc::new(Semaphore::new(parallelism()));
        let alone = units.len() < parallelism();
        let mut tasks = JoinSet::new();
        let mut channels = Vec::with_capacity(units.len());
        for (file, group, columns) in units {
            let (send, receive) = mpsc::unbounded_channel();
            channels.push(receive);
            let (turns, store, job, watch) = (turns.clone(), store.clone(), job.clone(), watch.clone());
            tasks.spawn(async move {
                let Ok(_turn) = turns.acquire_owned().await else { return };
                let read = async {
                    let group = file.fetch(&store, group, &columns.leaves, &watch).await?;
                    let out = send.clone();
                    store::blocking(move || decode(group, columns.adds, alone, &job, &watch, &out)).await?
                };
                if let Err(fault) = read.await {
                    let _ = send.send(Err(fault));
                }
            });
        }
        for mut channel in channels {
            while let Some(piece) = store::cancellable(watch, channel.recv()).await? {
                each(piece?, rows);
            }
        }
        Ok(())
    }
}

pub(super) async fn open_sidecar(
    store: Arc<dyn ObjectStore>,
    sidecar: Sidecar,
    watch: Watch,
) -> Outcome<ParquetFile> {
    let path = &sidecar.path;
    if let Some(size) = sidecar.size {
        // The stated size may be wrong.
        if let Ok(file) = ParquetFile::open(&store, path, size, &watch).await {
            return Ok(file);
        }
    }
    let size = store::size(&store, path, &watch).await?;
    ParquetFile::open(&store, path, size, &watch).await
}

fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 8))
}

/// Leaves to read of a file, and the leaf that tells whether a row group has any such action.
#[derive(Clone)]
struct Columns {
    adds: bool,
    marks: Vec<usize>,
    leaves: Vec<usize>,
}

impl Columns {
    fn adds(file: &ParquetFile, reading: &Reading) -> Columns {
        let (want, figures) = (reading.want, figures::leaves(reading.stats.as_deref()));
        let parsed = want.records && !file.leaves(|p| p == ["add", "stats_parsed", "numRecords"]).is_empty();
        let leaves = file.leaves(|path| match path {
            [add, rest @ ..] if add == "add" => match rest {
                [name] => {
                    matches!(name.as_str(), "path" | "size" | "modificationTime")
                        || ((want.records || figures.is_some()) && name == "stats")
                }
                [group, rest @ ..] if group == "stats_parsed" => {
                    (parsed && rest == ["numRecords"]) || figures.as_ref().is_some_and(|f| f.wants(rest))
                }
                [group, leaf] if group == "deletionVector" => leaf != "maxRowIndex",
                [group, ..] => group == "partitionValues" || (want.tags && group == "tags"),
                [] => false,
            },
            _ => false,
        });
        Columns { adds: true, marks: file.leaves(|p| p == ["add", "path"]), leaves }
    }

    fn removes(file: &ParquetFile) -> Columns {
        let leaves = file.leaves(|path| match path {
            [remove, name] if remove == "remove" => matches!(name.as_str(), "path" | "size"),
            [remove, group, leaf] if remove == "remove" => {
                group == "deletionVector"
                    && matches!(leaf.as_str(), "storageType" | "pathOrInlineDv" | "offset")
            }
            _ => false,
        });
        Columns { adds: false, marks: file.leaves(|p| p == ["remove", "path"]), leaves }
    }
}

type Sender = mpsc::UnboundedSender<Outcome<Piece>>;

/// `alone`: no other unit keeps another core busy, so that decoding has a thread of its own.
fn decode(group: Group, adds: bool, alone: bool, job: &Job, watch: &Watch, send: &Sender) -> Outcome<()> {
    let path = group.path().clone();
    let mut decoder = Decoder::new(job, group.rows());
    let batches = group.reader(BATCH_ROWS)?;
    let mut take = |batch: Outcome<RecordBatch>| {
        watch.check()?;
        let batch = batch?;
        let done = if adds { decoder.adds(&batch) } else { decoder.removes(&batch) };
        done.map_err(|why| damaged(&path, &why))?;
        // Nobody reads on: the reading ended early.
        let ended = decoder.piece.files.len() >= CHUNK_FILES && send.send(Ok(decoder.take())).is_err();
        Ok(!ended)
    };
    let mut ahead = |batches: &mut dyn Iterator<Item = Outcome<RecordBatch>>| {
        for batch in batches {
            if !take(batch)? {
                break;
            }
        }
        Ok::<(), Fault>(())
    };
    if alone {
        std::thread::scope(|scope| {
            let (decoded, next) = std::sync::mpsc::sync_channel(AHEAD);
            scope.spawn(move || {
                for batch in batches {
                    if decoded.send(batch).is_err() {
                        break;
                    }
                }
            });
            ahead(&mut next.into_iter())
        })?;
    } else {
        let mut batches = batches;
        ahead(&mut batches)?;
    }
    let _ = send.send(Ok(decoder.take()));
    job.reading.partitions.give_back(decoder.numbers);
    Ok(())
}

/// Batches that a decoding thread may be ahead.
const AHEAD: usize = 8;

/// Turns batches into a piece.
struct Decoder<'a> {
    job: &'a Job,
    piece: Piece,
    numbers: PartitionNumbers,
    /// Rows that are still to come.
    left: usize,
    key: Vec<u8>,
}

impl<'a> Decoder<'a> {
    fn new(job: &'a Job, rows: usize) -> Self {
        let numbers = job.reading.partitions.borrow();
        Decoder { job, piece: Piece::new(job, 0), numbers, left: rows, key: Vec::new() }
    }

    fn take(&mut self) -> Piece {
        let mut piece = std::mem::replace(&mut self.piece, Piece::new(self.job, 0));
        self.job.reading.partitions.settle(&mut self.numbers, &mut piece.files);
        piece
    }

    fn adds(&mut self, batch: &RecordBatch) -> Result<(), String> {
        let Some(add) = batch.column_by_name("add").and_then(|c| c.as_struct_opt()) else {
            return Ok(());
        };
        let paths = strings(add, "path")?.ok_or("add lacks path")?;
        let sizes = integers(add, "size")?;
        let times = integers(add, "modificationTime")?;
        let partitions = Texts::of(add, "partitionValues")?;
        let vectors = Vectors::of(add)?;
        let records = Records::of(add)?;
        let figures = Figures::of(add, self.job.reading.stats.as_deref())?;
        let tags = if self.job.reading.want.tags { Texts::of(add, "tags")? } else { None };
        if self.piece.files.is_empty() {
            self.piece.files = ChunkBuilder::new(self.job.reading.want.records, self.left.min(CHUNK_FILES));
        }
        self.left = self.left.saturating_sub(batch.num_rows());
        let mut last: Option<(usize, u32)> = None;
        for row in (0..paths.len()).filter(|row| add.is_valid(*row) && paths.is_valid(*row)) {
            let path = decode_path(paths.value(row));
            let vector = vectors.as_ref().and_then(|v| v.id(row));
            if holds(&self.job.newer, &path, vector, &mut self.key) {
                continue;
            }
            let partition = match (&partitions, last) {
                (Some(p), Some((before, id))) if p.same(before, row) => id,
                (Some(p), _) => self.numbers.number(p.row(row)),
                (None, _) => self.numbers.number(std::iter::empty()),
            };
            last = Some((row, partition));
            if let Some((stats, figures)) = self.piece.stats.as_mut().zip(figures.as_ref()) {
                figures.push(row, records.json(row), stats);
            }
            let size = number(sizes.as_ref(), row).and_then(|n| u64::try_from(n).ok());
            self.piece.odd_sizes += u64::from(size.is_none());
            self.piece.files.push(NewFile {
                path: &path,
                size: size.unwrap_or(0),
                modified: number(times.as_ref(), row).unwrap_or(0),
                records: records.get(row),
                partition,
                deletion_vector: vectors.as_ref().and_then(|v| v.get(row)),
                tags: tags
                    .as_ref()
                    .map(|t| t.row(row).map(|(k, v)| (k.to_owned(), v.map(str::to_owned))).collect()),
            });
        }
        Ok(())
    }

    fn removes(&mut self, batch: &RecordBatch) -> Result<(), String> {
        let Some(remove) = batch.column_by_name("remove").and_then(|c| c.as_struct_opt()) else {
            return Ok(());
        };
        let paths = strings(remove, "path")?.ok_or("remove lacks path")?;
        let sizes = integers(remove, "size")?;
        let vectors = Vectors::of(remove)?;
        for row in (0..paths.len()).filter(|row| remove.is_valid(*row) && paths.is_valid(*row)) {
            let vector = vectors.as_ref().and_then(|v| v.id(row));
            write_key(&mut self.key, &decode_path(paths.value(row)), vector);
            if self.job.newer.contains(&self.key) {
                continue;
            }
            let size = number(sizes.as_ref(), row).and_then(|n| u64::try_from(n).ok());
            self.piece.removed.push(&self.key, size);
        }
        Ok(())
    }
}

impl Piece {
    fn new(job: &Job, capacity: usize) -> Self {
        Piece {
            files: ChunkBuilder::new(job.reading.want.records, capacity),
            stats: job.reading.stats.as_deref().map(StatsTable::part),
            removed: Removed::default(),
            odd_sizes: 0,
        }
    }
}

/// `numRecords` from the parsed statistics where they are there, else from the JSON ones.
struct Records {
    parsed: Option<Int64Array>,
    json: Option<StringArray>,
}

impl Records {
    fn of(add: &arrow::array::StructArray) -> Result<Records, String> {
        let parsed = add.column_by_name("stats_parsed").and_then(|c| c.as_struct_opt());
        // A child of a null parent may hold anything.
        let parsed = match parsed {
            Some(stats) => integers(stats, "numRecords")?.map(|n| {
                let nulls = arrow::buffer::NullBuffer::union(stats.nulls(), n.nulls());
                Int64Array::new(n.values().clone(), nulls)
            }),
            None => None,
        };
        Ok(Records { parsed, json: strings(add, "stats")? })
    }

    fn get(&self, row: usize) -> Option<u64> {
        match number(self.parsed.as_ref(), row) {
            Some(n) => stats::known(n),
            None => stats::num_records(self.json(row)?),
        }
    }

    /// The statistics' JSON text.
    fn json(&self, row: usize) -> Option<&str> {
        self.json.as_ref().filter(|j| j.is_valid(row)).map(|j| j.value(row))
    }
}

/// A fault that says that a checkpoint cannot be used, and that another way may exist.
pub fn is_recoverable(fault: &Fault) -> bool {
    matches!(fault.code, "bad-checkpoint" | "not-found" | "permission-denied" | "internal")
}
