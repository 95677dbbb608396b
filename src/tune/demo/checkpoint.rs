//! A classic checkpoint in one parquet file (Delta protocol, "Checkpoint Schema").

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema};
use arrow::json::ReaderBuilder;
use serde_json::Value;

use super::data;
use crate::model::{Fault, FaultKind, Outcome};

/// The actions as the bytes of a checkpoint file.
pub fn encode(actions: &[Value]) -> Outcome<Vec<u8>> {
    let failed = |e| Fault::new(FaultKind::Change, "cannot-write", "Cannot encode a checkpoint").because(e);
    let mut decoder = ReaderBuilder::new(Arc::new(schema()))
        .with_batch_size(actions.len().max(1))
        .build_decoder()
        .map_err(failed)?;
    decoder.serialize(actions).map_err(failed)?;
    match decoder.flush().map_err(failed)? {
        Some(batch) => data::encode(&batch),
        None => Ok(Vec::new()),
    }
}

fn schema() -> Schema {
    let file = [
        field("path", DataType::Utf8),
        field("partitionValues", text_map()),
        field("size", DataType::Int64),
        field("dataChange", DataType::Boolean),
    ];
    let with = |more: &[Field]| file.iter().chain(more).cloned().collect::<Vec<_>>();
    let format = group([field("provider", DataType::Utf8), field("options", text_map())]);
    Schema::new(vec![
        field(
            "protocol",
            group([field("minReaderVersion", DataType::Int32), field("minWriterVersion", DataType::Int32)]),
        ),
        field(
            "metaData",
            group([
                field("id", DataType::Utf8),
                field("name", DataType::Utf8),
                field("description", DataType::Utf8),
                field("format", format),
                field("schemaString", DataType::Utf8),
                field("partitionColumns", DataType::List(Arc::new(field("element", DataType::Utf8)))),
                field("configuration", text_map()),
                field("createdTime", DataType::Int64),
            ]),
        ),
        field(
            "add",
            group(with(&[field("modificationTime", DataType::Int64), field("stats", DataType::Utf8)])),
        ),
        field(
            "remove",
            group(with(&[
                field("deletionTimestamp", DataType::Int64),
                field("extendedFileMetadata", DataType::Boolean),
            ])),
        ),
    ])
}

fn field(name: &str, data_type: DataType) -> Field {
    Field::new(name, data_type, true)
}

fn group(fields: impl IntoIterator<Item = Field>) -> DataType {
    DataType::Struct(fields.into_iter().collect::<Vec<_>>().into())
}

fn text_map() -> DataType {
    let entries =
        Fields::from(vec![Field::new("key", DataType::Utf8, false), field("value", DataType::Utf8)]);
    DataType::Map(Arc::new(Field::new("key_value", DataType::Struct(entries), false)), false)
}
