//! A query's rows in a file of this machine: under a temporary name until all of them are there.

mod encode;
mod new_file;
mod parquet;
mod place;

use futures::StreamExt;

use super::sql::SqlRun;
use super::watch::Watch;
use crate::model::export::Form;
use crate::model::{Fault, FaultKind, Outcome};
pub use encode::Encoder;
pub use new_file::NewFile;
pub use parquet::{ParquetRows, nullable};
pub use place::destination;

/// What is told on the way: rows and bytes written so far.
pub type Meter<'a> = &'a (dyn Fn(u64, u64) + Send + Sync);

/// Writes all rows of a query; gives how many there were, and the bytes. What fails leaves nothing.
///
/// # Errors
/// The query's; `cannot-write`; a cancellation.
pub async fn write(
    mut run: SqlRun,
    file: NewFile,
    form: Form,
    watch: &Watch,
    meter: Meter<'_>,
) -> Outcome<(u64, u64)> {
    let first = run.batches.next().await.transpose()?;
    let schema = first.as_ref().map_or_else(|| run.schema.clone(), arrow::array::RecordBatch::schema);
    let mut rows = 0;
    let mut encoder = Encoder::new(file, form, &schema)?;
    let mut next = first;
    while let Some(batch) = next.take() {
        watch.check()?;
        encoder.write(&batch)?;
        rows += batch.num_rows() as u64;
        meter(rows, encoder.bytes());
        next = run.batches.next().await.transpose()?;
    }
    watch.check()?;
    let file = encoder.end()?;
    let bytes = file.bytes();
    file.keep()?;
    Ok((rows, bytes))
}

/// The fault of a file that does not take what is written.
pub fn cannot_write(path: &std::path::Path, why: impl std::fmt::Display) -> Fault {
    Fault::new(FaultKind::Change, "cannot-write", format!("{} cannot be written", path.display()))
        .because(why)
        .hint("Nothing is left of it. Check the space and the rights, or name another folder")
}
