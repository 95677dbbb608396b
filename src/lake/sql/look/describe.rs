//! `DESCRIBE [EXTENDED] t`

use std::sync::Arc;

use arrow::datatypes::Field;

use super::{answer, split};
use crate::lake::sql::encode::type_name;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::session::SqlRun;
use crate::model::Outcome;
use crate::model::units::exact_time;

type Row = Vec<Option<String>>;

pub(super) async fn describe(lakehouse: &Lakehouse, name: &[String], extended: bool) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    let found = lakehouse.known_table(schema, table).await?.own_schema();
    let line = |f: &Arc<Field>| {
        let comment = f.metadata().get("comment").cloned();
        vec![Some(f.name().clone()), Some(type_name(f.data_type())), comment]
    };
    let mut rows: Vec<Row> = found.fields().iter().map(line).collect();
    if extended && entry.is_delta() {
        let open = entry.open().await?;
        let pair =
            |label: &str, value: String| vec![Some(label.to_owned()), Some(value), Some(String::new())];
        let partitions = &open.table.metadata.partition_columns;
        if !partitions.is_empty() {
            rows.push(pair("# Partition Information", String::new()));
            let of = |name: &String| found.fields().iter().find(|f| f.name() == name).map(line);
            rows.extend(partitions.iter().filter_map(of));
        }
        rows.push(pair("", String::new()));
        rows.push(pair("# Detailed Table Information", String::new()));
        rows.push(pair("Name", entry.full_name()));
        rows.push(pair("Location", open.table.location.clone()));
        rows.push(pair("Provider", "delta".into()));
        rows.push(pair("Version", open.table.version.to_string()));
        if let Some(created) = open.table.metadata.created {
            rows.push(pair("Created", format!("{} UTC", exact_time(created))));
        }
        let set = open.table.metadata.configuration.iter().map(|(key, value)| format!("{key}={value}"));
        let protocol = &open.table.protocol;
        let versions = [
            format!("delta.minReaderVersion={}", protocol.min_reader),
            format!("delta.minWriterVersion={}", protocol.min_writer),
        ];
        let all: Vec<String> = set.chain(versions).collect();
        rows.push(pair("Table Properties", format!("[{}]", all.join(","))));
    }
    answer::texts(&["col_name", "data_type", "comment"], &rows)
}
