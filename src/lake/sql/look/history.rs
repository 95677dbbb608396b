//! `DESCRIBE HISTORY t`, with those of Spark's columns that a log can fill.

use serde_json::{Map, Value};

use super::{answer, split};
use crate::lake::history::commits;
use crate::lake::sql::lakehouse::Lakehouse;
use crate::lake::sql::session::SqlRun;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::history::Commit;

pub(super) async fn history(lakehouse: &Lakehouse, name: &[String], limit: Option<usize>) -> Outcome<SqlRun> {
    let (schema, table) = split(name);
    let entry = lakehouse.known_entry(schema, table).await?;
    let open = entry.open().await?;
    let mut all: Vec<Commit> = Vec::new();
    let newest = Some(open.table.version);
    let limit = limit.unwrap_or(usize::MAX);
    commits(open, newest, limit, &Watch::default(), &mut |commit| all.push(commit)).await?;
    let text = |of: fn(&Commit) -> Option<String>| answer::text(all.iter().map(of));
    answer::columns(vec![
        ("version", answer::integer(all.iter().map(|c| Some(c.version)))),
        ("timestamp", answer::time(all.iter().map(|c| c.timestamp))),
        ("operation", text(|c| c.operation.clone())),
        (
            "operationParameters",
            answer::maps(all.iter().map(|c| c.operation_parameters.as_ref().map(pairs)))?,
        ),
        ("isBlindAppend", answer::boolean(all.iter().map(|c| c.is_blind_append))),
        ("operationMetrics", answer::maps(all.iter().map(|c| c.operation_metrics.as_ref().map(pairs)))?),
        ("userMetadata", text(|c| c.user_metadata.clone())),
        ("engineInfo", text(|c| c.engine_info.clone())),
    ])
}

fn pairs(map: &Map<String, Value>) -> Vec<(String, Option<String>)> {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    map.iter().map(|(key, value)| (key.clone(), text(value))).collect()
}
