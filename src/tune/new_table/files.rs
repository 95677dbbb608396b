//! The data files of a new table, one after the other.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::SchemaRef;

use super::TableSchema;
use crate::lake::export::{ParquetRows, cannot_write};
use crate::model::schema::parse_schema;
use crate::model::table::Metadata;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::data::layout::Column;
use crate::tune::data::stats::{FileStats, Indexed};

/// Bytes after which a file ends.
const FILE_BYTES: u64 = 256 << 20;

/// A file that was written.
pub(super) struct DataFile {
    pub name: String,
    pub rows: u64,
    pub size: u64,
    /// The text of `add.stats`.
    pub stats: String,
}

pub(super) struct Files {
    folder: PathBuf,
    schema: SchemaRef,
    /// Without rows: each file starts with these.
    stats: FileStats,
    open: Option<Open>,
    done: Vec<DataFile>,
}

struct Open {
    name: String,
    rows: u64,
    out: ParquetRows<File>,
    stats: FileStats,
}

impl Files {
    pub fn new(folder: &Path, table: &TableSchema) -> Outcome<Files> {
        let schema = parse_schema(&table.text).map_err(|why| cannot_write(folder, why))?;
        let logical = Metadata { schema, ..Metadata::default() };
        let fields = table.file.fields();
        let columns: Vec<Column> = fields
            .iter()
            .map(|f| Column {
                name: f.name().clone(),
                field: Some(Arc::clone(f)),
                physical: f.name().clone(),
                id: None,
                is_partition: false,
            })
            .collect();
        let stats = FileStats::new(&columns, fields, &Indexed::of(&logical), &logical);
        Ok(Files {
            folder: folder.to_owned(),
            schema: table.file.clone(),
            stats,
            open: None,
            done: Vec::new(),
        })
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.done.iter().map(|f| f.rows).sum::<u64>() + self.open.as_ref().map_or(0, |o| o.rows)
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.done.iter().map(|f| f.size).sum::<u64>() + self.open.as_ref().map_or(0, |o| o.out.bytes())
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Outcome<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let batch = fitted(batch, &self.schema)?;
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.begin()?,
        };
        open.stats.update(&batch);
        open.rows += batch.num_rows() as u64;
        open.out.write(&batch).map_err(|e| cannot_write(&self.folder.join(&open.name), e))?;
        if open.out.bytes() < FILE_BYTES {
            self.open = Some(open);
            return Ok(());
        }
        self.finish(open)
    }

    fn begin(&self) -> Outcome<Open> {
        let name = format!("part-{:05}-{}.zstd.parquet", self.done.len(), uuid::Uuid::new_v4());
        let path = self.folder.join(&name);
        let file = File::create_new(&path).map_err(|e| cannot_write(&path, e))?;
        let out = ParquetRows::new(file, &self.schema).map_err(|e| cannot_write(&path, e))?;
        Ok(Open { name, rows: 0, out, stats: self.stats.clone() })
    }

    fn finish(&mut self, open: Open) -> Outcome<()> {
        let path = self.folder.join(&open.name);
        let mut file = open.out.end().map_err(|e| cannot_write(&path, e))?;
        let size = file.flush().and_then(|()| file.sync_all()).and_then(|()| file.metadata());
        let size = size.map_err(|e: io::Error| cannot_write(&path, e))?.len();
        let stats = open.stats.json();
        self.done.push(DataFile { name: open.name, rows: open.rows, size, stats });
        Ok(())
    }

    /// The files that were written.
    pub fn end(mut self) -> Outcome<Vec<DataFile>> {
        if let Some(open) = self.open.take() {
            self.finish(open)?;
        }
        Ok(self.done)
    }
}

/// The batch in the table's types. A value that has no room in them is a fault, never NULL.
fn fitted(batch: &RecordBatch, schema: &SchemaRef) -> Outcome<RecordBatch> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let columns: Result<Vec<_>, _> = batch
        .columns()
        .iter()
        .zip(schema.fields())
        .map(|(column, field)| cast_with_options(column, field.data_type(), &options))
        .collect();
    columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns)).map_err(|e| {
        Fault::new(FaultKind::Change, "cannot-write", "A value does not fit the table's types")
            .because(e)
            .hint("Cast it in the query, such as CAST(x AS STRING)")
    })
}
