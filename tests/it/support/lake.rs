//! A small lakehouse on disk: real Delta tables with real data files, in milliseconds.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The folder `lake` with the tables `sales` and `product`, and a parquet folder `raw`.
///
/// `sales` is partitioned by region and has versions 0 to 3: three appends of two files with 100
/// rows each, then a compaction of the north's three files. So it has 4 files, 600 rows, and
/// `sum(amount)` is 300 × (0 + … + 99) / 50 = 29,700.
pub struct Lake {
    folder: TempDir,
}

impl Lake {
    pub fn new() -> Lake {
        let folder = tempfile::tempdir().expect("a temporary folder");
        sales(&folder.path().join("lake/sales"));
        product(&folder.path().join("lake/product"));
        let raw = folder.path().join("lake/raw");
        fs::create_dir_all(&raw).unwrap();
        write(&raw.join("a.parquet"), &sales_rows(0, 10));
        Lake { folder }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("lake")
    }

    pub fn table(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A folder beside the lake, for what a program writes at home.
    pub fn home(&self) -> PathBuf {
        let home = self.folder.path().join("home");
        fs::create_dir_all(&home).unwrap();
        home
    }
}

fn sales(table: &Path) {
    let schema = json!({"type": "struct", "fields": [
        field("id", "long"), field("amount", "double"), field("region", "string")
    ]});
    for version in 0..3_i64 {
        let mut actions = if version == 0 { create("sales", &schema, &["region"]) } else { Vec::new() };
        for region in ["north", "south"] {
            let path = format!("region={region}/part-{version}.parquet");
            actions.push(add(table, &path, json!({"region": region}), &sales_rows(version * 100, 100)));
        }
        commit(table, version, "WRITE", actions);
    }
    let parts = (0..3).map(|v| format!("region=north/part-{v}.parquet"));
    let mut actions: Vec<Value> = parts.map(|path| remove(table, &path)).collect();
    let path = "region=north/compacted.parquet";
    actions.push(add(table, path, json!({"region": "north"}), &sales_rows(0, 300)));
    commit(table, 3, "OPTIMIZE", actions);
}

fn product(table: &Path) {
    let schema = json!({"type": "struct", "fields": [field("product_id", "long"), field("name", "string")]});
    let ids = Int64Array::from_iter_values(0..10);
    let names = StringArray::from_iter_values((0..10).map(|i| format!("product {i}")));
    let rows =
        RecordBatch::try_from_iter([("product_id", Arc::new(ids) as _), ("name", Arc::new(names) as _)])
            .unwrap();
    let mut actions = create("product", &schema, &[]);
    actions.push(add(table, "part-0.parquet", json!({}), &rows));
    commit(table, 0, "WRITE", actions);
}

fn sales_rows(from: i64, rows: i64) -> RecordBatch {
    let ids = Int64Array::from_iter_values(from..from + rows);
    let amounts = Float64Array::from_iter_values((0..rows).map(|i| (i % 100) as f64));
    RecordBatch::try_from_iter([("id", Arc::new(ids) as _), ("amount", Arc::new(amounts) as _)]).unwrap()
}

fn field(name: &str, data_type: &str) -> Value {
    json!({"name": name, "type": data_type, "nullable": true, "metadata": {}})
}

fn create(name: &str, schema: &Value, partitions: &[&str]) -> Vec<Value> {
    vec![
        json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}),
        json!({"metaData": {
            "id": format!("00000000-0000-0000-0000-{:0>12}", name.len()),
            "name": name,
            "format": {"provider": "parquet", "options": {}},
            "schemaString": schema.to_string(),
            "partitionColumns": partitions,
            "configuration": {},
            "createdTime": TIME,
        }}),
    ]
}

/// 2026-05-27 00:58:12 UTC, in milliseconds.
const TIME: i64 = 1_779_843_492_000;

fn add(table: &Path, path: &str, partition: Value, rows: &RecordBatch) -> Value {
    let size = write(&table.join(path), rows);
    let stats = json!({"numRecords": rows.num_rows()}).to_string();
    json!({"add": {
        "path": path, "partitionValues": partition, "size": size,
        "modificationTime": TIME, "dataChange": true, "stats": stats,
    }})
}

fn remove(table: &Path, path: &str) -> Value {
    let size = fs::metadata(table.join(path)).unwrap().len();
    json!({"remove": {
        "path": path, "deletionTimestamp": TIME, "dataChange": false,
        "extendedFileMetadata": true, "partitionValues": {"region": "north"}, "size": size,
    }})
}

fn commit(table: &Path, version: i64, operation: &str, mut actions: Vec<Value>) {
    let log = table.join("_delta_log");
    fs::create_dir_all(&log).unwrap();
    actions.insert(
        0,
        json!({"commitInfo": {
            "timestamp": TIME + version * 60_000, "operation": operation, "operationParameters": {},
        }}),
    );
    let lines: String = actions.iter().map(|a| format!("{a}\n")).collect();
    fs::write(log.join(format!("{version:020}.json")), lines).unwrap();
}

fn write(path: &Path, rows: &RecordBatch) -> u64 {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), rows.schema(), None).unwrap();
    writer.write(rows).unwrap();
    writer.close().unwrap();
    fs::metadata(path).unwrap().len()
}
