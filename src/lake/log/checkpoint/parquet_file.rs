//! A parquet file of a checkpoint: its footer, and row groups of which only the wanted columns
//! are fetched.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use bytes::{Buf, Bytes};
use object_store::ObjectStore;
use object_store::path::Path;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use super::stream::{Failed, Stream, WINDOW};
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

/// Smaller files are read whole: one request instead of three.
const WHOLE: u64 = 1 << 20;
/// What is read first of others; mostly it holds the whole footer.
const TAIL: u64 = 128 << 10;

/// A parquet file whose footer was read.
#[derive(Clone)]
pub struct ParquetFile {
    path: Path,
    size: u64,
    meta: ArrowReaderMetadata,
    whole: Option<Bytes>,
}

impl ParquetFile {
    /// Reads the footer. Faults: those of the store, `bad-checkpoint`.
    pub async fn open(
        store: &Arc<dyn ObjectStore>,
        path: &Path,
        size: u64,
        watch: &Watch,
    ) -> Outcome<ParquetFile> {
        let mut start = if size <= WHOLE { 0 } else { size - TAIL };
        loop {
            let range = start..size;
            let tail = if start == 0 && size <= WHOLE {
                store::get(store, path, watch).await?
            } else {
                store::get_ranges(store, path, &[range], watch).await?.pop().unwrap_or_default()
            };
            let size = if start == 0 { tail.len() as u64 } else { size };
            let whole = (start == 0).then(|| tail.clone());
            match store::blocking(move || footer(tail, size)).await? {
                Ok(meta) => return Ok(ParquetFile { path: path.clone(), size, meta, whole }),
                Err(ParquetError::NeedMoreData(n)) if start > 0 => {
                    start = size.saturating_sub((n as u64).max(2 * (size - start)));
                }
                Err(e) => return Err(damaged(path, &e)),
            }
        }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Rows in all row groups.
    pub fn rows(&self) -> u64 {
        u64::try_from(self.meta.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// The leaf columns whose path satisfies `wanted`; none if there are none.
    pub fn leaves(&self, wanted: impl Fn(&[String]) -> bool) -> Vec<usize> {
        let columns = self.meta.parquet_schema().columns().iter().enumerate();
        columns.filter(|(_, c)| wanted(c.path().parts())).map(|(i, _)| i).collect()
    }

    /// Row groups in which some of these leaves may hold a value. A leaf's null count equals the
    /// row count where the column or a parent is null in each row (lists and maps aside, for
    /// which the count is larger).
    pub fn groups_with(&self, leaves: &[usize]) -> Vec<usize> {
        let groups = self.meta.metadata().row_groups().iter().enumerate();
        let holds = |group: &parquet::file::metadata::RowGroupMetaData| {
            leaves.iter().any(|leaf| {
                let nulls = group.columns().get(*leaf).and_then(|c| c.statistics()?.null_count_opt());
                nulls.is_none_or(|n| n < u64::try_from(group.num_rows()).unwrap_or(0))
            })
        };
        groups.filter(|(_, g)| g.num_rows() > 0 && holds(g)).map(|(i, _)| i).collect()
    }

    /// Fetches the leaves of one row group; the large ones only as they are decoded.
    pub async fn fetch(
        &self,
        store: &Arc<dyn ObjectStore>,
        group: usize,
        leaves: &[usize],
        watch: &Watch,
    ) -> Outcome<Group> {
        let mask = ProjectionMask::leaves(self.meta.parquet_schema(), leaves.iter().copied());
        let failed = Failed::default();
        let pieces = match &self.whole {
            Some(bytes) => vec![Piece::Whole(0, bytes.clone())],
            None => {
                let ranges = self.ranges(group, leaves)?;
                let is_small = |r: &&Range<u64>| r.end - r.start <= WINDOW;
                let small: Vec<Range<u64>> = ranges.iter().filter(is_small).cloned().collect();
                let bytes = store::get_ranges(store, &self.path, &small, watch).await?;
                let mut small = small.into_iter().zip(bytes).peekable();
                let piece = |range: Range<u64>| match small.next_if(|(r, _)| *r == range) {
                    Some((range, bytes)) => Piece::Whole(range.start, bytes),
                    None => Piece::Streamed(Stream::new(range, store, &self.path, watch, &failed)),
                };
                ranges.into_iter().map(piece).collect()
            }
        };
        let source = Pieces { size: self.size, pieces };
        Ok(Group { path: self.path.clone(), meta: self.meta.clone(), group, mask, source, failed })
    }

    fn ranges(&self, group: usize, leaves: &[usize]) -> Outcome<Vec<Range<u64>>> {
        let columns = self.meta.metadata().row_groups().get(group).map_or(&[][..], |g| g.columns());
        let mut ranges = Vec::with_capacity(leaves.len());
        for column in leaves.iter().filter_map(|l| columns.get(*l)) {
            let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
            let range = u64::try_from(start).ok().zip(u64::try_from(column.compressed_size()).ok());
            let end = range.and_then(|(start, len)| start.checked_add(len));
            match range.zip(end) {
                Some(((start, _), end)) if end <= self.size => ranges.push(start..end),
                _ => return Err(damaged(&self.path, &"a column chunk lies outside of the file")),
            }
        }
        ranges.sort_unstable_by_key(|r| r.start);
        Ok(ranges)
    }
}

/// A row group of which the wanted columns are read.
pub struct Group {
    path: Path,
    meta: ArrowReaderMetadata,
    group: usize,
    mask: ProjectionMask,
    source: Pieces,
    failed: Failed,
}

impl Group {
    /// Decodes it, batch by batch. Not on an async thread: it waits for what is fetched on the way.
    pub fn reader(self, batch_rows: usize) -> Outcome<Batches> {
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(self.source, self.meta)
            .with_row_groups(vec![self.group])
            .with_projection(self.mask)
            .with_batch_size(batch_rows)
            .build()
            .map_err(|e| self.failed.fault().unwrap_or_else(|| damaged(&self.path, &e)))?;
        Ok(Batches { reader, path: self.path, failed: self.failed })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn rows(&self) -> usize {
        let group = self.meta.metadata().row_groups().get(self.group);
        group.and_then(|g| usize::try_from(g.num_rows()).ok()).unwrap_or(0)
    }
}

/// The batches of a row group.
pub struct Batches {
    reader: ParquetRecordBatchReader,
    path: Path,
    failed: Failed,
}

impl Iterator for Batches {
    type Item = Outcome<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.map_err(|e| self.failed.fault().unwrap_or_else(|| damaged(&self.path, &e))))
    }
}

fn footer(tail: Bytes, size: u64) -> ParquetResult<ArrowReaderMetadata> {
    let mut reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Skip);
    reader.try_parse_sized(&tail, size)?;
    // Types come from the parquet schema alone: writers embed arrow schemas of many kinds.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    ArrowReaderMetadata::try_new(Arc::new(reader.finish()?), options)
}

/// The fault of a checkpoint file whose content is not what it should be.
pub fn damaged(path: &Path, why: &dyn std::fmt::Display) -> Fault {
    let name = path.filename().unwrap_or_default();
    Fault::read("bad-checkpoint", format!("The checkpoint file {name} cannot be read")).because(why)
}

/// A file of which some byte ranges can be read.
struct Pieces {
    size: u64,
    /// Ascending.
    pieces: Vec<Piece>,
}

enum Piece {
    /// In memory: offset and bytes.
    Whole(u64, Bytes),
    Streamed(Stream),
}

impl Piece {
    fn start(&self) -> u64 {
        match self {
            Piece::Whole(start, _) => *start,
            Piece::Streamed(stream) => stream.range.start,
        }
    }

    /// Bytes from `start` on, at least `length` of them if the piece has them.
    fn bytes(&self, start: u64, length: u64) -> ParquetResult<Bytes> {
        match self {
            Piece::Whole(offset, bytes) if start - offset <= bytes.len() as u64 => {
                Ok(bytes.slice((start - offset) as usize..))
            }
            Piece::Whole(..) => Err(outside(start)),
            Piece::Streamed(stream) => stream.bytes(start, length),
        }
    }
}

fn outside(start: u64) -> ParquetError {
    ParquetError::EOF(format!("byte {start} is outside of the column chunks"))
}

impl Pieces {
    fn from(&self, start: u64, length: u64) -> ParquetResult<Bytes> {
        let after = self.pieces.partition_point(|piece| piece.start() <= start);
        let piece = after.checked_sub(1).and_then(|i| self.pieces.get(i));
        piece.ok_or_else(|| outside(start))?.bytes(start, length)
    }
}

impl Length for Pieces {
    fn len(&self) -> u64 {
        self.size
    }
}

/// Longer page headers than this do not occur: their only texts are the shortest and longest value.
const HEADER: u64 = 1 << 20;

impl ChunkReader for Pieces {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(self.from(start, HEADER)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.from(start, length as u64)?;
        if bytes.len() < length {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} go beyond a column chunk")));
        }
        Ok(bytes.slice(..length))
    }
}
