//! Which columns would make good partition columns: by the statistics, and by a sample of rows where
//! these do not tell.

use std::collections::HashSet;
use std::io::{self, Write};

use super::super::call::Call;
use super::super::output::{self, failed};
use super::super::text::{Column, table};
use crate::lake::evidence::{Columns, What};
use crate::lake::value_sample;
use crate::model::Outcome;
use crate::model::candidates::{Candidate, Transform, Verdict, candidates};
use crate::model::evidence::Evidence;
use crate::model::rollup::Measures;
use crate::model::stats::WantedColumn;
use crate::model::units::{bytes, count};

pub(super) async fn run(call: &mut Call<'_>) -> Outcome<()> {
    let found = call.evidence(&What { columns: Columns::All, ..What::default() }).await?;
    let rules = &call.thresholds.candidates;
    // A partition column is one already, and has no statistics of its own.
    let columns = found.stats.iter().flat_map(|s| s.columns.iter());
    let mut judged: Vec<Candidate> = columns.flat_map(|c| candidates(c, &found.files, rules)).collect();
    sample(call, &found, &mut judged).await?;
    let mut found = judged;
    found.sort_by_key(|c| c.verdict);
    if call.format.is_text() {
        return write_text(call.out, &found).map_err(failed);
    }
    output::array(call.out, call.format, found)
}

/// Looks at some rows of the columns of which the statistics do not tell enough.
async fn sample(call: &Call<'_>, found: &Evidence, judged: &mut [Candidate]) -> Outcome<()> {
    let open: HashSet<&str> =
        judged.iter().filter(|c| c.verdict == Verdict::Unknown).map(|c| c.column.as_str()).collect();
    let all = found.stats.iter().flat_map(|s| s.wanted());
    let wanted: Vec<WantedColumn> = all.filter(|w| open.contains(w.name.as_str())).cloned().collect();
    let sampled = value_sample::sample(&call.place, &found.files, &wanted, call.watch).await?;
    let sum = Measures::of(&found.files);
    for candidate in judged {
        if let Some(values) = sampled.get(&candidate.column) {
            candidate.sampled(values, sum.bytes, sum.rows(), &call.thresholds.candidates);
        }
    }
    Ok(())
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
    let judged = |c: &Candidate| {
        let estimate = if c.sample.is_some() { "~" } else { "" };
        format!("{estimate}{}", verdict(c.verdict))
    };
    let rows = found.iter().map(|c| vec![judged(c), name(c), values(c), sizes(c), because(c)]);
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
    if let Some(sample) = &c.sample {
        return format!("~{}", count(sample.estimated_values));
    }
    match c.at_most {
        Some(most) if most == c.at_least => count(most),
        Some(most) => format!("{} to {}", count(c.at_least), count(most)),
        None => format!("{} or more", count(c.at_least)),
    }
}

fn sizes(c: &Candidate) -> String {
    if let Some(about) = c.sample.zip(c.max_bytes_per_value) {
        // What the estimated number of values makes of the table's bytes.
        let (sample, most) = about;
        let all = u128::from(most) * u128::from(c.at_least);
        let each = all / u128::from(sample.estimated_values.max(1));
        return format!("~{}", bytes(u64::try_from(each).unwrap_or(u64::MAX)));
    }
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
