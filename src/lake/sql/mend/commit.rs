//! A table's state as one commit (Delta protocol, "Actions").

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, utf8_percent_encode};
use serde_json::{Map, Value, json};

use crate::lake::log::key::IN_URI;
use crate::model::files::{FileList, FileRef};
use crate::model::schema::{DataType, Field};
use crate::model::table::{Protocol, Table};

/// In a relative path a `:` would read as the end of a scheme.
const IN_RELATIVE_URI: &AsciiSet = &IN_URI.add(b':');

/// One action a line.
pub(super) fn text(table: &Table, files: &FileList) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut line = |action: Value| {
        serde_json::to_writer(&mut out, &action)?;
        out.push(b'\n');
        Ok(())
    };
    line(json!({ "protocol": protocol(&table.protocol) }))?;
    line(json!({ "metaData": metadata(table)? }))?;
    let keys = partition_keys(table, files.partitions.columns());
    files.iter().try_for_each(|file| line(json!({ "add": add(file, &keys, files) })))?;
    Ok(out)
}

/// What a reader needs to know, and no more: nothing is ever written by this log.
fn protocol(protocol: &Protocol) -> Value {
    if protocol.min_reader < 3 {
        let writer = if protocol.min_reader == 2 { 5 } else { 2 };
        return json!({ "minReaderVersion": protocol.min_reader.max(1), "minWriterVersion": writer });
    }
    let features = protocol.reader_features.clone().unwrap_or_default();
    json!({
        "minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features
    })
}

fn metadata(table: &Table) -> serde_json::Result<Value> {
    let metadata = &table.metadata;
    let for_readers =
        |key: &str| key.starts_with("delta.columnMapping.") || key == "delta.enableDeletionVectors";
    let configuration: BTreeMap<_, _> =
        metadata.configuration.iter().filter(|(key, _)| for_readers(key)).collect();
    Ok(json!({
        "id": metadata.id,
        "format": { "provider": "parquet", "options": {} },
        "schemaString": serde_json::to_string(&structure(&metadata.schema))?,
        "partitionColumns": metadata.partition_columns,
        "configuration": configuration,
        "createdTime": metadata.created,
    }))
}

fn structure(fields: &[Field]) -> Value {
    let field = |f: &Field| {
        json!({
            "name": f.name, "type": data_type(&f.data_type), "nullable": f.nullable, "metadata": f.metadata
        })
    };
    json!({ "type": "struct", "fields": fields.iter().map(field).collect::<Vec<_>>() })
}

fn data_type(of: &DataType) -> Value {
    match of {
        DataType::Primitive(name) => json!(name),
        DataType::Struct(fields) => structure(fields),
        DataType::Array { element, contains_null } => json!({
            "type": "array", "elementType": data_type(element), "containsNull": contains_null
        }),
        DataType::Map { key, value, value_contains_null } => json!({
            "type": "map", "keyType": data_type(key), "valueType": data_type(value),
            "valueContainsNull": value_contains_null
        }),
        DataType::Unknown(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    }
}

/// Partition values are keyed by physical names.
fn partition_keys(table: &Table, columns: &[String]) -> Vec<String> {
    let physical = |name: &String| table.metadata.column(name).map(|f| f.physical_name().to_owned());
    columns.iter().map(|name| physical(name).unwrap_or_else(|| name.clone())).collect()
}

fn add(file: FileRef<'_>, keys: &[String], files: &FileList) -> Value {
    let values = files.partitions.values(file.partition);
    let values: Map<String, Value> =
        keys.iter().zip(values).map(|(key, value)| (key.clone(), json!(value.as_deref()))).collect();
    let stats = file.records.map(|n| json!({ "numRecords": n }).to_string());
    json!({
        "path": encoded(file.path), "partitionValues": values, "size": file.size,
        "modificationTime": file.modified, "dataChange": true, "stats": stats,
        "deletionVector": file.deletion_vector,
    })
}

fn encoded(path: &str) -> String {
    let set = if url::Url::parse(path).is_ok() { IN_URI } else { IN_RELATIVE_URI };
    utf8_percent_encode(path, set).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::schema::parse_schema;

    #[test]
    fn paths_are_uris_again() {
        assert_eq!(encoded("p=a b/50%/x:y.parquet"), "p=a%20b/50%25/x%3Ay.parquet");
        assert_eq!(encoded("s3://bucket/a b"), "s3://bucket/a%20b");
        assert_eq!(encoded("ü"), "%C3%BC");
    }

    #[test]
    fn a_schema_survives() {
        let text = r#"{"type":"struct","fields":[{"name":"a","type":{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"decimal(10,2)","containsNull":false},"valueContainsNull":true},"nullable":false,"metadata":{"k":1}}]}"#;
        let fields = parse_schema(text).unwrap();
        assert_eq!(parse_schema(&structure(&fields).to_string()), Ok(fields));
    }
}
