//! Rows as JSON, by the command line's contract.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StructArray};
use arrow::datatypes::{self as ty, DataType};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

use super::text::cell;
use super::through_dictionary;
use super::time::{Style, date, timestamp};
use crate::model::{Fault, Outcome};

/// A batch's rows as JSON objects, per the command-line contract: decimals and integers beyond
/// ±2^53 as strings, NaN and infinities as strings, binary as base64, times as ISO 8601 (UTC with
/// `Z`, without a zone without), nested values as JSON. Columns keep their order; a name that
/// appears again gets a number (`id`, `id_2`).
pub fn json_rows(batch: &RecordBatch) -> Outcome<Vec<Map<String, Value>>> {
    let schema = batch.schema();
    let names = distinct(schema.fields().iter().map(|f| f.name()));
    let mut rows = Vec::with_capacity(batch.num_rows());
    for row in 0..batch.num_rows() {
        let columns = names.iter().zip(batch.columns());
        let cells = columns.map(|(name, column)| Ok((name.clone(), value(column, row)?)));
        rows.push(cells.collect::<Result<_, ArrowError>>().map_err(|e| {
            Fault::read("unreadable-value", "A value of the result cannot be written as JSON").because(e)
        })?);
    }
    Ok(rows)
}

/// The names, each unlike those before it.
fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let names: Vec<&String> = names.collect();
    let mut out: Vec<String> = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let taken = |candidate: &String, out: &[String]| {
            out.contains(candidate) || names.iter().skip(at + 1).any(|later| *later == candidate)
        };
        let mut chosen = (*name).clone();
        if out.contains(&chosen) {
            let numbered = (2..).map(|n| format!("{name}_{n}")).find(|c| !taken(c, &out));
            chosen = numbered.unwrap_or(chosen);
        }
        out.push(chosen);
    }
    out
}

/// One value as JSON.
pub(super) fn value(array: &dyn Array, row: usize) -> Result<Value, ArrowError> {
    use DataType as D;
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    if let Some((values, key)) = through_dictionary(array, row) {
        return key.map_or(Ok(Value::Null), |key| value(values, key));
    }
    Ok(match array.data_type() {
        D::Null => Value::Null,
        D::Boolean => array.as_boolean().value(row).into(),
        D::Int8 => array.as_primitive::<ty::Int8Type>().value(row).into(),
        D::Int16 => array.as_primitive::<ty::Int16Type>().value(row).into(),
        D::Int32 => array.as_primitive::<ty::Int32Type>().value(row).into(),
        D::Int64 => integer(array.as_primitive::<ty::Int64Type>().value(row).into()),
        D::UInt8 => array.as_primitive::<ty::UInt8Type>().value(row).into(),
        D::UInt16 => array.as_primitive::<ty::UInt16Type>().value(row).into(),
        D::UInt32 => array.as_primitive::<ty::UInt32Type>().value(row).into(),
        D::UInt64 => integer(array.as_primitive::<ty::UInt64Type>().value(row).into()),
        D::Float16 => short_float(array.as_primitive::<ty::Float16Type>().value(row).to_f32()),
        D::Float32 => short_float(array.as_primitive::<ty::Float32Type>().value(row)),
        D::Float64 => float(array.as_primitive::<ty::Float64Type>().value(row)),
        D::Date32 => date(array.as_primitive::<ty::Date32Type>().value(row).into()).into(),
        D::Timestamp(unit, zone) => {
            let text = timestamp(super::text::raw_timestamp(array, row, *unit), *unit, Style::Iso);
            if zone.is_some() { format!("{text}Z").into() } else { text.into() }
        }
        D::Utf8 | D::LargeUtf8 | D::Utf8View => plain(array, row)?.into(),
        D::Binary | D::LargeBinary | D::BinaryView | D::FixedSizeBinary(_) => {
            BASE64_STANDARD.encode(super::text::bytes(array, row).unwrap_or_default()).into()
        }
        D::List(_) => list(&array.as_list::<i32>().value(row))?,
        D::LargeList(_) => list(&array.as_list::<i64>().value(row))?,
        D::ListView(_) => list(&array.as_list_view::<i32>().value(row))?,
        D::LargeListView(_) => list(&array.as_list_view::<i64>().value(row))?,
        D::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row))?,
        D::Struct(_) => object(array.as_struct(), row)?,
        D::Map(..) => map(&array.as_map().value(row))?,
        _ => plain(array, row)?.into(),
    })
}

/// Whatever has no form of its own in JSON: decimals, times of day, intervals.
fn plain(array: &dyn Array, row: usize) -> Result<String, ArrowError> {
    let options = FormatOptions::default().with_display_error(false);
    ArrayFormatter::try_new(array, &options)?.value(row).try_to_string()
}

/// Readers of JSON keep integers exactly only up to 2^53.
fn integer(n: i128) -> Value {
    const EXACT: i128 = 1 << 53;
    match i64::try_from(n) {
        Ok(small) if n.abs() <= EXACT => small.into(),
        _ => n.to_string().into(),
    }
}

fn float(n: f64) -> Value {
    match serde_json::Number::from_f64(n) {
        Some(number) => Value::Number(number),
        None if n.is_nan() => "NaN".into(),
        None if n > 0.0 => "Infinity".into(),
        None => "-Infinity".into(),
    }
}

/// With the digits that a single-precision number has: 0.1, not 0.10000000149011612.
fn short_float(n: f32) -> Value {
    float(n.to_string().parse().unwrap_or(f64::from(n)))
}

fn list(values: &ArrayRef) -> Result<Value, ArrowError> {
    (0..values.len()).map(|row| value(values, row)).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn object(values: &StructArray, row: usize) -> Result<Value, ArrowError> {
    let names = distinct(values.fields().iter().map(|f| f.name()));
    let cells = names.into_iter().zip(values.columns());
    let cells = cells.map(|(name, column)| Ok((name, value(column, row)?)));
    cells.collect::<Result<Map<_, _>, ArrowError>>().map(Value::Object)
}

/// Keys as text, as JSON wants them.
fn map(entries: &StructArray) -> Result<Value, ArrowError> {
    let [keys, values] = entries.columns() else { return Ok(Value::Null) };
    let pairs = (0..entries.len()).map(|row| {
        let key = cell(keys, row).unwrap_or_else(|| "null".into());
        Ok((key, value(values, row)?))
    });
    pairs.collect::<Result<Map<_, _>, ArrowError>>().map(Value::Object)
}
