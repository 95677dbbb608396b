//! A data file's live rows, batch by batch, on a thread of the caller's.

use std::fs::File;
use std::ops::Range;

use arrow::datatypes::{Fields, SchemaRef};
use arrow::record_batch::RecordBatch;
use futures::StreamExt;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::async_reader::{ParquetRecordBatchStream, ParquetRecordBatchStreamBuilder};
use tokio::runtime::Handle;

use super::bad_file;
use super::fit::{Fit, find};
use super::layout::Mapping;
use super::source::Source;
use crate::lake::log::store;
use crate::lake::store_reader::StoreReader;
use crate::lake::watch::Watch;
use crate::model::Outcome;

/// Rows of a batch, and its bytes at most (about).
const ROWS: u64 = 8192;
const BYTES: u64 = 8 << 20;

/// How one file is brought to a schema.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Roots to read.
    roots: Vec<usize>,
    fit: Fit,
}

impl Reading {
    /// Fault `schema-conflict` where a column's type cannot become the schema's.
    pub fn new(source: &Source, schema: &SchemaRef, mapping: Mapping) -> Outcome<Reading> {
        let file = source.meta.schema().fields();
        let mut roots: Vec<usize> =
            schema.fields().iter().filter_map(|field| find(file, field, mapping)).collect();
        roots.sort_unstable();
        roots.dedup();
        let read: Fields = roots.iter().map(|i| file[*i].clone()).collect();
        let fit = Fit::new(&read, schema.clone(), mapping).map_err(|why| {
            crate::model::Fault::read(
                "schema-conflict",
                format!("The file {} does not fit the table", source.file.path),
            )
            .because(why)
            .hint("Nothing was committed. `deltop footer` shows the file's schema")
        })?;
        Ok(Reading { roots, fit })
    }
}

/// Batches in the file's order, in the wanted schema.
pub struct Batches {
    path: String,
    fit: Fit,
    from: From,
    watch: Watch,
}

enum From {
    Disk(ParquetRecordBatchReader),
    Store(Box<ParquetRecordBatchStream<StoreReader>>, Handle),
    /// No rows are asked for.
    Nothing,
}

impl Batches {
    /// `live`: which of the live rows. `handle`: where requests run; calls of `next` must come from
    /// a thread that may block.
    pub fn open(
        source: &Source,
        reading: &Reading,
        live: Range<u64>,
        handle: &Handle,
        watch: &Watch,
    ) -> Outcome<Batches> {
        let path = source.file.path.clone();
        let bad = |e: parquet::errors::ParquetError| bad_file(&source.file.path, e);
        let selection = source.select(live);
        let mask = ProjectionMask::roots(source.meta.parquet_schema(), reading.roots.iter().copied());
        let rows = (BYTES / source.row_width().max(1)).clamp(64, ROWS) as usize;
        macro_rules! set_up {
            ($builder:expr) => {{
                let mut builder = $builder
                    .with_row_groups(selection.groups)
                    .with_projection(mask)
                    .with_batch_size(rows)
                    .with_offset(selection.skip as usize)
                    .with_limit(selection.take as usize);
                if let Some(rows) = selection.rows {
                    builder = builder.with_row_selection(rows);
                }
                builder.build().map_err(bad)?
            }};
        }
        let from = if selection.groups.is_empty() || selection.take == 0 {
            From::Nothing
        } else if let Some(local) = &source.local {
            let file = File::open(local).map_err(|e| bad_file(&source.file.path, e))?;
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, source.meta.clone());
            From::Disk(set_up!(builder))
        } else {
            let reader = StoreReader::new(source.store.clone(), source.at.clone(), source.file.size);
            let builder = ParquetRecordBatchStreamBuilder::new_with_metadata(reader, source.meta.clone());
            From::Store(Box::new(set_up!(builder)), handle.clone())
        };
        Ok(Batches { path, fit: reading.fit.clone(), from, watch: watch.clone() })
    }

    /// The next batch; none at the end. Faults: `bad-data-file`, `cancelled`.
    pub fn next(&mut self) -> Outcome<Option<RecordBatch>> {
        self.watch.check()?;
        let batch = match &mut self.from {
            From::Nothing => None,
            From::Disk(reader) => reader.next().transpose().map_err(|e| bad_file(&self.path, e))?,
            From::Store(stream, handle) => {
                let next = store::cancellable(&self.watch, stream.next());
                handle.block_on(next)?.transpose().map_err(|e| bad_file(&self.path, e))?
            }
        };
        batch.map(|b| self.fit.apply(&b).map_err(|e| bad_file(&self.path, e))).transpose()
    }
}
