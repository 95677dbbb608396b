//! Rows of a query as a Parquet file.

use arrow::array::RecordBatch;
use futures::StreamExt;
use parquet::errors::ParquetError;

use super::output::{Sink, failed};
use super::rows::cancellable;
use crate::lake::export::ParquetRows;
use crate::lake::sql::SqlRun;
use crate::lake::watch::Watch;
use crate::model::{Fault, FaultKind, Outcome};

/// Writes a run's rows; a row group is held in memory at a time.
pub async fn write(mut run: SqlRun, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    let mut first = cancellable(watch, run.batches.next()).await?.transpose()?;
    let schema = first.as_ref().map_or_else(|| run.schema.clone(), RecordBatch::schema);
    let mut rows = ParquetRows::new(&mut *out, &schema).map_err(fault)?;
    while let Some(batch) = match first.take() {
        Some(batch) => Some(batch),
        None => cancellable(watch, run.batches.next()).await?.transpose()?,
    } {
        rows.write(&batch).map_err(fault)?;
    }
    rows.end().map(drop).map_err(fault)
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
