//! The few rows of a parquet checkpoint that are not files, as JSON lines: so that one reader of
//! actions serves commits and checkpoints alike.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StructArray};
use arrow::datatypes::{DataType, Int32Type, Int64Type};
use serde_json::{Map, Value};

/// Appends one line for each action of the batch.
pub fn append_lines(batch: &RecordBatch, out: &mut Vec<u8>) {
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let Some(action) = column.as_struct_opt().filter(|a| a.null_count() < a.len()) else {
            continue;
        };
        for row in (0..action.len()).filter(|row| action.is_valid(*row)) {
            let line = Map::from_iter([(field.name().clone(), object(action, row))]);
            out.extend_from_slice(Value::Object(line).to_string().as_bytes());
            out.push(b'\n');
        }
    }
}

/// One action as JSON; fields of types that no action has are null.
pub fn object(array: &StructArray, row: usize) -> Value {
    let fields = array.fields().iter().zip(array.columns());
    fields.map(|(field, column)| (field.name().clone(), value(column, row))).collect::<Map<_, _>>().into()
}

/// A value of one of the types that these actions are made of; others are null.
fn value(array: &ArrayRef, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Binary => String::from_utf8_lossy(array.as_binary::<i32>().value(row)).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Struct(_) => object(array.as_struct(), row),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|i| value(&items, i)).collect()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let entry = |i| (text(value(keys, i)), value(values, i));
            (0..entries.len()).map(entry).collect::<Map<_, _>>().into()
        }
        _ => Value::Null,
    }
}

fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
