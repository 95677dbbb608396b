//! Values as Spark writes them as text, bytes and JSON.

use std::fmt::Write;

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::Result;

use crate::lake::sql::encode::{json_value, text_of};

/// As `CAST(… AS STRING)` gives them.
pub(super) fn texts(array: &ArrayRef) -> Result<StringArray> {
    if matches!(array.data_type(), DataType::Timestamp(..)) {
        return Ok((0..array.len()).map(|at| text_of(array, at).map(short)).collect());
    }
    Ok(cast(array, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// A fraction of seconds without the zeros at its end.
fn short(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').to_owned() } else { text }
}

pub(super) fn is_bytes(of: &DataType) -> bool {
    matches!(
        of,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_)
    )
}

/// Bytes as they are, all else as the bytes of its text.
pub(super) fn bytes(array: &ArrayRef) -> Result<ArrayRef> {
    if is_bytes(array.data_type()) {
        return Ok(cast(array, &DataType::Binary)?);
    }
    let texts: ArrayRef = std::sync::Arc::new(texts(array)?);
    Ok(cast(&texts, &DataType::Binary)?)
}

/// A value that is not NULL as JSON. Fields that are NULL are left out, as Spark does.
pub(super) fn json(array: &dyn Array, at: usize) -> Result<String> {
    let mut out = String::new();
    write_json(array, at, &mut out)?;
    Ok(out)
}

fn write_json(array: &dyn Array, at: usize, out: &mut String) -> Result<()> {
    if array.is_null(at) {
        out.push_str("null");
        return Ok(());
    }
    match array.data_type() {
        DataType::List(_) => {
            let values = array.as_list::<i32>().value(at);
            out.push('[');
            for n in 0..values.len() {
                out.push_str(if n > 0 { "," } else { "" });
                write_json(&values, n, out)?;
            }
            out.push(']');
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let named = fields.iter().zip(columns).filter(|(_, c)| c.is_valid(at));
            out.push('{');
            for (n, (field, column)) in named.enumerate() {
                let _ = write!(out, "{}{}:", if n > 0 { "," } else { "" }, quoted(field.name()));
                write_json(column, at, out)?;
            }
            out.push('}');
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(at);
            let [keys, values] = entries.columns() else { return Ok(()) };
            out.push('{');
            for n in 0..entries.len() {
                let key = text_of(keys, n).unwrap_or_default();
                let _ = write!(out, "{}{}:", if n > 0 { "," } else { "" }, quoted(&key));
                write_json(values, n, out)?;
            }
            out.push('}');
        }
        of if of.is_integer() || matches!(of, DataType::Decimal128(..)) => {
            out.push_str(&text_of(array, at).unwrap_or_default());
        }
        _ => out.push_str(&json_value(array, at)?.to_string()),
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
