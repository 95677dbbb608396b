//! Parts of actions read from JSON, tolerantly: numbers may be strings, anything may be missing.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::files::DeletionVector;
use super::schema::parse_schema;
use super::table::{Metadata, Protocol};
use super::units::Millis;

/// A text that is not null.
pub(super) fn text(map: &Map<String, Value>, key: &str) -> Option<String> {
    match map.get(key)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A whole number, be it a number, a string, or a number with nothing after the point.
pub(super) fn number(map: &Map<String, Value>, key: &str) -> Option<i64> {
    match map.get(key)? {
        Value::Number(n) => {
            n.as_i64().or_else(|| n.as_f64().filter(|x| x.fract() == 0.0 && x.abs() < 9e15).map(|x| x as i64))
        }
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(super) fn boolean(map: &Map<String, Value>, key: &str) -> Option<bool> {
    match map.get(key)? {
        Value::Bool(b) => Some(*b),
        Value::String(text) => text.trim().to_lowercase().parse().ok(),
        _ => None,
    }
}

/// Milliseconds since 1970, or an ISO time as Databricks writes some `commitInfo.timestamp`s.
pub(super) fn millis(map: &Map<String, Value>, key: &str) -> Option<Millis> {
    number(map, key).or_else(|| {
        let text = map.get(key)?.as_str()?;
        chrono::DateTime::parse_from_rfc3339(text.trim()).ok().map(|t| t.timestamp_millis())
    })
}

/// A path of the log without its percent-encoding (protocol: paths are URI-encoded). A `%` that
/// begins no escape stays; bytes that are no UTF-8 afterwards leave the path as it was.
pub(super) fn path(raw: &str) -> String {
    if !raw.contains('%') {
        return raw.to_owned();
    }
    let bytes = raw.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digit = |i: usize| bytes.get(i).and_then(|b| char::from(*b).to_digit(16));
        match digit(at + 1).zip(digit(at + 2)).filter(|_| *byte == b'%') {
            Some((high, low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| raw.to_owned())
}

pub(super) fn descriptor(map: &Map<String, Value>) -> Option<DeletionVector> {
    Some(DeletionVector {
        storage_type: text(map, "storageType")?,
        path_or_inline_dv: text(map, "pathOrInlineDv")?,
        offset: number(map, "offset"),
        size_in_bytes: number(map, "sizeInBytes").unwrap_or(0),
        cardinality: number(map, "cardinality").and_then(|n| u64::try_from(n).ok()).unwrap_or(0),
    })
}

pub(super) fn protocol(map: &Map<String, Value>) -> Protocol {
    let version = |key: &str| number(map, key).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let features = |key: &str| map.get(key).and_then(Value::as_array).map(|list| strings(list));
    Protocol {
        min_reader: version("minReaderVersion"),
        min_writer: version("minWriterVersion"),
        reader_features: features("readerFeatures"),
        writer_features: features("writerFeatures"),
    }
}

pub(super) fn metadata(map: &Map<String, Value>) -> Metadata {
    let schema = match map.get("schemaString") {
        Some(Value::String(text)) => parse_schema(text),
        Some(other @ Value::Object(_)) => parse_schema(&other.to_string()),
        _ => Err("schemaString is missing".into()),
    };
    let (schema, schema_problem) = match schema {
        Ok(schema) => (schema, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let configuration: BTreeMap<String, String> = map
        .get("configuration")
        .and_then(Value::as_object)
        .map(|c| c.keys().filter_map(|k| Some((k.clone(), text(c, k)?))).collect())
        .unwrap_or_default();
    let provider = map.get("format").and_then(Value::as_object).and_then(|f| text(f, "provider"));
    Metadata {
        id: text(map, "id").unwrap_or_default(),
        name: text(map, "name"),
        description: text(map, "description"),
        provider: provider.unwrap_or_default(),
        schema,
        schema_problem,
        partition_columns: map
            .get("partitionColumns")
            .and_then(Value::as_array)
            .map(|l| strings(l))
            .unwrap_or_default(),
        configuration,
        created: millis(map, "createdTime"),
    }
}

fn strings(list: &[Value]) -> Vec<String> {
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        for (raw, plain) in [
            ("a/b.parquet", "a/b.parquet"),
            ("p=a%20b/x", "p=a b/x"),
            ("p=100%25/x", "p=100%/x"),
            ("p=%2520/x", "p=%20/x"),
            ("a%", "a%"),
            ("a%2", "a%2"),
            ("a%zz", "a%zz"),
            ("%C3%A7%C3%A3o", "ção"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(path(raw), plain);
        }
    }
}
