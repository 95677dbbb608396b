//! `deltop history --by`: the history by hour, day or week.

use std::io::{self, Write};

use super::args;
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, newest_unreadable, table};
use super::trends::{note_times, past};
use crate::model::Outcome;
use crate::model::calendar::{Span, Zone};
use crate::model::daily::{Period, periods};
use crate::model::trends::Trends;
use crate::model::units::{bytes, count};

pub async fn run(call: &mut Call<'_>, by: args::Period, limit: Option<usize>) -> Outcome<()> {
    let span = match by {
        args::Period::Hour => Span::Hour,
        args::Period::Day => Span::Day,
        args::Period::Week => Span::Week,
    };
    let (past, unreadable) = past(call).await?;
    let all = periods(&past.trends, span, Zone::UTC, limit.unwrap_or(usize::MAX));
    if call.format.is_text() {
        newest_unreadable(call.out, unreadable.as_ref(), past.version).map_err(failed)?;
        return write_text(call.out, &all, &past.trends, span).map_err(failed);
    }
    output::array(call.out, call.format, all)
}

fn write_text(out: &mut dyn Write, all: &[Period], trends: &Trends, span: Span) -> io::Result<()> {
    let title = match span {
        Span::Hour => "hour (UTC)",
        Span::Day => "day (UTC)",
        Span::Week => "week from (UTC)",
    };
    let figures =
        ["commits", "+files", "-files", "+bytes", "-bytes", "+rows", "-rows", "files", "bytes", "rows"];
    let columns: Vec<Column> = [Column::left(title), Column::right("versions")]
        .into_iter()
        .chain(figures.map(Column::right))
        .collect();
    let number = |n: Option<u64>| n.map_or("?".into(), count);
    let size = |n: Option<u64>| n.map_or("?".into(), bytes);
    let rows = all.iter().map(|p| {
        vec![
            p.period.clone(),
            if p.first_version == p.last_version {
                format!("v{}", p.last_version)
            } else {
                format!("v{}-v{}", p.first_version, p.last_version)
            },
            count(p.num_commits),
            count(p.num_added_files),
            count(p.num_removed_files),
            bytes(p.added_bytes),
            size(p.removed_bytes),
            number(p.added_records),
            number(p.removed_records),
            number(p.num_files),
            size(p.size_in_bytes),
            number(p.num_records),
        ]
    });
    table(out, &columns, rows)?;
    note_times(out, trends)
}
