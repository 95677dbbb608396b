//! Rows as text for people.

use std::fmt::Write;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{self as ty, DataType, SchemaRef, TimeUnit};

use super::time::{Style, timestamp};
use super::{json, spark, through_dictionary};
use crate::model::grid::{Grid, GridColumn};
use serde_json::Value;

/// The columns of a result, with Spark's type names.
pub fn grid_columns(schema: &SchemaRef) -> Vec<GridColumn> {
    let column = |f: &std::sync::Arc<ty::Field>| GridColumn {
        name: f.name().clone(),
        data_type: spark::type_name(f.data_type()),
        numeric: is_numeric(f.data_type()),
    };
    schema.fields().iter().map(column).collect()
}

fn is_numeric(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, value) => is_numeric(value),
        other => other.is_numeric(),
    }
}

/// Appends a batch's rows to a grid as text.
pub fn append_rows(grid: &mut Grid, batch: &RecordBatch) {
    grid.rows.reserve(batch.num_rows());
    for row in 0..batch.num_rows() {
        grid.rows.push(batch.columns().iter().map(|column| cell(column, row)).collect());
    }
}

/// One record of CSV (RFC 4180) with its line end. NULL is nothing, the empty text is `""`.
pub fn csv_record(cells: &[Option<String>]) -> String {
    let field = |cell: &Option<String>| match cell.as_deref() {
        None => String::new(),
        Some(text) if text.is_empty() || text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Some(text) => text.to_owned(),
    };
    let mut out = cells.iter().map(field).collect::<Vec<_>>().join(",");
    out.push('\n');
    out
}

/// The shortest text that reads back as the same number; infinities by the names that JSON output uses.
fn float(value: impl std::fmt::Debug) -> String {
    format!("{value:?}").replace("inf", "Infinity")
}

/// One value as text; None is NULL. Nested values are JSON, binary is hexadecimal.
pub(in crate::lake::sql) fn cell(array: &dyn Array, row: usize) -> Option<String> {
    use DataType as D;
    if array.is_null(row) {
        return None;
    }
    if let Some((values, key)) = through_dictionary(array, row) {
        return cell(values, key?);
    }
    if let Some(bytes) = bytes(array, row) {
        return Some(hexadecimal(bytes));
    }
    match array.data_type() {
        D::Timestamp(unit, _) => Some(timestamp(raw_timestamp(array, row, *unit), *unit, Style::People)),
        D::Float64 => Some(float(array.as_primitive::<ty::Float64Type>().value(row))),
        D::Float32 => Some(float(array.as_primitive::<ty::Float32Type>().value(row))),
        _ => match json::value(array, row) {
            Ok(Value::Null) => None,
            Ok(Value::String(text)) => Some(text),
            Ok(other) => Some(other.to_string()),
            // An unreadable value must not look like NULL.
            Err(e) => Some(format!("<{e}>")),
        },
    }
}

/// The bytes of a binary value; none of other types.
pub(super) fn bytes(array: &dyn Array, row: usize) -> Option<&[u8]> {
    Some(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(row),
        DataType::LargeBinary => array.as_binary::<i64>().value(row),
        DataType::BinaryView => array.as_binary_view().value(row),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row),
        _ => return None,
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 + 2 * bytes.len());
    out.push_str("0x");
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A timestamp's number in its own unit.
pub(super) fn raw_timestamp(array: &dyn Array, row: usize, unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => array.as_primitive::<ty::TimestampSecondType>().value(row),
        TimeUnit::Millisecond => array.as_primitive::<ty::TimestampMillisecondType>().value(row),
        TimeUnit::Microsecond => array.as_primitive::<ty::TimestampMicrosecondType>().value(row),
        TimeUnit::Nanosecond => array.as_primitive::<ty::TimestampNanosecondType>().value(row),
    }
}
