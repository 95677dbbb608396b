//! `deltop history`: the versions, newest first.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::history::of_log;
use crate::lake::log::Log;
use crate::model::Outcome;
use crate::model::calendar::Clock;
use crate::model::expiry::Versions;
use crate::model::fit;
use crate::model::history::Commit;
use crate::model::history_rows::{GapKind, HistoryRow, HistoryRows};
use crate::model::log_reach::mark;
use crate::model::operation::Operation;
use crate::model::table::AsOf;
use crate::model::text::clean;
use crate::model::units::{bytes, count, exact_time, iso_time};
use crate::model::vacuumed::Vacuumed;

/// An element of the contract's `history` array; what follows `readable` there is extra.
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
    /// Whether the log can rebuild the version and tells of no vacuum that may have deleted its data
    /// files; null if it does tell of one. The files themselves are not looked at.
    readable: Option<bool>,
    /// Why it cannot, or why that is not known.
    unreadable_reason: Option<String>,
    /// Live rows of the removed files, where the removes state them.
    removed_records: Option<u64>,
    num_cdc_files: u64,
    /// The writer's own time, which for a copied table is not that of the log file.
    stated_timestamp: Option<String>,
    /// What is wrong with the commit file, if anything.
    problem: Option<&'a str>,
}

pub async fn run(call: &mut Call<'_>, limit: Option<usize>) -> Outcome<()> {
    // A version that is damaged is listed all the same, so none is opened unless a time asks for it.
    let log = Log::list(&call.place, call.watch).await?;
    let newest = match call.as_of {
        AsOf::Latest => log.newest(),
        AsOf::Version(version) => log.check(version)?,
        AsOf::Time(_) => log.open(call.as_of, call.watch).await?.table.version,
    };
    let mut all: Vec<Commit> = Vec::new();
    let limit = limit.unwrap_or(usize::MAX);
    let whole = of_log(&log, newest, limit, call.watch, &mut |commit| all.push(commit)).await?;
    if let Some(rebuildable) = whole {
        mark(&mut all, &rebuildable);
    }
    if call.format.is_text() {
        let rows = HistoryRows::of(&all, newest, all.len() < limit);
        return write_text(call.out, &all, &rows).map_err(failed);
    }
    let vacuumed = Vacuumed::of(&all);
    output::array(call.out, call.format, all.iter().map(|commit| answer(commit, vacuumed)))
}

fn answer(c: &Commit, vacuumed: Option<Vacuumed>) -> Answer<'_> {
    let doubt = vacuumed.and_then(|v| v.doubt(c.version)).filter(|_| c.readable);
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
        readable: doubt.is_none().then_some(c.readable),
        unreadable_reason: doubt.or_else(|| c.lost_because.clone()),
        removed_records: c.removed_records,
        num_cdc_files: c.cdc_files,
        stated_timestamp: c.stated_timestamp.and_then(iso_time),
        problem: c.problem.as_deref(),
    }
}

/// Columns that the words of an operation may take.
const WORDS: usize = 60;

fn write_text(out: &mut dyn Write, commits: &[Commit], rows: &HistoryRows) -> io::Result<()> {
    if let (Some(newest), Some(oldest)) = (commits.first(), commits.last()) {
        let number = counted(commits.len() as u64, "commit");
        writeln!(out, "{number}, v{} to v{}\n", newest.version, oldest.version)?;
    }
    let columns = [
        Column::right("version"),
        Column::left("time (UTC)"),
        Column::left("operation"),
        Column::right("+files"),
        Column::right("-files"),
        Column::right("+bytes"),
        Column::right("-bytes"),
        Column::right("+rows"),
        Column::right("-rows"),
        Column::left("note"),
    ];
    let vacuumed = Vacuumed::of(commits);
    let lines = rows.rows.iter().map(|row| match row {
        HistoryRow::Commit(at) => commits.get(*at).map(|c| line(c, vacuumed)).unwrap_or_default(),
        HistoryRow::Gap(versions, kind) => gap(*versions, *kind),
    });
    table(out, &columns, lines)?;
    if Clock::best(commits) == Clock::Stated {
        let note = "\nThe times are those of the log files, by which --as-of goes. The commits themselves \
                    state older ones (`statedTimestamp` with --json): this table was copied.";
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn line(c: &Commit, vacuumed: Option<Vacuumed>) -> Vec<String> {
    let known = |n: Option<u64>| n.map_or("?".into(), count);
    // A lower bound is marked as such.
    let more = if c.removes_without_size > 0 { ">=" } else { "" };
    vec![
        c.version.to_string(),
        c.timestamp.map_or("?".into(), exact_time),
        words(c),
        count(c.added_files),
        count(c.removed_files),
        bytes(c.added_bytes),
        format!("{more}{}", bytes(c.removed_bytes)),
        known(c.added_records),
        known(c.removed_records),
        note(c, vacuumed),
    ]
}

fn words(c: &Commit) -> String {
    let operation = Operation::of(c.operation.as_deref(), c.operation_parameters.as_ref());
    let text = format!("{} {}", operation.name, operation.words);
    fit::fit(clean(text.trim_end()).as_ref(), WORDS).into_owned()
}

fn gap(versions: Versions, kind: GapKind) -> Vec<String> {
    let Versions { first, last } = versions;
    let number = counted(last - first + 1, "version");
    vec![format!("v{first}-v{last}"), String::new(), format!("({number} {})", kind.says())]
}

fn note(commit: &Commit, vacuumed: Option<Vacuumed>) -> String {
    let mut notes = Vec::new();
    notes.extend(commit.problem.clone());
    if let Some(why) = &commit.lost_because {
        notes.push(format!("no longer readable: {why}"));
    } else if vacuumed.is_some_and(|v| v.doubt(commit.version).is_some()) {
        notes.push("vacuumed: data files may be gone".to_owned());
    }
    let facts = [
        (commit.data_change == Some(false), "no data change"),
        (commit.protocol_changed, "protocol"),
        (commit.metadata_changed, "metadata"),
        (commit.cdc_files > 0, "change data"),
    ];
    notes.extend(facts.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word.to_owned()));
    notes.extend(commit.user_metadata.as_ref().map(|text| format!("\"{text}\"")));
    notes.join(", ")
}
