//! The physical schema of new data files: the table's columns under their physical names, with
//! field ids under column mapping (protocol, "Column Mapping").

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Fields, TimeUnit};

use crate::model::schema;
use crate::model::table::Table;
use crate::model::{Fault, Outcome};

/// The key under which the parquet crate keeps a field's id.
pub const FIELD_ID: &str = "PARQUET:field_id";

/// How a file's columns are found (`delta.columnMapping.mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    None,
    Name,
    Id,
}

impl Mapping {
    pub fn of(table: &Table) -> Outcome<Mapping> {
        match table.metadata.configuration.get("delta.columnMapping.mode").map(String::as_str) {
            None | Some("none") => Ok(Mapping::None),
            Some("name") => Ok(Mapping::Name),
            Some("id") => Ok(Mapping::Id),
            Some(other) => Err(Fault::feature(
                "unsupported-feature",
                format!("The column mapping mode \"{other}\" is not known"),
            )),
        }
    }
}

/// A column of new files.
#[derive(Debug, Clone)]
pub struct Column {
    /// Logical name.
    pub name: String,
    /// None: of a type that only the files know (variant, for instance).
    pub field: Option<FieldRef>,
    /// The physical name, and the id under column mapping.
    pub physical: String,
    pub id: Option<i64>,
    /// A partition column, which files hold or not.
    pub is_partition: bool,
}

impl Column {
    /// A field to look for in files: with the name and id, of any type.
    pub fn probe(&self) -> Field {
        let field = Field::new(&self.physical, DataType::Null, true);
        match self.id {
            Some(id) => field.with_metadata(HashMap::from([(FIELD_ID.to_owned(), id.to_string())])),
            None => field,
        }
    }
}

/// All columns of the table, in its order. `views`: strings and binary as views, which are cheap
/// to pass on; sorting wants them plain.
pub fn columns(table: &Table, mapping: Mapping, views: bool) -> Vec<Column> {
    let schema = table.metadata.schema.iter();
    schema
        .map(|field| {
            let is_partition = table.metadata.partition_columns.contains(&field.name);
            Column {
                name: field.name.clone(),
                field: physical_field(field, mapping, views).map(Arc::new),
                physical: physical_name(field, mapping).to_owned(),
                id: (mapping != Mapping::None).then(|| field.field_id()).flatten(),
                is_partition,
            }
        })
        .collect()
}

fn physical_name(field: &schema::Field, mapping: Mapping) -> &str {
    if mapping == Mapping::None { &field.name } else { field.physical_name() }
}

/// Every field may be null: that is how other writers have it, and what a file lacks is null.
fn physical_field(field: &schema::Field, mapping: Mapping, views: bool) -> Option<Field> {
    let data_type = arrow_type(&field.data_type, mapping, views)?;
    let out = Field::new(physical_name(field, mapping), data_type, true);
    let id = (mapping != Mapping::None).then(|| field.field_id()).flatten();
    Some(match id {
        Some(id) => out.with_metadata(HashMap::from([(FIELD_ID.to_owned(), id.to_string())])),
        None => out,
    })
}

/// None for types that have no fixed form in a file.
fn arrow_type(data_type: &schema::DataType, mapping: Mapping, views: bool) -> Option<DataType> {
    use schema::DataType as T;
    Some(match data_type {
        T::Primitive(name) => primitive(name, views)?,
        T::Struct(fields) => {
            let fields: Option<Fields> = fields.iter().map(|f| physical_field(f, mapping, views)).collect();
            DataType::Struct(fields?)
        }
        T::Array { element, .. } => list_of(arrow_type(element, mapping, views)?),
        T::Map { key, value, .. } => {
            map_of(arrow_type(key, mapping, views)?, arrow_type(value, mapping, views)?)
        }
        T::Unknown(_) => return None,
    })
}

/// A list as parquet names its parts.
pub fn list_of(element: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("element", element, true)))
}

/// A map as parquet names its parts.
pub fn map_of(key: DataType, value: DataType) -> DataType {
    let entry = Fields::from(vec![Field::new("key", key, false), Field::new("value", value, true)]);
    DataType::Map(Arc::new(Field::new("key_value", DataType::Struct(entry), false)), false)
}

/// Protocol, "Primitive Types".
fn primitive(name: &str, views: bool) -> Option<DataType> {
    Some(match name {
        "string" if views => DataType::Utf8View,
        "string" => DataType::Utf8,
        "binary" if views => DataType::BinaryView,
        "binary" => DataType::Binary,
        "long" => DataType::Int64,
        "integer" => DataType::Int32,
        "short" => DataType::Int16,
        "byte" => DataType::Int8,
        "float" => DataType::Float32,
        "double" => DataType::Float64,
        "boolean" => DataType::Boolean,
        "date" => DataType::Date32,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "timestamp_ntz" => DataType::Timestamp(TimeUnit::Microsecond, None),
        other => {
            let (precision, scale) = other.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
            let precision = precision.trim().parse().ok().filter(|p| (1..=38).contains(p))?;
            let scale = scale.trim().parse().ok().filter(|s| (0..=38).contains(s))?;
            DataType::Decimal128(precision, scale)
        }
    })
}
