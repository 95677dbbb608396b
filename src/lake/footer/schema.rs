//! The leaf columns of a parquet schema in words, and a rule that it must keep.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, Type};

use crate::model::footer::Leaf;

pub(super) fn leaf(column: &ColumnDescriptor) -> Leaf {
    let physical_type = match column.physical_type() {
        Physical::FIXED_LEN_BYTE_ARRAY => format!("FIXED_LEN_BYTE_ARRAY({})", column.type_length()),
        other => other.to_string(),
    };
    let logical_type = match column.logical_type_ref() {
        Some(logical) => Some(logical_text(logical)),
        None => converted_text(column),
    };
    Leaf { path: column.path().string(), physical_type, logical_type }
}

fn logical_text(logical: &LogicalType) -> String {
    match logical {
        LogicalType::String => "STRING".into(),
        LogicalType::Map => "MAP".into(),
        LogicalType::List => "LIST".into(),
        LogicalType::Enum => "ENUM".into(),
        LogicalType::Decimal(d) => format!("DECIMAL({},{})", d.precision, d.scale),
        LogicalType::Date => "DATE".into(),
        LogicalType::Time(t) => format!("TIME({},{})", unit_text(t.unit), t.is_adjusted_to_u_t_c),
        LogicalType::Timestamp(t) => format!("TIMESTAMP({},{})", unit_text(t.unit), t.is_adjusted_to_u_t_c),
        LogicalType::Integer(i) => format!("INTEGER({},{})", i.bit_width, i.is_signed),
        LogicalType::Unknown => "UNKNOWN".into(),
        LogicalType::Json => "JSON".into(),
        LogicalType::Bson => "BSON".into(),
        LogicalType::Uuid => "UUID".into(),
        LogicalType::Float16 => "FLOAT16".into(),
        LogicalType::Variant(_) => "VARIANT".into(),
        LogicalType::Geometry(_) => "GEOMETRY".into(),
        LogicalType::Geography(_) => "GEOGRAPHY".into(),
        LogicalType::_Unknown { field_id } => format!("type {field_id} of a later format"),
    }
}

/// Older files state a converted type only.
fn converted_text(column: &ColumnDescriptor) -> Option<String> {
    Some(match column.converted_type() {
        ConvertedType::NONE => return None,
        ConvertedType::UTF8 => "STRING".into(),
        ConvertedType::DECIMAL => format!("DECIMAL({},{})", column.type_precision(), column.type_scale()),
        ConvertedType::TIME_MILLIS => "TIME(MILLIS,true)".into(),
        ConvertedType::TIME_MICROS => "TIME(MICROS,true)".into(),
        ConvertedType::TIMESTAMP_MILLIS => "TIMESTAMP(MILLIS,true)".into(),
        ConvertedType::TIMESTAMP_MICROS => "TIMESTAMP(MICROS,true)".into(),
        ConvertedType::INT_8 => "INTEGER(8,true)".into(),
        ConvertedType::INT_16 => "INTEGER(16,true)".into(),
        ConvertedType::INT_32 => "INTEGER(32,true)".into(),
        ConvertedType::INT_64 => "INTEGER(64,true)".into(),
        ConvertedType::UINT_8 => "INTEGER(8,false)".into(),
        ConvertedType::UINT_16 => "INTEGER(16,false)".into(),
        ConvertedType::UINT_32 => "INTEGER(32,false)".into(),
        ConvertedType::UINT_64 => "INTEGER(64,false)".into(),
        other => other.to_string(),
    })
}

fn unit_text(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::MILLIS => "MILLIS",
        TimeUnit::MICROS => "MICROS",
        TimeUnit::NANOS => "NANOS",
    }
}

/// The keys of a map are required (parquet-format, LogicalTypes.md, "Maps"); Arrow's C++ readers
/// refuse files where they are not, so such a footer is called bad here too.
pub(super) fn check_maps(of: &Type) -> Result<(), String> {
    if of.is_primitive() {
        return Ok(());
    }
    let info = of.get_basic_info();
    let is_map = matches!(info.logical_type_ref(), Some(LogicalType::Map))
        || matches!(info.converted_type(), ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE);
    // The map holds one repeated group, whose first field is the key.
    let entry = of.get_fields().first().filter(|entry| is_map && entry.is_group());
    let key = entry.and_then(|entry| entry.get_fields().first());
    let optional = |t: &Type| {
        t.get_basic_info().has_repetition() && t.get_basic_info().repetition() == Repetition::OPTIONAL
    };
    if key.is_some_and(|key| optional(key)) {
        return Err(format!("the keys of the map {} are not marked as required", of.name()));
    }
    of.get_fields().iter().try_for_each(|field| check_maps(field))
}
