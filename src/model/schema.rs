//! A table's schema, read tolerantly: an unknown type is shown by its own text, never an error.
//! Format: Delta protocol, "Schema Serialization Format".

use std::fmt;

use serde_json::{Map, Value};

/// A column or a nested field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub data_type: DataType,
    pub nullable: bool,
    pub metadata: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum DataType {
    /// `long`, `decimal(10,2)`, … and any type that the log names by a string.
    Primitive(String),
    Struct(Vec<Field>),
    Array {
        element: Box<DataType>,
        contains_null: bool,
    },
    Map {
        key: Box<DataType>,
        value: Box<DataType>,
        value_contains_null: bool,
    },
    /// Something that is not of the protocol's form; its JSON text.
    Unknown(String),
}

impl Field {
    /// The name in data files and statistics: the physical name under column mapping
    /// (protocol: `delta.columnMapping.physicalName`), else the name.
    pub fn physical_name(&self) -> &str {
        self.metadata.get("delta.columnMapping.physicalName").and_then(Value::as_str).unwrap_or(&self.name)
    }

    /// The field id under column mapping (`delta.columnMapping.id`).
    pub fn field_id(&self) -> Option<i64> {
        self.metadata.get("delta.columnMapping.id").and_then(Value::as_i64)
    }

    /// The generation expression (`delta.generationExpression`).
    pub fn generation_expression(&self) -> Option<&str> {
        self.metadata.get("delta.generationExpression").and_then(Value::as_str)
    }

    /// Whether it is an identity column (`delta.identity.*`).
    pub fn is_identity(&self) -> bool {
        self.metadata.keys().any(|k| k.starts_with("delta.identity."))
    }

    /// Whether it carries an invariant (`delta.invariants`).
    pub fn has_invariant(&self) -> bool {
        self.metadata.contains_key("delta.invariants")
    }
}

/// Reads a `schemaString`. The error says what is not of the protocol's form.
pub fn parse_schema(text: &str) -> Result<Vec<Field>, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("schemaString is not JSON: {e}"))?;
    match parse_type(&value) {
        DataType::Struct(fields) => Ok(fields),
        _ => Err("schemaString is not a struct".into()),
    }
}

fn parse_type(value: &Value) -> DataType {
    let unknown = || DataType::Unknown(value.to_string());
    let object = match value {
        Value::String(name) => return DataType::Primitive(name.clone()),
        Value::Object(object) => object,
        _ => return unknown(),
    };
    let part = |key: &str| object.get(key).map(|v| Box::new(parse_type(v)));
    let flag = |key: &str| object.get(key).and_then(Value::as_bool).unwrap_or(true);
    match object.get("type").and_then(Value::as_str) {
        Some("struct") => match object.get("fields").and_then(Value::as_array) {
            Some(fields) => DataType::Struct(fields.iter().filter_map(parse_field).collect()),
            None => unknown(),
        },
        Some("array") => match part("elementType") {
            Some(element) => DataType::Array { element, contains_null: flag("containsNull") },
            None => unknown(),
        },
        Some("map") => match (part("keyType"), part("valueType")) {
            (Some(key), Some(value)) => {
                DataType::Map { key, value, value_contains_null: flag("valueContainsNull") }
            }
            _ => unknown(),
        },
        _ => unknown(),
    }
}

fn parse_field(value: &Value) -> Option<Field> {
    let name = value.get("name")?.as_str()?.to_owned();
    Some(Field {
        name,
        data_type: value.get("type").map_or(DataType::Unknown("?".into()), parse_type),
        nullable: value.get("nullable").and_then(Value::as_bool).unwrap_or(true),
        metadata: value.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default(),
    })
}

/// As Spark writes types: `array<struct<a:int,b:string>>`.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataType::Primitive(name) => f.write_str(name),
            DataType::Struct(fields) => {
                f.write_str("struct<")?;
                for (i, field) in fields.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    write!(f, "{comma}{}:{}", field.name, field.data_type)?;
                }
                f.write_str(">")
            }
            DataType::Array { element, .. } => write!(f, "array<{element}>"),
            DataType::Map { key, value, .. } => write!(f, "map<{key},{value}>"),
            DataType::Unknown(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_and_unknown_types() {
        let text = r#"{"type":"struct","fields":[
            {"name":"a","type":"decimal(10,2)","nullable":false,"metadata":{"delta.columnMapping.physicalName":"col-1"}},
            {"name":"m","type":{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"geometry(EPSG:4326)","containsNull":true},"valueContainsNull":true},"nullable":true,"metadata":{}},
            {"name":"w","type":{"type":"wheel"},"nullable":true}]}"#;
        let fields = parse_schema(text).unwrap();
        assert_eq!(fields[0].physical_name(), "col-1");
        assert_eq!(fields[1].data_type.to_string(), "map<string,array<geometry(EPSG:4326)>>");
        assert_eq!(fields[2].data_type, DataType::Unknown(r#"{"type":"wheel"}"#.into()));
        assert!(parse_schema("[]").is_err());
        assert!(parse_schema("{").is_err());
    }
}
