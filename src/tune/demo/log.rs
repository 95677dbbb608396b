//! A small writer of Delta logs: commits with their information, and classic checkpoints.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::checkpoint;
use super::data::{DataFile, put};
use crate::model::Outcome;
use crate::model::units::Millis;

/// What a table is made with.
pub struct NewTable {
    pub id: String,
    pub name: &'static str,
    pub description: &'static str,
    /// Name and Delta type of each column.
    pub columns: &'static [(&'static str, &'static str)],
    pub partition_columns: &'static [&'static str],
    pub created: Millis,
}

/// A commit to write.
pub struct NewCommit<'a> {
    pub time: Millis,
    pub operation: &'static str,
    pub parameters: Value,
    pub metrics: Value,
    pub added: Vec<DataFile>,
    /// Paths of active files.
    pub removed: &'a [String],
    /// False where the same rows are only laid out anew.
    pub data_change: bool,
}

/// A table's log while it is written, with the state that a checkpoint needs.
pub struct LogWriter {
    table: PathBuf,
    new: Option<NewTable>,
    metadata: Value,
    next_version: u64,
    pub active: Vec<DataFile>,
    tombstones: Vec<(DataFile, Millis, bool)>,
}

fn protocol() -> Value {
    json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}})
}

impl LogWriter {
    pub fn new(table: &Path, new: NewTable) -> Self {
        LogWriter {
            table: table.to_owned(),
            metadata: metadata(&new),
            new: Some(new),
            next_version: 0,
            active: Vec::new(),
            tombstones: Vec::new(),
        }
    }

    pub fn table(&self) -> &Path {
        &self.table
    }

    /// The last version written.
    pub fn version(&self) -> u64 {
        self.next_version.saturating_sub(1)
    }

    /// Writes the next version; the first one also creates the table.
    pub fn commit(&mut self, commit: NewCommit<'_>) -> Outcome<()> {
        let NewCommit { time, operation, parameters, metrics, added, removed, data_change } = commit;
        let mut lines = vec![json!({"commitInfo": {
            "timestamp": time,
            "operation": operation,
            "operationParameters": parameters,
            "isBlindAppend": removed.is_empty(),
            "operationMetrics": metrics,
            "engineInfo": "deltop demo",
        }})];
        if self.new.take().is_some() {
            lines.push(protocol());
            lines.push(self.metadata.clone());
        }
        let (gone, kept): (Vec<DataFile>, _) =
            std::mem::take(&mut self.active).into_iter().partition(|f| removed.contains(&f.path));
        self.active = kept;
        for file in gone {
            lines.push(remove(&file, time, data_change));
            self.tombstones.push((file, time, data_change));
        }
        lines.extend(added.iter().map(|file| add(file, data_change)));
        self.active.extend(added);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let name = format!("_delta_log/{:020}.json", self.next_version);
        put(&self.table.join(name), text.as_bytes(), time)?;
        self.next_version += 1;
        Ok(())
    }

    /// Writes a classic checkpoint of the last version, and the hint to it.
    pub fn checkpoint(&self, time: Millis) -> Outcome<()> {
        let mut actions = vec![protocol(), self.metadata.clone()];
        actions.extend(self.tombstones.iter().map(|(file, time, change)| remove(file, *time, *change)));
        actions.extend(self.active.iter().map(|file| add(file, false)));
        let bytes = checkpoint::encode(&actions)?;
        let version = self.version();
        let log = self.table.join("_delta_log");
        put(&log.join(format!("{version:020}.checkpoint.parquet")), &bytes, time)?;
        let hint = json!({
            "version": version,
            "size": actions.len(),
            "sizeInBytes": bytes.len(),
            "numOfAddFiles": self.active.len(),
        });
        put(&log.join("_last_checkpoint"), hint.to_string().as_bytes(), time)
    }
}

fn metadata(new: &NewTable) -> Value {
    let field = |(name, data_type): &(&str, &str)| json!({"name": name, "type": data_type, "nullable": true, "metadata": {}});
    let fields: Vec<Value> = new.columns.iter().map(field).collect();
    json!({"metaData": {
        "id": new.id,
        "name": new.name,
        "description": new.description,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json!({"type": "struct", "fields": fields}).to_string(),
        "partitionColumns": new.partition_columns,
        "configuration": {},
        "createdTime": new.created,
    }})
}

fn partition_values(file: &DataFile) -> Value {
    let values = file.partition.iter().map(|(column, value)| ((*column).to_owned(), json!(value)));
    Value::Object(values.collect())
}

fn add(file: &DataFile, data_change: bool) -> Value {
    json!({"add": {
        "path": file.path,
        "partitionValues": partition_values(file),
        "size": file.size,
        "modificationTime": file.modified,
        "dataChange": data_change,
        "stats": file.stats,
    }})
}

fn remove(file: &DataFile, time: Millis, data_change: bool) -> Value {
    json!({"remove": {
        "path": file.path,
        "deletionTimestamp": time,
        "dataChange": data_change,
        "extendedFileMetadata": true,
        "partitionValues": partition_values(file),
        "size": file.size,
    }})
}
