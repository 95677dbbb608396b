//! Tables that are a log and nothing else, on disk.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A table whose data files do not exist.
pub struct Made(TempDir);

impl Made {
    /// `columns`: names and types; the last ones are the partition columns.
    pub fn new(columns: &[(&str, &str)], partitions: &[&str], properties: &[(&str, &str)]) -> Made {
        let field = |(name, kind): &(&str, &str)| json!({"name": name, "type": kind, "nullable": true, "metadata": {}});
        let schema = json!({"type": "struct", "fields": columns.iter().map(field).collect::<Vec<_>>()});
        let configuration: Value = properties
            .iter()
            .map(|(k, v)| ((*k).to_owned(), json!(v)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let made = Made(TempDir::new().unwrap());
        fs::create_dir_all(made.0.path().join("_delta_log")).unwrap();
        made.commit(
            0,
            "CREATE TABLE",
            &[
                json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}),
                json!({"metaData": {
                    "id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet", "options": {}},
                    "schemaString": schema.to_string(), "partitionColumns": partitions,
                    "configuration": configuration, "createdTime": 0
                }}),
            ],
        );
        made
    }

    pub fn commit(&self, version: u64, operation: &str, actions: &[Value]) {
        let info = json!({"commitInfo": {"timestamp": version, "operation": operation}});
        let text: String = actions.iter().chain([&info]).map(|a| format!("{a}\n")).collect();
        fs::write(self.0.path().join(format!("_delta_log/{version:020}.json")), text).unwrap();
    }

    pub fn path(&self) -> String {
        self.0.path().to_str().unwrap().to_owned()
    }

    pub fn folder(&self) -> &std::path::Path {
        self.0.path()
    }
}

/// An add action; `stats` are its statistics.
pub fn add(path: &str, size: u64, stats: &Value) -> Value {
    json!({"add": {"path": path, "partitionValues": {}, "size": size, "modificationTime": 0,
        "dataChange": true, "stats": stats.to_string()}})
}

pub fn remove(path: &str) -> Value {
    json!({"remove": {"path": path, "deletionTimestamp": 0, "dataChange": false}})
}
