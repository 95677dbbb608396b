//! Which columns would make good partition columns, as far as the statistics tell.

use std::io::{self, Write};

use super::super::call::Call;
use super::super::output::{self, failed};
use super::super::text::{Column, table};
use crate::lake::evidence::{Columns, What};
use crate::model::Outcome;
use crate::model::candidates::{Candidate, Transform, Verdict, candidates};
use crate::model::units::{bytes, count};

pub(super) async fn run(call: &mut Call<'_>) -> Outcome<()> {
    let found = call.evidence(&What { columns: Columns::All, ..What::default() }).await?;
    let rules = &call.thresholds.candidates;
    let columns = found.stats.iter().flat_map(|s| s.columns.iter());
    let all = columns.chain(found.partition_columns.iter());
    let mut found: Vec<Candidate> = all.flat_map(|c| candidates(c, &found.files, rules)).collect();
    found.sort_by_key(|c| c.verdict);
    if call.format.is_text() {
        return write_text(call.out, &found).map_err(failed);
    }
    output::array(call.out, call.format, found)
}

fn write_text(out: &mut dyn Write, found: &[Candidate]) -> io::Result<()> {
    if found.is_empty() {
        return writeln!(out, "No column could be a partition column.");
    }
    let columns = [
        Column::left("verdict"),
        Column::left("column"),
        Column::right("values"),
        Column::right("bytes a value"),
        Column::left("because"),
    ];
    let rows =
        found.iter().map(|c| vec![verdict(c.verdict).into(), name(c), values(c), sizes(c), because(c)]);
    table(out, &columns, rows)
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Acceptable => "acceptable",
        Verdict::Unknown => "unknown",
        Verdict::TooFine => "too fine",
        Verdict::TooMany => "too many",
        Verdict::OneValue => "one value",
    }
}

fn name(c: &Candidate) -> String {
    match c.transform {
        Transform::Value => c.column.clone(),
        Transform::Day => format!("day of {}", c.column),
        Transform::Month => format!("month of {}", c.column),
        Transform::Year => format!("year of {}", c.column),
    }
}

fn values(c: &Candidate) -> String {
    match c.at_most {
        Some(most) if most == c.at_least => count(most),
        Some(most) => format!("{} to {}", count(c.at_least), count(most)),
        None => format!("{} or more", count(c.at_least)),
    }
}

fn sizes(c: &Candidate) -> String {
    match (c.min_bytes_per_value, c.max_bytes_per_value) {
        (Some(a), Some(b)) if a == b => bytes(a),
        (Some(a), Some(b)) => format!("{} to {}", bytes(a), bytes(b)),
        (None, Some(b)) => format!("at most {}", bytes(b)),
        _ => "?".into(),
    }
}

fn because(c: &Candidate) -> String {
    match c.unknown_files {
        0 => c.rule.clone(),
        n => format!("{}; nothing is known of {} files", c.rule, count(n)),
    }
}
