//! `deltop trends`: how the table grew, and how it is written.

use std::io::{self, Write};

use serde::Serialize;

use super::args::TrendsBy;
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, newest_unreadable, table};
use crate::lake::walk::{Ask, walk};
use crate::model::Outcome;
use crate::model::calendar::{Span, Zone};
use crate::model::daily::{Period, periods};
use crate::model::expiry::Versions;
use crate::model::operation::OperationKind;
use crate::model::past::Past;
use crate::model::pattern::Patterns;
use crate::model::recover::Unreadable;
use crate::model::trend_rates::OperationShare;
use crate::model::trend_samples::Axis;
use crate::model::trends::{Point, Trends};
use crate::model::units::{bytes, count, iso_time};
use crate::ui::{ascii, chart};

/// The history as a whole, as of now; and why the newest version is not in it, if so.
pub(super) async fn past(call: &Call<'_>) -> Outcome<(Past, Option<Unreadable>)> {
    let ask = Ask { look_for_files: false, retain: None, now: chrono::Utc::now().timestamp_millis() };
    let (open, unreadable) = call.past().await?;
    Ok((walk(&open, ask, call.watch).await?, unreadable))
}

pub async fn run(call: &mut Call<'_>, by: TrendsBy) -> Outcome<()> {
    let (past, unreadable) = past(call).await?;
    let axis = match by {
        TrendsBy::Version => Axis::Version,
        TrendsBy::Hour => Axis::Time(Span::Hour),
        TrendsBy::Day => Axis::Time(Span::Day),
        TrendsBy::Week => Axis::Time(Span::Week),
    };
    if call.format.is_text() {
        newest_unreadable(call.out, unreadable.as_ref(), past.version).map_err(failed)?;
        return write_text(call.out, &past, axis, call.ascii).map_err(failed);
    }
    output::object(call.out, call.format, &answer(&past, axis, unreadable.as_ref()))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    version: u64,
    /// Files below this size, bytes, count as small.
    small_below: u64,
    /// Whether the sums of the commits meet the file lists.
    adds_up: bool,
    /// `logFiles` (or in-commit timestamps), or `stated` for a table that was copied.
    times: &'static str,
    clock_went_back: u64,
    commits_without_time: u64,
    commits_left_out: u64,
    gaps: Vec<Versions>,
    patterns: &'a Patterns,
    operations: Vec<OperationAnswer>,
    /// Along versions; else none.
    points: Option<Vec<PointAnswer>>,
    /// Along time, newest first; else none.
    periods: Option<Vec<Period>>,
    /// The newest version, if it cannot be read; `version` is the newest that can.
    newest_unreadable: Option<&'a Unreadable>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OperationAnswer {
    operation: &'static str,
    num_commits: u64,
    bytes_written: u64,
    bytes_removed: Option<u64>,
    rows_changed: Option<u64>,
    rows_copied: Option<u64>,
    /// Bytes written for each byte by which the table grew.
    byte_amplification: Option<f64>,
    /// Rows written for each row that was changed.
    row_amplification: Option<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PointAnswer {
    version: u64,
    timestamp: Option<String>,
    operation: &'static str,
    num_added_files: u64,
    num_removed_files: u64,
    added_bytes: u64,
    removed_bytes: Option<u64>,
    added_records: Option<u64>,
    removed_records: Option<u64>,
    num_files: Option<u64>,
    size_in_bytes: Option<u64>,
    num_records: Option<u64>,
    avg_file_size_in_bytes: Option<u64>,
    small_file_share: Option<f64>,
}

fn answer<'a>(past: &'a Past, axis: Axis, newest_unreadable: Option<&'a Unreadable>) -> Answer<'a> {
    let trends = &past.trends;
    let (points, span) = match axis {
        Axis::Version => (Some(trends.points.iter().map(point).collect()), None),
        Axis::Time(span) => (None, Some(span)),
    };
    Answer {
        version: past.version,
        small_below: past.small_below,
        adds_up: trends.adds_up,
        times: if trends.stated_times { "stated" } else { "logFiles" },
        clock_went_back: trends.clock_went_back,
        commits_without_time: trends.without_time,
        commits_left_out: past.left_out,
        gaps: trends.gaps.iter().map(|g| Versions { first: *g.start(), last: *g.end() }).collect(),
        patterns: &past.patterns,
        operations: past.mix.iter().map(operation).collect(),
        points,
        periods: span.map(|span| periods(trends, span, Zone::UTC, usize::MAX)),
        newest_unreadable,
    }
}

fn operation((kind, share): (&OperationKind, &OperationShare)) -> OperationAnswer {
    OperationAnswer {
        operation: kind.name(),
        num_commits: share.commits,
        bytes_written: share.bytes_written,
        bytes_removed: share.bytes_removed,
        rows_changed: share.rows_changed,
        rows_copied: share.rows_copied,
        byte_amplification: share.byte_amplification(),
        row_amplification: share.row_amplification(),
    }
}

fn point(p: &Point) -> PointAnswer {
    PointAnswer {
        version: p.version,
        timestamp: p.time.and_then(iso_time),
        operation: p.kind.name(),
        num_added_files: p.added_files,
        num_removed_files: p.removed_files,
        added_bytes: p.added_bytes,
        removed_bytes: p.removed_bytes,
        added_records: p.added_rows,
        removed_records: p.removed_rows,
        num_files: p.level.files,
        size_in_bytes: p.level.bytes,
        num_records: p.level.rows,
        avg_file_size_in_bytes: p.level.average_size(),
        small_file_share: p.level.small_share(),
    }
}

/// Columns of the charts: with labels 80 in all.
const WIDTH: usize = 54;
const HEIGHT: usize = 3;

fn write_text(out: &mut dyn Write, past: &Past, axis: Axis, ascii: bool) -> io::Result<()> {
    let own = |text: String| if ascii { ascii::text(&text) } else { text };
    for sentence in past.patterns.sentences() {
        writeln!(out, "{}", crate::model::text::clean(&sentence))?;
    }
    writeln!(out)?;
    let charts = chart::charts(&past.trends, axis, Zone::UTC, WIDTH, HEIGHT);
    for chart in &charts.list {
        for (at, row) in chart.rows.iter().enumerate() {
            let (label, mark) = match at {
                0 => (format!("{:<14} {:>9}", chart.title, chart.highest), '┤'),
                1 => (format!("  now {:<18}", chart.now), '│'),
                _ => (" ".repeat(24), '│'),
            };
            writeln!(out, "{}", own(format!("{label} {mark}{row}")).trim_end())?;
        }
    }
    writeln!(out, "{}", own(format!("{:26}{}\n", "", charts.axis)).trim_end())?;
    writeln!(out)?;
    let columns = [
        Column::left("operation"),
        Column::right("commits"),
        Column::right("bytes written"),
        Column::right("bytes removed"),
        Column::right("rows changed"),
        Column::right("rows copied"),
    ];
    let rows = past.mix.iter().map(|(kind, share)| {
        let known = |n: Option<u64>| n.map_or("?".into(), count);
        vec![
            kind.name().to_owned(),
            count(share.commits),
            bytes(share.bytes_written),
            share.bytes_removed.map_or("?".into(), bytes),
            known(share.rows_changed),
            known(share.rows_copied),
        ]
    });
    table(out, &columns, rows)?;
    note_times(out, &past.trends)?;
    if past.left_out > 0 {
        writeln!(
            out,
            "\n{} left out: only the newest are looked at",
            counted(past.left_out, "older commit")
        )?;
    }
    Ok(())
}

/// What must be known of the times.
pub(super) fn note_times(out: &mut dyn Write, trends: &Trends) -> io::Result<()> {
    for note in trends.notes() {
        writeln!(out, "\n{note}")?;
    }
    Ok(())
}
