//! Minimum and maximum of a column chunk: which may be trusted, and how they are written.
//!
//! The rules are those of parquet.thrift (`Statistics`, `ColumnOrder`): `min_value` and `max_value`
//! follow the order that the column's type defines, if the file says so; the older `min` and `max`
//! were compared as signed values, which is wrong for strings, binary and unsigned numbers; types
//! without an order (INT96, intervals, geometry) have no usable bounds; NaN is ignored.

use std::cmp::Ordering;

use arrow::datatypes::{ArrowPrimitiveType, Float16Type};
use parquet::basic::{
    ColumnOrder, ConvertedType, LogicalType, SortOrder, TimeUnit as Unit, Type as Physical,
};
use parquet::file::metadata::{ColumnChunkMetaData, FileMetaData};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescriptor;

use crate::model::footer::Bound;
use crate::model::footer::bound::TimeUnit;

/// Each bound with whether it is exact.
#[derive(Default)]
pub(super) struct Pair {
    pub min: Option<(Bound, bool)>,
    pub max: Option<(Bound, bool)>,
}

/// How the bounds of each leaf column are read, found once a file.
pub(super) struct Rules(Vec<Rule>);

struct Rule {
    /// None if the type has no order.
    kind: Option<Kind>,
    /// The file says that the type's own order was used.
    type_defined: bool,
    /// Signed comparison is the type's own order, so that older statistics hold as well.
    signed: bool,
}

/// What the bytes of a bound mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    UInt,
    Float,
    Float16,
    Date,
    Time(TimeUnit),
    Timestamp(TimeUnit, bool),
    Decimal(u32),
    Text,
    Uuid,
    Binary,
}

impl Rules {
    pub fn new(file: &FileMetaData) -> Self {
        let columns = file.schema_descr().columns().iter().enumerate();
        Rules(columns.map(|(at, column)| Rule::new(column, file.column_order(at))).collect())
    }

    /// The bounds of a chunk of leaf column `at`.
    pub fn of(&self, at: usize, chunk: &ColumnChunkMetaData) -> Pair {
        match (self.0.get(at), chunk.statistics()) {
            (Some(rule), Some(statistics)) => rule.read(statistics).unwrap_or_default(),
            _ => Pair::default(),
        }
    }
}

impl Rule {
    fn new(column: &ColumnDescriptor, order: ColumnOrder) -> Self {
        let bytes = matches!(column.physical_type(), Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY);
        let own = column.sort_order();
        let known = own != SortOrder::UNDEFINED && order != ColumnOrder::UNKNOWN;
        Rule {
            kind: if known { Kind::of(column) } else { None },
            type_defined: matches!(order, ColumnOrder::TYPE_DEFINED_ORDER(_)),
            signed: !bytes && (own == SortOrder::SIGNED || column.physical_type() == Physical::BOOLEAN),
        }
    }

    fn read(&self, statistics: &Statistics) -> Option<Pair> {
        let kind = self.kind?;
        let trusted = self.signed || (self.type_defined && !statistics.is_min_max_deprecated());
        if !trusted {
            return None;
        }
        let physical = statistics.physical_type();
        let min = statistics.min_bytes_opt().map(|b| kind.value(physical, b));
        let max = statistics.max_bytes_opt().map(|b| kind.value(physical, b));
        // One side that cannot be right makes the other doubtful.
        let (min, max) = (all(min)?, all(max)?);
        if let (Some(min), Some(max)) = (&min, &max)
            && min.order(max).is_none_or(Ordering::is_gt)
        {
            return None;
        }
        Some(Pair {
            min: min.map(|v| (kind.show(v), statistics.min_is_exact())),
            max: max.map(|v| (kind.show(v), statistics.max_is_exact())),
        })
    }
}

/// A bound as it is compared.
enum Value<'a> {
    Int(i64),
    UInt(u64),
    Float(f64),
    /// Two's complement, big-endian.
    Number(&'a [u8]),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Value<'_> {
    fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::UInt(a), Value::UInt(b)) => Some(a.cmp(b)),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
            (Value::Number(a), Value::Number(b)) => Some(order_numbers(a, b)),
            (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
            (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// Two's complement numbers of any lengths.
fn order_numbers(a: &[u8], b: &[u8]) -> Ordering {
    let fill = |n: &[u8]| if n.first().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
    let width = a.len().max(b.len());
    let digits = |n: &[u8]| {
        let pad = std::iter::repeat_n(fill(n), width - n.len());
        pad.chain(n.iter().copied())
            .enumerate()
            .map(|(i, b)| if i == 0 { b ^ 0x80 } else { b })
            .collect::<Vec<u8>>()
    };
    digits(a).cmp(&digits(b))
}

impl Kind {
    /// None for types without an order or unknown to this program.
    fn of(column: &ColumnDescriptor) -> Option<Kind> {
        let physical = column.physical_type();
        let is_bytes = matches!(physical, Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY);
        let scale = |scale: i32| u32::try_from(scale).ok().filter(|s| *s <= 1_000).map(Kind::Decimal);
        if let Some(logical) = column.logical_type_ref() {
            return match logical {
                LogicalType::String | LogicalType::Enum | LogicalType::Json if is_bytes => Some(Kind::Text),
                LogicalType::Bson => Some(Kind::Binary),
                LogicalType::Uuid => Some(Kind::Uuid),
                LogicalType::Float16 => Some(Kind::Float16),
                LogicalType::Decimal(d) => scale(d.scale),
                LogicalType::Date => Some(Kind::Date),
                LogicalType::Time(t) => Some(Kind::Time(unit(t.unit))),
                LogicalType::Timestamp(t) => Some(Kind::Timestamp(unit(t.unit), t.is_adjusted_to_u_t_c)),
                LogicalType::Integer(i) if i.is_signed => Some(Kind::Int),
                LogicalType::Integer(_) => Some(Kind::UInt),
                _ => None,
            };
        }
        match column.converted_type() {
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Some(Kind::Text),
            ConvertedType::BSON => Some(Kind::Binary),
            ConvertedType::DECIMAL => scale(column.type_scale()),
            ConvertedType::DATE => Some(Kind::Date),
            ConvertedType::TIME_MILLIS => Some(Kind::Time(TimeUnit::Millis)),
            ConvertedType::TIME_MICROS => Some(Kind::Time(TimeUnit::Micros)),
            ConvertedType::TIMESTAMP_MILLIS => Some(Kind::Timestamp(TimeUnit::Millis, true)),
            ConvertedType::TIMESTAMP_MICROS => Some(Kind::Timestamp(TimeUnit::Micros, true)),
            ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64 => {
                Some(Kind::Int)
            }
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Some(Kind::UInt),
            ConvertedType::NONE => match physical {
                Physical::BOOLEAN => Some(Kind::Bool),
                Physical::INT32 | Physical::INT64 => Some(Kind::Int),
                Physical::FLOAT | Physical::DOUBLE => Some(Kind::Float),
                Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => Some(Kind::Binary),
                Physical::INT96 => None,
            },
            _ => None,
        }
    }

    /// None if the bytes are not of the type (NaN, broken UTF-8, wrong length).
    fn value(self, physical: Physical, bytes: &[u8]) -> Option<Value<'_>> {
        let four = || bytes.first_chunk::<4>();
        let eight = || bytes.first_chunk::<8>();
        Some(match (physical, self) {
            (Physical::BOOLEAN, Kind::Bool) => Value::UInt(u64::from(*bytes.first()? != 0)),
            (Physical::INT32, Kind::UInt) => Value::UInt(u32::from_le_bytes(*four()?).into()),
            (Physical::INT32, _) => Value::Int(i32::from_le_bytes(*four()?).into()),
            (Physical::INT64, Kind::UInt) => Value::UInt(u64::from_le_bytes(*eight()?)),
            (Physical::INT64, _) => Value::Int(i64::from_le_bytes(*eight()?)),
            (Physical::FLOAT, Kind::Float) => Value::Float(shortest(f32::from_le_bytes(*four()?))?),
            (Physical::DOUBLE, Kind::Float) => Value::Float(number(f64::from_le_bytes(*eight()?))?),
            (Physical::FIXED_LEN_BYTE_ARRAY, Kind::Float16) => {
                type Half = <Float16Type as ArrowPrimitiveType>::Native;
                Value::Float(shortest(Half::from_le_bytes(bytes.try_into().ok()?).to_f32())?)
            }
            (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, kind) => match kind {
                Kind::Decimal(_) if !bytes.is_empty() => Value::Number(bytes),
                Kind::Text => Value::Text(std::str::from_utf8(bytes).ok()?),
                Kind::Uuid | Kind::Binary => Value::Bytes(bytes),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn show(self, value: Value<'_>) -> Bound {
        match (value, self) {
            (Value::UInt(v), Kind::Bool) => Bound::Bool(v != 0),
            (Value::Int(v), Kind::Date) => i32::try_from(v).map_or(Bound::Int(v), Bound::date),
            (Value::Int(v), Kind::Time(unit)) => Bound::time(v, unit),
            (Value::Int(v), Kind::Timestamp(unit, utc)) => Bound::timestamp(v, unit, utc),
            (Value::Int(v), Kind::Decimal(scale)) => Bound::decimal(&v.to_be_bytes(), scale),
            (Value::Number(bytes), Kind::Decimal(scale)) => Bound::decimal(bytes, scale),
            (Value::Bytes(bytes), Kind::Uuid) => Bound::uuid(bytes),
            (Value::Int(v), _) => Bound::Int(v),
            (Value::UInt(v), _) => Bound::UInt(v),
            (Value::Float(v), _) => Bound::Float(v),
            (Value::Text(v), _) => Bound::Text(v.to_owned()),
            (Value::Bytes(bytes) | Value::Number(bytes), _) => Bound::binary(bytes),
        }
    }
}

fn unit(unit: Unit) -> TimeUnit {
    match unit {
        Unit::MILLIS => TimeUnit::Millis,
        Unit::MICROS => TimeUnit::Micros,
        Unit::NANOS => TimeUnit::Nanos,
    }
}

/// None only if there are bytes that make no value.
fn all<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    value.map_or(Some(None), |v| v.map(Some))
}

fn number(value: f64) -> Option<f64> {
    Some(value).filter(|v| !v.is_nan())
}

/// The double that is written as the float is: 0.1 stays 0.1.
fn shortest(value: f32) -> Option<f64> {
    value.to_string().parse().ok().and_then(number)
}

#[cfg(test)]
mod tests;
