//! A query's rows as a new Delta table: written in a folder beside, which gets its name when the
//! first version is in it. A folder that exists is never touched.

mod files;
mod folder;
mod types;

use arrow::datatypes::{Field, Schema, SchemaRef};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::lake::export::Meter;
use crate::lake::sql::SqlRun;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};
use files::{DataFile, Files};
pub use folder::NewFolder;

/// Writes all rows of a query; gives how many there were, and the bytes of the data files. What
/// fails leaves nothing.
///
/// # Errors
/// The query's; `column-name`, `column-type`; `cannot-write`; a cancellation.
pub async fn write(
    mut run: SqlRun,
    folder: NewFolder,
    watch: &Watch,
    meter: Meter<'_>,
) -> Outcome<(u64, u64)> {
    let mut next = run.batches.next().await.transpose()?;
    let schema = next.as_ref().map_or_else(|| run.schema.clone(), arrow::array::RecordBatch::schema);
    let table = schema_of(&schema)?;
    let mut files = Files::new(folder.path(), &table)?;
    while let Some(batch) = next.take() {
        watch.check()?;
        files.write(&batch)?;
        meter(files.rows(), files.bytes());
        next = run.batches.next().await.transpose()?;
    }
    watch.check()?;
    let (rows, written) = (files.rows(), files.end()?);
    let bytes = written.iter().map(|f| f.size).sum();
    folder.keep(&first_version(&table, &written, chrono::Utc::now().timestamp_millis()))?;
    Ok((rows, bytes))
}

/// The new table's schema in both forms.
struct TableSchema {
    /// `schemaString`.
    text: String,
    file: SchemaRef,
    without_zone: bool,
}

fn schema_of(schema: &SchemaRef) -> Outcome<TableSchema> {
    let (mut logs, mut files): (Vec<Value>, Vec<Field>) = (Vec::new(), Vec::new());
    for field in schema.fields() {
        types::name(field.name(), &files)?;
        let typed = types::of(field.data_type()).ok_or_else(|| {
            Fault::usage("column-type", format!("A Delta table has no type for column \"{}\"", field.name()))
                .because(format!("it is of type {}", field.data_type()))
                .hint("Cast it in the query, such as CAST(x AS STRING)")
        })?;
        logs.push(types::field(field.name(), &typed.log));
        files.push(Field::new(field.name(), typed.file, true));
    }
    if files.is_empty() {
        return Err(Fault::usage("no-columns", "The statement gives no columns to make a table of"));
    }
    Ok(TableSchema {
        text: json!({"type": "struct", "fields": logs}).to_string(),
        without_zone: files.iter().any(|f| types::without_zone(f.data_type())),
        file: std::sync::Arc::new(Schema::new(files)),
    })
}

/// The actions of version 0, a line each (protocol, "Actions").
fn first_version(table: &TableSchema, files: &[DataFile], now: i64) -> String {
    let rows: u64 = files.iter().map(|f| f.rows).sum();
    let bytes: u64 = files.iter().map(|f| f.size).sum();
    let protocol = match table.without_zone {
        false => json!({"minReaderVersion": 1, "minWriterVersion": 2}),
        true => json!({
            "minReaderVersion": 3,
            "minWriterVersion": 7,
            "readerFeatures": ["timestampNtz"],
            "writerFeatures": ["timestampNtz"],
        }),
    };
    let mut lines = vec![
        json!({"commitInfo": {
            "timestamp": now,
            "operation": "CREATE TABLE AS SELECT",
            "operationParameters": {"partitionBy": "[]", "properties": "{}", "isManaged": "false"},
            "isBlindAppend": true,
            "operationMetrics": {
                "numFiles": files.len().to_string(),
                "numOutputRows": rows.to_string(),
                "numOutputBytes": bytes.to_string(),
            },
            "engineInfo": concat!("deltop/", env!("CARGO_PKG_VERSION")),
        }}),
        json!({"protocol": protocol}),
        json!({"metaData": {
            "id": uuid::Uuid::new_v4().to_string(),
            "format": {"provider": "parquet", "options": {}},
            "schemaString": table.text,
            "partitionColumns": [],
            "configuration": {},
            "createdTime": now,
        }}),
    ];
    lines.extend(files.iter().map(|file| {
        json!({"add": {
            "path": file.name,
            "partitionValues": {},
            "size": file.size,
            "modificationTime": now,
            "dataChange": true,
            "stats": file.stats,
        }})
    }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
