//! The file list of a version: commits first, newest to oldest, then what they leave of the
//! checkpoint.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::checkpoint::as_checkpoint;
use super::checkpoint::files::{Job, Piece, is_recoverable};
use super::overlay::{Batch, Overlay};
use super::partitions::Partitions;
use super::removed::Removed;
use super::segment::TailFile;
use super::start::{self, Start};
use super::tail::{self, Source};
use super::{Files, OpenTable, Want, store};
use crate::lake::watch::Watch;
use crate::model::files::{ChunkBuilder, FileList};
use crate::model::partition::PartitionDict;
use crate::model::progress::Progress;
use crate::model::stats::StatsTable;
use crate::model::units::count;
use crate::model::{Fault, Outcome};

/// Files of a finished chunk, and bytes of paths (which must stay below 4 GiB).
const CHUNK_FILES: usize = 32_768;
const CHUNK_BYTES: usize = 256 << 20;
/// Time between partial lists.
const PARTIAL_EVERY: Duration = Duration::from_millis(150);

/// What is read of each file.
#[derive(Clone)]
pub struct Reading {
    pub want: Want,
    pub partitions: Partitions,
    /// An empty table of the columns whose statistics are read; none if none are.
    pub stats: Option<Arc<StatsTable>>,
    /// The same files, read before with less of each: what is the same is kept once.
    pub before: Option<FileList>,
}

/// `stats`: an empty table of the columns whose statistics are read too; it comes back filled.
pub async fn files(
    table: &OpenTable,
    want: Want,
    stats: Option<StatsTable>,
    before: Option<&FileList>,
    watch: &Watch,
) -> Outcome<(Files, Option<StatsTable>)> {
    let metadata = &table.table.metadata;
    let stats = stats.map(Arc::new);
    let version = table.table.version;
    let mut warnings = Vec::new();
    let mut broken = table.broken.clone();
    let mut start = table.start.clone();
    loop {
        // With the numbers of the list before, the files look the same.
        let dict = match before {
            Some(list) => (*list.partitions).clone(),
            None => PartitionDict::new(metadata.partition_columns.as_slice()),
        };
        let partitions = Partitions::new(metadata, dict);
        let reading = Reading { want, partitions, stats: stats.clone(), before: before.cloned() };
        match replay(table, &start, &reading, watch).await {
            Ok((mut files, stats)) => {
                warnings.append(&mut files.warnings);
                return Ok((Files { warnings, ..files }, stats));
            }
            Err(fault) if is_recoverable(&fault) && start.checkpoint.is_some() => {
                let Some(bad) = broken.next(&table.listing, version) else { return Err(fault) };
                warnings.push(start::passed_over(bad, &fault));
                broken.checkpoint(bad);
                let found = start::find(
                    &table.place,
                    &table.log,
                    &table.listing,
                    version,
                    &mut broken,
                    &mut warnings,
                    watch,
                );
                // Where there is no other way, the first fault tells why.
                match found.await {
                    Ok(other) => start = Arc::new(other),
                    Err(other) if other == Fault::cancelled() => return Err(other),
                    Err(other) => return Err(fault.hint(format!("{other}. {}", other.hint))),
                }
            }
            Err(fault) => return Err(fault),
        }
    }
}

async fn replay(
    table: &OpenTable,
    start: &Start,
    reading: &Reading,
    watch: &Watch,
) -> Outcome<(Files, Option<StatsTable>)> {
    let mut overlay = Overlay::default();
    let mut collect = Collector::new(reading, watch);
    let parse = {
        let (reading, watch) = (reading.clone(), watch.clone());
        move |commits: &[(TailFile, Bytes)]| Batch::parse(commits, &reading, &watch)
    };
    let total = start.tail.len() as u64;
    let from = Source { store: &table.place.store, log: &table.log, watch };
    tail::read(&from, &start.tail, start.take_kept(), parse.clone(), |batch, done| {
        collect.push(overlay.apply(batch), None);
        watch.progress(Progress::new("reading commits", done as u64, Some(total), "commits"));
        Ok(())
    })
    .await?;
    if let Some(checkpoint) = &start.checkpoint {
        if let Some(bytes) = &checkpoint.json {
            let file = TailFile {
                name: checkpoint.name.clone(),
                version: checkpoint.version,
                size: 0,
                compacted: false,
            };
            let commits = [(file, bytes.clone())];
            let batch = store::blocking(move || parse(&commits)).await?.map_err(as_checkpoint)?;
            collect.push(overlay.apply(batch), None);
        }
        collect.phase = format!("reading checkpoint {}", checkpoint.version);
        let newer = std::mem::take(&mut overlay.seen);
        let job = Arc::new(Job { reading: reading.clone(), newer });
        checkpoint
            .pieces(&table.place.store, job, watch, |piece, rows| collect.push(piece, Some(rows)))
            .await?;
    }
    Ok(collect.finish(overlay.removed))
}

/// Puts the pieces together.
struct Collector<'a> {
    want: Want,
    watch: &'a Watch,
    phase: String,
    list: FileList,
    stats: Option<StatsTable>,
    before: Option<FileList>,
    partitions: Partitions,
    /// Files that do not fill a chunk yet.
    pending: ChunkBuilder,
    removed: Removed,
    odd_sizes: u64,
    last_partial: Instant,
}

impl<'a> Collector<'a> {
    fn new(reading: &Reading, watch: &'a Watch) -> Self {
        let want = reading.want;
        Collector {
            want,
            watch,
            phase: "reading commits".into(),
            list: FileList::new(Arc::default(), want.records, want.tags),
            stats: reading.stats.as_deref().map(StatsTable::part),
            before: reading.before.clone(),
            partitions: reading.partitions.clone(),
            pending: ChunkBuilder::new(want.records, 0),
            removed: Removed::default(),
            odd_sizes: 0,
            last_partial: Instant::now(),
        }
    }

    /// `total`: at most so many files will come, if that is known.
    fn push(&mut self, piece: Piece, total: Option<u64>) {
        // A large piece becomes a chunk as it is: it is not worth copying.
        if piece.files.len() >= CHUNK_FILES / 2
            || self.pending.path_bytes().saturating_add(piece.files.path_bytes()) > CHUNK_BYTES
        {
            self.flush();
        }
        if let Some((all, piece)) = self.stats.as_mut().zip(piece.stats) {
            all.append(piece);
        }
        self.pending.append(piece.files);
        if self.pending.len() >= CHUNK_FILES / 2 {
            self.flush();
        }
        self.removed.append(piece.removed);
        self.odd_sizes += piece.odd_sizes;
        if total.is_some() {
            let done = (self.list.len() + self.pending.len()) as u64;
            self.watch.progress(Progress::new(self.phase.as_str(), done, total, "files"));
        }
        if self.watch.wants_partial_files()
            && !self.list.is_empty()
            && self.last_partial.elapsed() >= PARTIAL_EVERY
        {
            self.last_partial = Instant::now();
            self.list.partitions = Arc::new(self.partitions.dict());
            self.watch.partial_files(self.list.clone());
        }
    }

    fn flush(&mut self) {
        let full = std::mem::replace(&mut self.pending, ChunkBuilder::new(self.want.records, 0));
        let before = self.before.as_ref().and_then(|list| list.chunks().get(self.list.chunks().len()));
        let chunk = full.finish();
        self.list.push_chunk(Arc::new(match before {
            Some(before) => chunk.sharing(before),
            None => chunk,
        }));
    }

    /// `newer`: the remove actions of the commits.
    fn finish(mut self, newer: Removed) -> (Files, Option<StatsTable>) {
        self.flush();
        self.removed.append(newer);
        let warnings = odd_sizes(self.odd_sizes).into_iter().collect();
        self.list.partitions = Arc::new(self.partitions.dict());
        tracing::info!(
            files = self.list.len(),
            bytes_a_file = self.list.heap_bytes() / self.list.len().max(1),
            "file list read"
        );
        (Files::new(self.list, self.want, self.removed, warnings), self.stats)
    }
}

/// What is told of add actions without a size.
pub fn odd_sizes(files: u64) -> Option<String> {
    (files > 0).then(|| {
        format!(
            "{} add actions state no size, or one that is no whole number of bytes; it counts as 0",
            count(files)
        )
    })
}
