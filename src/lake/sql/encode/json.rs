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
pub(in crate::lake::sql) fn value(array: &dyn Array, row: usize) -> Result<Value, ArrowError> {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{
        BinaryViewArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
        Float64Array, Int64Array, MapBuilder, NullArray, StringArray, StringBuilder,
        TimestampMicrosecondArray, UInt64Array,
    };
    use arrow::datatypes::{Field, Int8Type, Schema};
    use serde_json::json;

    use super::*;
    use crate::model::grid::Grid;

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, a)| a).collect()).unwrap()
    }

    /// The values of a column, as JSON and as text.
    fn both(array: ArrayRef) -> (Vec<Value>, Vec<Option<String>>) {
        let batch = batch(vec![("c", array)]);
        let json = json_rows(&batch).unwrap().into_iter().map(|mut row| row.remove("c").unwrap()).collect();
        let mut grid = Grid::default();
        super::super::append_rows(&mut grid, &batch);
        (json, grid.rows.into_iter().map(|mut row| row.remove(0)).collect())
    }

    fn texts(cells: &[&str]) -> Vec<Option<String>> {
        cells.iter().map(|c| Some((*c).to_owned())).collect()
    }

    #[test]
    fn integers_beyond_what_json_readers_keep_are_strings() {
        let edge = 1_i64 << 53;
        let (json, text) = both(Arc::new(Int64Array::from(vec![edge, edge + 1, -edge - 1, i64::MIN])));
        let big = ["9007199254740993", "-9007199254740993", "-9223372036854775808"];
        assert_eq!(json, [json!(edge), json!(big[0]), json!(big[1]), json!(big[2])]);
        assert_eq!(text, texts(&["9007199254740992", big[0], big[1], big[2]]));
        assert_eq!(both(Arc::new(UInt64Array::from(vec![u64::MAX]))).0, [json!("18446744073709551615")]);
    }

    #[test]
    fn decimals_are_strings_with_their_scale() {
        let array = Decimal128Array::from(vec![Some(-1), Some(12_300), None]).with_precision_and_scale(10, 2);
        let (json, text) = both(Arc::new(array.unwrap()));
        assert_eq!(json, [json!("-0.01"), json!("123.00"), Value::Null]);
        assert_eq!(text, [Some("-0.01".into()), Some("123.00".into()), None]);
    }

    #[test]
    fn floats_that_json_lacks_are_strings() {
        let (json, text) =
            both(Arc::new(Float64Array::from(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0])));
        assert_eq!(json, [json!("NaN"), json!("Infinity"), json!("-Infinity"), json!(1.0)]);
        assert_eq!(text, texts(&["NaN", "Infinity", "-Infinity", "1.0"]));
        let (json, text) = both(Arc::new(Float32Array::from(vec![0.1, 1e30])));
        assert_eq!(json, [json!(0.1), json!(1e30)]);
        assert_eq!(text, texts(&["0.1", "1e30"]));
    }

    #[test]
    fn times_have_a_zone_only_if_the_type_has() {
        let times = || TimestampMicrosecondArray::from(vec![1_706_695_200_000_000, -1]);
        let (json, text) = both(Arc::new(times().with_timezone("UTC")));
        assert_eq!(json, [json!("2024-01-31T10:00:00.000Z"), json!("1969-12-31T23:59:59.999999Z")]);
        assert_eq!(text, texts(&["2024-01-31 10:00:00", "1969-12-31 23:59:59.999999"]));
        assert_eq!(both(Arc::new(times())).0[0], json!("2024-01-31T10:00:00.000"));
        assert_eq!(both(Arc::new(Date32Array::from(vec![19_753]))).0, [json!("2024-01-31")]);
    }

    #[test]
    fn binary_dictionaries_and_nothing() {
        let (json, text) = both(Arc::new(BinaryViewArray::from(vec![Some(&b"\x00\xff!"[..]), None])));
        assert_eq!(json, [json!("AP8h"), Value::Null]);
        assert_eq!(text, [Some("0x00ff21".into()), None]);
        let words: DictionaryArray<Int8Type> = [Some("a"), None, Some("a")].into_iter().collect();
        assert_eq!(both(Arc::new(words)).0, [json!("a"), Value::Null, json!("a")]);
        assert_eq!(both(Arc::new(NullArray::new(1))), (vec![Value::Null], vec![None]));
    }

    #[test]
    fn nested_values_follow_the_same_rules() {
        let mut map = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
        map.keys().append_value("k");
        map.values().append_null();
        map.append(true).unwrap();
        let fields = vec![
            (
                Arc::new(Field::new("big", DataType::Int64, true)),
                Arc::new(Int64Array::from(vec![i64::MAX])) as ArrayRef,
            ),
            (
                Arc::new(Field::new("ok", DataType::Boolean, true)),
                Arc::new(BooleanArray::from(vec![true])) as ArrayRef,
            ),
        ];
        let (json, text) = both(Arc::new(StructArray::from(fields)));
        assert_eq!(json, [json!({"big": "9223372036854775807", "ok": true})]);
        assert_eq!(text, texts(&[r#"{"big":"9223372036854775807","ok":true}"#]));
        assert_eq!(both(Arc::new(map.finish())).0, [json!({"k": null})]);
    }

    #[test]
    fn columns_keep_order_and_each_has_a_name() {
        let one = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
        let rows =
            json_rows(&batch(vec![("z", one("1")), ("a", one("2")), ("z", one("3")), ("z_2", one("4"))]));
        let row = rows.unwrap().remove(0);
        let got: Vec<_> = row.iter().map(|(k, v)| (k.as_str(), v.as_str().unwrap())).collect();
        assert_eq!(got, [("z", "1"), ("a", "2"), ("z_3", "3"), ("z_2", "4")]);
    }
}
