//! Rows of a query as a Parquet file.

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema, SchemaRef};
use futures::StreamExt;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::output::{Sink, failed};
use super::rows::cancellable;
use crate::lake::sql::SqlRun;
use crate::lake::watch::Watch;
use crate::model::{Fault, FaultKind, Outcome};

/// Writes a run's rows; a row group is held in memory at a time.
pub async fn write(mut run: SqlRun, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    let mut first = cancellable(watch, run.batches.next()).await?.transpose()?;
    let schema = nullable(first.as_ref().map_or_else(|| run.schema.clone(), RecordBatch::schema));
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = ArrowWriter::try_new(&mut *out, schema.clone(), Some(properties)).map_err(fault)?;
    while let Some(batch) = match first.take() {
        Some(batch) => Some(batch),
        None => cancellable(watch, run.batches.next()).await?.transpose()?,
    } {
        let batch = RecordBatch::try_new(schema.clone(), batch.columns().to_vec());
        writer.write(&batch.map_err(|e| fault(e.into()))?).map_err(fault)?;
    }
    writer.close().map(drop).map_err(fault)
}

/// A batch may hold nulls where the first one did not.
fn nullable(schema: SchemaRef) -> SchemaRef {
    let field = |f: &std::sync::Arc<Field>| f.as_ref().clone().with_nullable(true);
    std::sync::Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

fn fault(error: ParquetError) -> Fault {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => failed(*io),
            Err(other) => cannot(other),
        },
        other => cannot(other),
    }
}

fn cannot(why: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Change, "cannot-write", "The rows cannot be written as Parquet").because(why)
}
