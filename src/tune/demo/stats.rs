//! The statistics of a data file, as the log holds them (Delta protocol, "Per-file Statistics").

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::{max, max_string, min, min_string};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float64Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType,
};
use chrono::DateTime;
use serde_json::{Map, Value, json};

use crate::model::units::iso_time;

/// `numRecords`, `minValues`, `maxValues` and `nullCount` of all columns as JSON text.
pub fn of(batch: &RecordBatch) -> String {
    let (mut low, mut high, mut nulls) = (Map::new(), Map::new(), Map::new());
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        nulls.insert(field.name().clone(), json!(column.null_count()));
        if let Some((min, max)) = bounds(column) {
            low.insert(field.name().clone(), min);
            high.insert(field.name().clone(), max);
        }
    }
    json!({"numRecords": batch.num_rows(), "minValues": low, "maxValues": high, "nullCount": nulls})
        .to_string()
}

/// None for an empty column and for types that the demo does not use.
fn bounds(column: &dyn Array) -> Option<(Value, Value)> {
    macro_rules! ends {
        ($type:ty, $text:expr) => {{
            let values = column.as_primitive::<$type>();
            min(values).zip(max(values)).map(|(a, b)| ($text(a), $text(b)))
        }};
    }
    match column.data_type() {
        DataType::Int16 => ends!(Int16Type, |v| json!(v)),
        DataType::Int32 => ends!(Int32Type, |v| json!(v)),
        DataType::Int64 => ends!(Int64Type, |v| json!(v)),
        DataType::Float64 => ends!(Float64Type, |v| json!(v)),
        DataType::Decimal128(_, scale) => ends!(Decimal128Type, |v| decimal(v, *scale)),
        DataType::Date32 => ends!(Date32Type, |v| json!(date(v))),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            // Spark and delta-rs truncate to milliseconds, so that the maximum may be up to 1 ms
            // low; the demo's times are whole seconds.
            ends!(TimestampMicrosecondType, |v: i64| json!(iso_time(v.div_euclid(1000))))
        }
        DataType::Utf8 => {
            let values = column.as_string::<i32>();
            min_string(values).zip(max_string(values)).map(|(a, b)| (json!(a), json!(b)))
        }
        _ => None,
    }
}

/// A JSON number; the demo's decimals are far below what a double keeps exactly.
fn decimal(unscaled: i128, scale: i8) -> Value {
    json!(unscaled as f64 / 10f64.powi(i32::from(scale)))
}

/// `2026-04-01` of days since 1970.
pub fn date(days: i32) -> String {
    DateTime::from_timestamp(i64::from(days) * 86_400, 0)
        .map_or_else(String::new, |t| t.format("%Y-%m-%d").to_string())
}
