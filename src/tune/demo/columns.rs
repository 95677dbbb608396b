//! Arrow columns of the demo's tables.

use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, RecordBatch, TimestampMicrosecondArray};
use arrow::datatypes::{Field, Schema};
use arrow::error::ArrowError;

use crate::model::{Fault, FaultKind, Outcome};

fn failed(cause: ArrowError) -> Fault {
    Fault::new(FaultKind::Change, "cannot-write", "Cannot build the demo's rows").because(cause)
}

/// Columns that may all be null.
pub fn batch<const N: usize>(columns: [(&str, ArrayRef); N]) -> Outcome<RecordBatch> {
    let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).map_err(failed)
}

/// `decimal(precision,2)` of cents.
pub fn price(cents: Decimal128Array, precision: u8) -> Outcome<ArrayRef> {
    Ok(Arc::new(cents.with_precision_and_scale(precision, 2).map_err(failed)?))
}

/// A timestamp column of milliseconds since 1970.
pub fn times(millis: impl Iterator<Item = i64>) -> ArrayRef {
    let micros: TimestampMicrosecondArray = millis.map(|ms| Some(ms * 1000)).collect();
    Arc::new(micros.with_timezone("UTC"))
}
