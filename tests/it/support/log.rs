//! Builds Delta logs of any kind in memory: commits, compacted commits, every sort of checkpoint,
//! and damage to them.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema};
use arrow::json::ReaderBuilder;
use deltop::lake::place::Place;
use object_store::ObjectStoreExt;
use object_store::memory::InMemory;
use object_store::path::Path;
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use super::runtime;

/// How a checkpoint is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Classic,
    /// In so many parts.
    Multi(usize),
    /// With so many sidecars; with none, the main file holds the files.
    V2Json(usize),
    V2Parquet(usize),
}

/// A table's log in memory.
pub struct LogBuilder {
    pub store: Arc<InMemory>,
}

const UUID: &str = "80a083e8-7026-4e79-81be-64bd76c43a11";

impl LogBuilder {
    pub fn new() -> Self {
        LogBuilder { store: Arc::new(InMemory::new()) }
    }

    pub fn place(&self) -> Place {
        Place {
            store: self.store.clone(),
            root: Path::from("t"),
            url: "memory:///t/".parse().unwrap(),
            display: "memory:///t".into(),
            name: "t".into(),
            options: Vec::new(),
        }
    }

    /// Writes a file of the log folder.
    pub fn put(&self, name: &str, content: impl Into<Vec<u8>>) {
        let path = Path::from(format!("t/_delta_log/{name}"));
        runtime().block_on(self.store.put(&path, content.into().into())).unwrap();
    }

    pub fn get(&self, name: &str) -> Vec<u8> {
        let path = Path::from(format!("t/_delta_log/{name}"));
        runtime().block_on(async { self.store.get(&path).await.unwrap().bytes().await.unwrap().to_vec() })
    }

    pub fn delete(&self, name: &str) {
        let path = Path::from(format!("t/_delta_log/{name}"));
        runtime().block_on(self.store.delete(&path)).unwrap();
    }

    /// Cuts a file to about its first half, but not behind a line: nobody could tell that.
    pub fn truncate(&self, name: &str) {
        let mut bytes = self.get(name);
        bytes.truncate(bytes.len() / 2);
        while bytes.last().is_some_and(|b| matches!(b, b'}' | b'\n')) {
            bytes.pop();
        }
        self.put(name, bytes);
    }

    pub fn commit(&self, version: u64, actions: &[Value]) {
        self.put(&format!("{version:020}.json"), lines(actions));
    }

    pub fn compacted(&self, from: u64, to: u64, actions: &[Value]) {
        self.put(&format!("{from:020}.{to:020}.json"), lines(actions));
    }

    /// Writes a checkpoint of this state. Returns the names of its files, the main one first.
    pub fn checkpoint(&self, version: u64, kind: Kind, state: &[Value]) -> Vec<String> {
        let is_file = |a: &&Value| !a["add"].is_null() || !a["remove"].is_null();
        let files: Vec<Value> = state.iter().filter(is_file).cloned().collect();
        let mut other: Vec<Value> = state.iter().filter(|a| !is_file(a)).cloned().collect();
        let share = |n: usize, i: usize, list: &[Value]| -> Vec<Value> {
            list.iter().skip(i).step_by(n).cloned().collect()
        };
        match kind {
            Kind::Classic => {
                let name = format!("{version:020}.checkpoint.parquet");
                self.put(&name, parquet(state));
                vec![name]
            }
            Kind::Multi(n) => {
                // As Spark does, the rows are dealt to all parts alike.
                let name = |i: usize| format!("{version:020}.checkpoint.{:010}.{n:010}.parquet", i + 1);
                let names: Vec<String> = (0..n).map(name).collect();
                for (i, name) in names.iter().enumerate() {
                    self.put(name, parquet(&share(n, i, state)));
                }
                names
            }
            Kind::V2Json(n) | Kind::V2Parquet(n) => {
                let is_json = matches!(kind, Kind::V2Json(_));
                let extension = if is_json { "json" } else { "parquet" };
                let mut names = vec![format!("{version:020}.checkpoint.{UUID}.{extension}")];
                other.insert(0, json!({"checkpointMetadata": {"version": version}}));
                for i in 0..n {
                    let sidecar = format!("{version:020}.{extension}.{i}.parquet");
                    let bytes = parquet(&share(n, i, &files));
                    other.push(json!({"sidecar": {"path": sidecar, "sizeInBytes": bytes.len(), "modificationTime": 1}}));
                    let name = format!("_sidecars/{sidecar}");
                    self.put(&name, bytes);
                    names.push(name);
                }
                if n == 0 {
                    other.extend(files);
                }
                self.put(&names[0], if is_json { lines(&other) } else { parquet(&other) });
                names
            }
        }
    }
}

fn lines(actions: &[Value]) -> Vec<u8> {
    actions.iter().map(|a| format!("{a}\n")).collect::<String>().into_bytes()
}

/// The actions as a checkpoint's parquet file, in row groups of three rows.
fn parquet(actions: &[Value]) -> Vec<u8> {
    let schema = Arc::new(schema());
    let mut decoder = ReaderBuilder::new(schema.clone()).build_decoder().unwrap();
    decoder.serialize(actions).unwrap();
    let properties =
        parquet::file::properties::WriterProperties::builder().set_max_row_group_row_count(Some(3)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).unwrap();
    if let Some(batch) = decoder.flush().unwrap() {
        writer.write(&batch).unwrap();
    }
    writer.into_inner().unwrap()
}

fn schema() -> Schema {
    use DataType::{Boolean, Int32, Int64, Utf8};
    let texts = || Field::new("element", Utf8, true);
    let map = |name: &str| {
        let entries = Fields::from(vec![Field::new("key", Utf8, false), Field::new("value", Utf8, true)]);
        let entries = Field::new("key_value", DataType::Struct(entries), false);
        Field::new(name, DataType::Map(Arc::new(entries), false), true)
    };
    let list = |name: &str| Field::new(name, DataType::List(Arc::new(texts())), true);
    let leaf = |name: &str, data_type: DataType| Field::new(name, data_type, true);
    let group = |name: &str, fields: Vec<Field>| Field::new(name, DataType::Struct(fields.into()), true);
    let vector = || {
        group(
            "deletionVector",
            vec![
                leaf("storageType", Utf8),
                leaf("pathOrInlineDv", Utf8),
                leaf("offset", Int32),
                leaf("sizeInBytes", Int32),
                leaf("cardinality", Int64),
            ],
        )
    };
    Schema::new(vec![
        group("txn", vec![leaf("appId", Utf8), leaf("version", Int64), leaf("lastUpdated", Int64)]),
        group(
            "add",
            vec![
                // Not null where there is an add, as the protocol has it.
                Field::new("path", Utf8, false),
                map("partitionValues"),
                leaf("size", Int64),
                leaf("modificationTime", Int64),
                leaf("dataChange", Boolean),
                leaf("stats", Utf8),
                map("tags"),
                vector(),
            ],
        ),
        group(
            "remove",
            vec![
                leaf("path", Utf8),
                leaf("deletionTimestamp", Int64),
                leaf("dataChange", Boolean),
                leaf("size", Int64),
                vector(),
            ],
        ),
        group(
            "metaData",
            vec![
                leaf("id", Utf8),
                leaf("name", Utf8),
                leaf("description", Utf8),
                group("format", vec![leaf("provider", Utf8), map("options")]),
                leaf("schemaString", Utf8),
                list("partitionColumns"),
                map("configuration"),
                leaf("createdTime", Int64),
            ],
        ),
        group(
            "protocol",
            vec![
                leaf("minReaderVersion", Int32),
                leaf("minWriterVersion", Int32),
                list("readerFeatures"),
                list("writerFeatures"),
            ],
        ),
        group(
            "domainMetadata",
            vec![leaf("domain", Utf8), leaf("configuration", Utf8), leaf("removed", Boolean)],
        ),
        group(
            "sidecar",
            vec![leaf("path", Utf8), leaf("sizeInBytes", Int64), leaf("modificationTime", Int64)],
        ),
        group("checkpointMetadata", vec![leaf("version", Int64)]),
    ])
}

/// A protocol with deletion vectors, domains and V2 checkpoints.
pub fn protocol() -> Value {
    let reader = ["deletionVectors", "v2Checkpoint"];
    let writer = ["deletionVectors", "v2Checkpoint", "domainMetadata"];
    json!({"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": reader, "writerFeatures": writer}})
}

/// Metadata of a table of `id: long, p: string`, partitioned by `p`.
pub fn metadata(configuration: &[(&str, &str)]) -> Value {
    let field = |name: &str, data_type: &str| json!({"name": name, "type": data_type, "nullable": true, "metadata": {}});
    let schema = json!({"type": "struct", "fields": [field("id", "long"), field("p", "string")]});
    let configuration: serde_json::Map<String, Value> =
        configuration.iter().map(|(k, v)| ((*k).to_owned(), json!(v))).collect();
    json!({"metaData": {
        "id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
        "name": null,
        "description": null,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": schema.to_string(),
        "partitionColumns": ["p"],
        "configuration": configuration,
        "createdTime": 1_700_000_000_000_i64,
    }})
}
