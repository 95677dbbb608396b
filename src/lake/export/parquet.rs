//! Rows as a Parquet file.

use std::io::Write;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;

/// Encoded bytes of a row group at most: what is held in memory.
const GROUP_BYTES: usize = 128 << 20;

/// Writes batches of one schema.
pub struct ParquetRows<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
}

impl<W: Write + Send> ParquetRows<W> {
    /// For batches with the columns of that schema.
    pub fn new(out: W, schema: &SchemaRef) -> Result<Self> {
        let schema = nullable(schema);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .build();
        Ok(ParquetRows { writer: ArrowWriter::try_new(out, schema.clone(), Some(properties))?, schema })
    }

    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let batch = RecordBatch::try_new(self.schema.clone(), batch.columns().to_vec());
        self.writer.write(&batch.map_err(ParquetError::from)?)
    }

    /// Bytes written so far, and those that wait in memory.
    pub fn bytes(&self) -> u64 {
        (self.writer.bytes_written() + self.writer.in_progress_size()) as u64
    }

    /// Writes the footer.
    pub fn end(self) -> Result<W> {
        self.writer.into_inner()
    }
}

/// A batch may hold nulls where the first one did not.
pub fn nullable(schema: &SchemaRef) -> SchemaRef {
    let field = |f: &Arc<Field>| f.as_ref().clone().with_nullable(true);
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}
