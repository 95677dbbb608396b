//! The statistics of a checkpoint's files: typed ones (`stats_parsed`) where a row has them, else
//! the JSON text (protocol, "Checkpoint Schema"). Whatever cannot be brought to the column's type
//! is unknown, never a fault.

use std::collections::HashSet;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, StructArray};
use arrow::buffer::NullBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int64Type, TimeUnit};

use super::columns::{integers, number};
use crate::lake::log::stats;
use crate::model::stats::{Scalar, StatKind, StatsTable, TypedStats, WantedColumn, double_key};

/// The most digits that Delta's decimals have.
const PRECISION: u8 = 38;

/// Which leaves below `stats_parsed` to read.
pub struct Leaves(HashSet<Vec<String>>);

/// None if no statistics are asked for.
pub fn leaves(asked: Option<&StatsTable>) -> Option<Leaves> {
    asked.map(|table| Leaves(table.wanted().iter().map(|w| w.path.clone()).collect()))
}

impl Leaves {
    /// `path`: the names below `stats_parsed`.
    pub fn wants(&self, path: &[String]) -> bool {
        match path {
            [name] => matches!(name.as_str(), "numRecords" | "tightBounds"),
            [group, rest @ ..] => {
                matches!(group.as_str(), "minValues" | "maxValues" | "nullCount") && self.0.contains(rest)
            }
            [] => false,
        }
    }
}

/// One batch's typed statistics.
pub struct Figures {
    typed: Option<Typed>,
}

struct Typed {
    rows: Option<NullBuffer>,
    records: Int64Array,
    tight: Option<BooleanArray>,
    columns: Vec<Column>,
}

#[derive(Default)]
struct Column {
    kind: Option<StatKind>,
    min: Option<Bounds>,
    max: Option<Bounds>,
    nulls: Option<Int64Array>,
}

/// A column's bounds, all of one type.
struct Bounds {
    values: ArrayRef,
    valid: Option<NullBuffer>,
}

impl Figures {
    /// None if no statistics are asked for.
    pub fn of(add: &StructArray, asked: Option<&StatsTable>) -> Result<Option<Figures>, String> {
        let Some(asked) = asked else { return Ok(None) };
        let parsed = add.column_by_name("stats_parsed").and_then(|c| c.as_struct_opt());
        let typed = match parsed {
            Some(parsed) => Typed::of(parsed, asked.wanted())?,
            None => None,
        };
        Ok(Some(Figures { typed }))
    }

    /// Adds the file of this row; `json` is its statistics' text.
    pub fn push(&self, row: usize, json: Option<&str>, to: &mut StatsTable) {
        let typed = self.typed.as_ref().filter(|t| t.rows.as_ref().is_none_or(|r| r.is_valid(row)));
        let Some(typed) = typed.filter(|t| json.is_none() || t.records.is_valid(row)) else {
            return to.push_json(json);
        };
        let records = number(Some(&typed.records), row).and_then(stats::known);
        let tight = typed.tight.as_ref().is_none_or(|t| !t.is_valid(row) || t.value(row));
        to.push_typed(records, tight, |i| typed.columns.get(i).map(|c| c.at(row)).unwrap_or_default());
    }
}

impl Typed {
    /// None if they lack `numRecords`: then nothing tells which rows have statistics at all.
    fn of(parsed: &StructArray, wanted: &[WantedColumn]) -> Result<Option<Typed>, String> {
        let Some(records) = integers(parsed, "numRecords")? else { return Ok(None) };
        let column = |want: &WantedColumn| Column {
            kind: Some(want.kind),
            min: leaf(parsed, "minValues", &want.path).and_then(|l| bounds(l, want.kind, false)),
            max: leaf(parsed, "maxValues", &want.path).and_then(|l| bounds(l, want.kind, true)),
            nulls: leaf(parsed, "nullCount", &want.path).and_then(counts),
        };
        Ok(Some(Typed {
            rows: parsed.nulls().cloned(),
            records,
            tight: parsed.column_by_name("tightBounds").and_then(|c| c.as_boolean_opt()).cloned(),
            columns: wanted.iter().map(column).collect(),
        }))
    }
}

/// The leaf at a path, and where it and all that it lies in is not null: a child of a null parent
/// may hold anything.
fn leaf(parsed: &StructArray, group: &str, path: &[String]) -> Option<(ArrayRef, Option<NullBuffer>)> {
    let mut at: ArrayRef = parsed.column_by_name(group)?.clone();
    let mut valid = at.nulls().cloned();
    for name in path {
        let inner = at.as_struct_opt()?.column_by_name(name)?.clone();
        valid = NullBuffer::union(valid.as_ref(), inner.nulls());
        at = inner;
    }
    Some((at, valid))
}

fn counts((values, valid): (ArrayRef, Option<NullBuffer>)) -> Option<Int64Array> {
    let values = cast(&values, &DataType::Int64).ok()?;
    Some(Int64Array::new(values.as_primitive_opt::<Int64Type>()?.values().clone(), valid))
}

/// `upper`: a bound that must be rounded is rounded up.
fn bounds((values, valid): (ArrayRef, Option<NullBuffer>), kind: StatKind, upper: bool) -> Option<Bounds> {
    let to = match (kind, values.data_type()) {
        (StatKind::Boolean, _) => DataType::Boolean,
        (StatKind::Long, _) => DataType::Int64,
        (StatKind::Double, _) => DataType::Float64,
        (StatKind::Decimal { scale }, _) => DataType::Decimal128(PRECISION, i8::try_from(scale).ok()?),
        (StatKind::Date, DataType::Date32) => DataType::Int32,
        (StatKind::Timestamp, DataType::Timestamp(unit, _)) => {
            let values = cast(&values, &DataType::Timestamp(*unit, None)).ok()?;
            return Some(Bounds { values: micros(&values, *unit, upper)?, valid });
        }
        // Files that are older than a widening from date.
        (StatKind::Timestamp, DataType::Date32) => {
            let values = cast(&values, &DataType::Timestamp(TimeUnit::Microsecond, None)).ok()?;
            return Some(Bounds { values: cast(&values, &DataType::Int64).ok()?, valid });
        }
        (StatKind::Text, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => DataType::Utf8,
        _ => return None,
    };
    if matches!(kind, StatKind::Long) && !values.data_type().is_integer() {
        return None;
    }
    let mut values = cast(&values, &to).ok()?;
    if to == DataType::Int32 {
        values = cast(&values, &DataType::Int64).ok()?;
    }
    // What did not fit became null, and so unknown.
    let valid = NullBuffer::union(valid.as_ref(), values.nulls());
    Some(Bounds { values, valid })
}

/// Times in microseconds, as 64-bit integers. Nanoseconds (INT96) are rounded outwards.
fn micros(values: &ArrayRef, unit: TimeUnit, upper: bool) -> Option<ArrayRef> {
    let raw = cast(values, &DataType::Int64).ok()?;
    let raw = raw.as_primitive_opt::<Int64Type>()?;
    let scaled: Int64Array = match unit {
        TimeUnit::Second => raw.unary_opt(|v| v.checked_mul(1_000_000)),
        TimeUnit::Millisecond => raw.unary_opt(|v| v.checked_mul(1000)),
        TimeUnit::Microsecond => raw.clone(),
        TimeUnit::Nanosecond => {
            raw.unary(|v: i64| v.div_euclid(1000) + i64::from(upper && v.rem_euclid(1000) != 0))
        }
    };
    Some(std::sync::Arc::new(scaled))
}

impl Column {
    fn at(&self, row: usize) -> TypedStats {
        let bound = |b: &Option<Bounds>| b.as_ref().zip(self.kind).and_then(|(b, kind)| b.at(row, kind));
        TypedStats {
            min: bound(&self.min),
            max: bound(&self.max),
            nulls: number(self.nulls.as_ref(), row).and_then(|n| u64::try_from(n).ok()),
        }
    }
}

impl Bounds {
    fn at(&self, row: usize, kind: StatKind) -> Option<Scalar> {
        if self.valid.as_ref().is_some_and(|v| v.is_null(row)) || row >= self.values.len() {
            return None;
        }
        let values = &self.values;
        Some(match kind {
            StatKind::Boolean => Scalar::Int(i64::from(values.as_boolean_opt()?.value(row))),
            StatKind::Double => Scalar::Int(double_key(values.as_primitive_opt::<Float64Type>()?.value(row))),
            StatKind::Decimal { .. } => Scalar::Wide(values.as_primitive_opt::<Decimal128Type>()?.value(row)),
            StatKind::Text => Scalar::Text(values.as_string_opt::<i32>()?.value(row).to_owned()),
            StatKind::Long | StatKind::Date | StatKind::Timestamp => {
                Scalar::Int(values.as_primitive_opt::<Int64Type>()?.value(row))
            }
            StatKind::Unordered => return None,
        })
    }
}
