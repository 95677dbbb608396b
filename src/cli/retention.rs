//! `deltop retention`: how far back time travel reaches, and what would shorten it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, newest_unreadable, pairs, table};
use crate::lake::walk::{Ask, walk};
use crate::model::Outcome;
use crate::model::expiry::{HistoryCost, Horizon, Versions};
use crate::model::keeping_words::{facts, ranges};
use crate::model::log_cleanup::LogCleanup;
use crate::model::past::{Keeping, MissingFile, Past};
use crate::model::recover::Unreadable;
use crate::model::retention::Setting;
use crate::model::units::{bytes, count};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    version: u64,
    /// What the vacuum is assumed to keep.
    retention_hours: f64,
    /// The properties in force; durations are milliseconds.
    properties: Vec<Property>,
    problems: Vec<String>,
    /// Null if the files could not be followed through the log.
    horizon: Option<&'a Horizon>,
    unknown_reason: Option<&'a str>,
    log_cleanup: &'a LogCleanup,
    /// Oldest versions first.
    history_cost: &'a [HistoryCost],
    /// Removed before the oldest version: a vacuum deletes them without ending a version.
    removed_before_oldest: Value,
    /// Active files without their data; null if the data files were not listed.
    num_missing_active_files: Option<u64>,
    /// Which they are, the one needed longest first; of more than a thousand the first thousand. Null
    /// if the data files were not listed.
    missing_active_files: Option<&'a [MissingFile]>,
    /// Active and removed files outside the table's folder, which the listing does not tell of; null
    /// if the data files were not listed.
    num_files_not_looked_at: Option<u64>,
    /// Whether deletion vectors and change data, which the table can have, are left out of all this.
    data_files_only: bool,
    /// The newest version, if it cannot be read; `version` is the newest that can.
    newest_unreadable: Option<&'a Unreadable>,
}

#[derive(Debug, Serialize)]
struct Property {
    name: &'static str,
    value: Value,
    set: bool,
    problem: Option<String>,
}

pub async fn run(call: &mut Call<'_>, retain: Option<u32>, list: bool) -> Outcome<()> {
    let (open, unreadable) = call.past().await?;
    let ask = Ask {
        look_for_files: list,
        retain: retain.map(|hours| i64::from(hours) * 3_600_000),
        now: chrono::Utc::now().timestamp_millis(),
    };
    let past = walk(&open, ask, call.watch).await?;
    if call.format.is_text() {
        newest_unreadable(call.out, unreadable.as_ref(), past.version).map_err(failed)?;
        return write_text(call.out, &past).map_err(failed);
    }
    output::object(call.out, call.format, &answer(&past, unreadable.as_ref()))
}

fn answer<'a>(past: &'a Past, newest_unreadable: Option<&'a Unreadable>) -> Answer<'a> {
    let keeping = &past.keeping;
    let older = &keeping.older;
    Answer {
        version: past.version,
        retention_hours: keeping.retain as f64 / 3_600_000.0,
        properties: properties(keeping),
        problems: keeping.retention.problems(),
        horizon: keeping.horizon.as_ref(),
        unknown_reason: keeping.unknown,
        log_cleanup: &keeping.cleanup,
        history_cost: &keeping.costs,
        removed_before_oldest: json!({"numFiles": older.files, "sizeInBytes": older.bytes}),
        num_missing_active_files: keeping.looked.map(|l| l.missing_active),
        missing_active_files: keeping.looked.map(|_| keeping.missing.as_slice()),
        num_files_not_looked_at: keeping.looked.map(|l| l.elsewhere),
        data_files_only: keeping.more_files,
        newest_unreadable,
    }
}

fn properties(keeping: &Keeping) -> Vec<Property> {
    fn of<T: Serialize>(name: &'static str, setting: &Setting<T>) -> Property {
        let value = serde_json::to_value(&setting.value).unwrap_or_default();
        Property { name, value, set: setting.set, problem: setting.problem.clone() }
    }
    let r = &keeping.retention;
    vec![
        of("delta.logRetentionDuration", &r.log),
        of("delta.deletedFileRetentionDuration", &r.deleted_files),
        of("delta.checkpointRetentionDuration", &r.checkpoints),
        of("delta.enableExpiredLogCleanup", &r.expired_log_cleanup),
        of("delta.setTransactionRetentionDuration", &r.transactions),
        of("delta.checkpointInterval", &r.checkpoint_interval),
    ]
}

fn write_text(out: &mut dyn Write, past: &Past) -> io::Result<()> {
    let found = facts(past);
    let lines: Vec<(&str, String)> = found.iter().map(|f| (f.label, f.text.clone())).collect();
    pairs(out, &lines)?;
    for problem in past.keeping.retention.problems() {
        writeln!(out, "\n{}", crate::model::text::clean(&problem))?;
    }
    if past.keeping.costs.iter().all(|c| c.files == 0) {
        return Ok(());
    }
    writeln!(out, "\nWhat the history costs, beyond the files of v{}:\n", past.version)?;
    let columns = [
        Column::right("versions"),
        Column::right("files"),
        Column::right("bytes"),
        Column::right("freed up to here"),
    ];
    let rows = past.keeping.costs.iter().map(|c| {
        let more = if c.files_without_size > 0 { ">=" } else { "" };
        vec![
            ranges(&[Versions { first: c.first, last: c.last }]),
            count(c.files),
            format!("{more}{}", bytes(c.bytes)),
            bytes(c.cumulative_bytes),
        ]
    });
    table(out, &columns, rows)
}
