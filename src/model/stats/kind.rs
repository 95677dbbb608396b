//! How the statistics of each type are kept and compared.

use crate::model::schema::DataType;

/// How a column's bounds are kept and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatKind {
    /// `boolean`: 0 or 1.
    Boolean,
    /// `byte`, `short`, `integer`, `long`.
    Long,
    /// `float`, `double`; NaN sorts above infinity, as in Spark.
    Double,
    /// `decimal(p,s)`: the unscaled value.
    Decimal { scale: u8 },
    /// Days since 1970-01-01.
    Date,
    /// `timestamp`, `timestamp_ntz`: microseconds since 1970 (UTC, or the local clock's).
    Timestamp,
    /// `string`, compared by its UTF-8 bytes.
    Text,
    /// Binary, arrays, maps, variants and types unknown here: without bounds, only their nulls count.
    Unordered,
}

impl StatKind {
    /// None for types without ordered statistics: binary, struct, array, map, variant, unknown ones.
    pub fn of(data_type: &DataType) -> Option<Self> {
        let DataType::Primitive(name) = data_type else { return None };
        Some(match name.as_str() {
            "boolean" => StatKind::Boolean,
            "byte" | "short" | "integer" | "long" => StatKind::Long,
            "float" | "double" => StatKind::Double,
            "date" => StatKind::Date,
            "timestamp" | "timestamp_ntz" => StatKind::Timestamp,
            "string" => StatKind::Text,
            "decimal" => StatKind::Decimal { scale: 0 },
            other => {
                let inner = other.strip_prefix("decimal(")?.strip_suffix(')')?;
                let scale: u8 = inner.split_once(',').map_or("0", |(_, s)| s).trim().parse().ok()?;
                (scale <= 38).then_some(StatKind::Decimal { scale })?
            }
        })
    }

    /// Whether there can be a smallest and a largest value.
    pub fn is_ordered(self) -> bool {
        self != StatKind::Unordered
    }

    /// Whether neighbouring values differ by exactly one unit of the key (integers, dates, …);
    /// doubles and strings are taken as continuous.
    pub fn is_discrete(self) -> bool {
        !matches!(self, StatKind::Double | StatKind::Text)
    }
}
