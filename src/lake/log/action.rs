//! The actions of a commit, as far as they are read (protocol, "Actions"). Each reader of a line
//! has its own shape, so that what it does not need is skipped by the parser.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::loose::{Flag, Int, Text, TextMap};
use crate::model::files::DeletionVector;

/// A line as the replay of files reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FileLine<'a> {
    #[serde(borrow)]
    pub add: Option<Add<'a>>,
    #[serde(borrow)]
    pub remove: Option<Remove<'a>>,
}

/// A line as the replay of everything but files reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct StateLine<'a> {
    pub protocol: Option<ProtocolAction>,
    #[serde(borrow)]
    pub meta_data: Option<MetadataAction<'a>>,
    #[serde(borrow)]
    pub txn: Option<TxnAction<'a>>,
    #[serde(borrow)]
    pub domain_metadata: Option<DomainAction<'a>>,
    /// In V2 checkpoints only.
    #[serde(borrow)]
    pub sidecar: Option<SidecarAction<'a>>,
}

/// A line as the history reads it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HistoryLine<'a> {
    #[serde(borrow)]
    pub add: Option<Add<'a>>,
    #[serde(borrow)]
    pub remove: Option<Remove<'a>>,
    pub cdc: Option<serde::de::IgnoredAny>,
    pub protocol: Option<serde::de::IgnoredAny>,
    pub meta_data: Option<serde::de::IgnoredAny>,
    pub commit_info: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Add<'a> {
    #[serde(borrow)]
    pub path: Text<'a>,
    #[serde(borrow)]
    pub partition_values: TextMap<'a>,
    pub size: Int,
    pub modification_time: Int,
    pub data_change: Flag,
    /// A JSON text in a JSON string, still escaped.
    #[serde(borrow)]
    pub stats: Option<&'a RawValue>,
    #[serde(borrow)]
    pub tags: Option<&'a RawValue>,
    #[serde(borrow)]
    pub deletion_vector: Option<Vector<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Remove<'a> {
    #[serde(borrow)]
    pub path: Text<'a>,
    pub size: Int,
    pub data_change: Flag,
    /// As of an add; most writers leave it out.
    #[serde(borrow)]
    pub stats: Option<&'a RawValue>,
    #[serde(borrow)]
    pub deletion_vector: Option<Vector<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Vector<'a> {
    #[serde(borrow)]
    pub storage_type: Text<'a>,
    #[serde(borrow)]
    pub path_or_inline_dv: Text<'a>,
    pub offset: Int,
    pub size_in_bytes: Int,
    pub cardinality: Int,
}

impl Vector<'_> {
    pub fn to_model(&self) -> DeletionVector {
        let owned = |t: &Text<'_>| t.0.as_deref().unwrap_or_default().to_owned();
        DeletionVector {
            storage_type: owned(&self.storage_type),
            path_or_inline_dv: owned(&self.path_or_inline_dv),
            offset: self.offset.value(),
            size_in_bytes: self.size_in_bytes.value().unwrap_or(0),
            cardinality: self.cardinality.natural().unwrap_or(0),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ProtocolAction {
    pub min_reader_version: Int,
    pub min_writer_version: Int,
    pub reader_features: Option<Vec<String>>,
    pub writer_features: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MetadataAction<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow)]
    pub description: Text<'a>,
    #[serde(borrow)]
    pub format: Option<Format<'a>>,
    #[serde(borrow)]
    pub schema_string: Text<'a>,
    pub partition_columns: Option<Vec<String>>,
    #[serde(borrow)]
    pub configuration: TextMap<'a>,
    pub created_time: Int,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Format<'a> {
    #[serde(borrow)]
    pub provider: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TxnAction<'a> {
    #[serde(borrow)]
    pub app_id: Text<'a>,
    pub version: Int,
    pub last_updated: Int,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DomainAction<'a> {
    #[serde(borrow)]
    pub domain: Text<'a>,
    #[serde(borrow)]
    pub configuration: Text<'a>,
    pub removed: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SidecarAction<'a> {
    #[serde(borrow)]
    pub path: Text<'a>,
    pub size_in_bytes: Int,
}

/// The parts of a `commitInfo` that have a meaning here.
#[derive(Debug, Default)]
pub struct CommitInfo {
    pub timestamp: Option<i64>,
    pub in_commit_timestamp: Option<i64>,
    pub operation: Option<String>,
    pub operation_parameters: Option<Map<String, Value>>,
    pub operation_metrics: Option<Map<String, Value>>,
    pub user_metadata: Option<String>,
    pub engine_info: Option<String>,
    pub is_blind_append: Option<bool>,
}

impl CommitInfo {
    /// Takes what is of the expected type; the rest is as if it were not there.
    pub fn new(value: Value) -> Self {
        let Value::Object(mut info) = value else {
            return CommitInfo::default();
        };
        let mut take = |key: &str| info.get_mut(key).map(Value::take).filter(|v| !v.is_null());
        let text = |v: Option<Value>| match v {
            Some(Value::String(text)) => Some(text),
            Some(other) => Some(other.to_string()),
            None => None,
        };
        let integer = |v: Option<Value>| match v {
            Some(Value::String(text)) => text.parse().ok(),
            Some(other) => other.as_i64(),
            None => None,
        };
        let object = |v: Option<Value>| match v {
            Some(Value::Object(map)) => Some(map),
            Some(Value::String(text)) => serde_json::from_str(&text).ok(),
            _ => None,
        };
        CommitInfo {
            timestamp: integer(take("timestamp")),
            in_commit_timestamp: integer(take("inCommitTimestamp")),
            operation: text(take("operation")),
            operation_parameters: object(take("operationParameters")),
            operation_metrics: object(take("operationMetrics")),
            user_metadata: text(take("userMetadata")),
            engine_info: text(take("engineInfo")),
            is_blind_append: take("isBlindAppend").and_then(|v| v.as_bool()),
        }
    }
}

/// A line of which only the in-commit timestamp matters.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimestampLine {
    pub commit_info: Option<TimestampInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimestampInfo {
    pub in_commit_timestamp: Int,
}

/// The tags of an add action.
pub fn tags(raw: Option<&RawValue>) -> Vec<(String, Option<String>)> {
    let map: TextMap<'_> = raw.and_then(|r| serde_json::from_str(r.get()).ok()).unwrap_or_default();
    map.0.into_iter().map(|(k, v)| (k.into_owned(), v.0.map(Cow::into_owned))).collect()
}
