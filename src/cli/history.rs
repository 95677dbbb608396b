//! `deltop history`: the versions, newest first.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::history::commits;
use crate::model::Outcome;
use crate::model::history::Commit;
use crate::model::units::{bytes, count, exact_time, iso_time};

/// An element of the contract's `history` array, and `problem`: what is wrong with the commit
/// file, if anything.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    version: u64,
    timestamp: Option<String>,
    operation: Option<&'a str>,
    operation_parameters: Option<&'a Map<String, Value>>,
    operation_metrics: Option<&'a Map<String, Value>>,
    user_metadata: Option<&'a str>,
    engine_info: Option<&'a str>,
    is_blind_append: Option<bool>,
    data_change: Option<bool>,
    num_added_files: u64,
    num_removed_files: u64,
    added_bytes: u64,
    removed_bytes: u64,
    added_records: Option<u64>,
    readable: bool,
    problem: Option<&'a str>,
}

pub async fn run(call: &mut Call<'_>, limit: Option<usize>) -> Outcome<()> {
    let open = call.table().await?;
    let mut all: Vec<Commit> = Vec::new();
    let newest = Some(open.table.version);
    commits(&open, newest, limit.unwrap_or(usize::MAX), call.watch, &mut |commit| all.push(commit)).await?;
    if call.format.is_text() {
        return write_text(call.out, &all).map_err(failed);
    }
    output::array(call.out, call.format, all.iter().map(answer))
}

fn answer(c: &Commit) -> Answer<'_> {
    Answer {
        version: c.version,
        timestamp: c.timestamp.and_then(iso_time),
        operation: c.operation.as_deref(),
        operation_parameters: c.operation_parameters.as_ref(),
        operation_metrics: c.operation_metrics.as_ref(),
        user_metadata: c.user_metadata.as_deref(),
        engine_info: c.engine_info.as_deref(),
        is_blind_append: c.is_blind_append,
        data_change: c.data_change,
        num_added_files: c.added_files,
        num_removed_files: c.removed_files,
        added_bytes: c.added_bytes,
        removed_bytes: c.removed_bytes,
        added_records: c.added_records,
        readable: c.readable,
        problem: c.problem.as_deref(),
    }
}

fn write_text(out: &mut dyn Write, commits: &[Commit]) -> io::Result<()> {
    if let (Some(newest), Some(oldest)) = (commits.first(), commits.last()) {
        let number = counted(commits.len() as u64, "commit");
        writeln!(out, "{number}, v{} to v{}\n", newest.version, oldest.version)?;
    }
    let columns = [
        Column::right("version"),
        Column::left("time (UTC)"),
        Column::left("operation"),
        Column::right("files added"),
        Column::right("removed"),
        Column::right("bytes added"),
        Column::right("removed"),
        Column::right("rows in added files"),
        Column::left("note"),
    ];
    let rows = commits.iter().map(|c| {
        vec![
            c.version.to_string(),
            c.timestamp.map_or("?".into(), exact_time),
            c.operation.clone().unwrap_or_else(|| "?".into()),
            count(c.added_files),
            count(c.removed_files),
            bytes(c.added_bytes),
            bytes(c.removed_bytes),
            c.added_records.map_or("?".into(), count),
            note(c),
        ]
    });
    table(out, &columns, rows)
}

fn note(commit: &Commit) -> String {
    let mut notes = Vec::new();
    if let Some(problem) = &commit.problem {
        notes.push(problem.as_str());
    }
    let facts = [
        (!commit.readable, "no longer readable"),
        (commit.protocol_changed, "protocol"),
        (commit.metadata_changed, "metadata"),
    ];
    notes.extend(facts.into_iter().filter_map(|(holds, word)| holds.then_some(word)));
    notes.join(", ")
}
