//! Columns that the table could be partitioned by.

use super::{Sheet, SheetColumn, Source, figure, text};
use crate::app::layer::detail::{DetailLayer, DetailRow};
use crate::app::scroll::Scroll;
use crate::model::candidates::{Candidate, Transform, Verdict};
use crate::model::units::{bytes, count};

const COLUMNS: &[SheetColumn] = &[
    text("column", 0),
    text("by", 0),
    text("verdict", 0),
    figure("values", 1),
    figure("bytes a value", 2),
    text("nulls", 4),
    text("why", 3),
];

pub(super) fn sheet(mut candidates: Vec<Candidate>) -> Sheet {
    candidates.sort_by_key(|c| c.verdict);
    let about =
        "from the files' statistics alone: nothing was read but the log. A range says what they prove.";
    Sheet {
        title: "Candidate partition columns".into(),
        facts: vec![DetailRow::Value("judged".into(), Some(about.into()))],
        columns: COLUMNS,
        rows: candidates.iter().map(row).collect(),
        empty: "No column has statistics that tell.",
        scroll: Scroll::default(),
        source: Source::Candidates(candidates),
    }
}

fn by(c: &Candidate) -> &'static str {
    match c.transform {
        Transform::Value => "value",
        Transform::Day => "day",
        Transform::Month => "month",
        Transform::Year => "year",
    }
}

fn verdict(c: &Candidate) -> &'static str {
    match c.verdict {
        Verdict::Good => "✓ good",
        Verdict::Acceptable => "✓ acceptable",
        Verdict::Unknown => "? unknown",
        Verdict::TooFine => "✗ too fine",
        Verdict::TooMany => "✗ too many",
        Verdict::OneValue => "✗ one value",
    }
}

fn values(c: &Candidate) -> String {
    match c.at_most {
        Some(most) if most == c.at_least => count(most),
        Some(most) => format!("{}–{}", count(c.at_least), count(most)),
        None => format!("at least {}", count(c.at_least)),
    }
}

fn sizes(c: &Candidate) -> String {
    match (c.min_bytes_per_value, c.max_bytes_per_value) {
        (Some(a), Some(b)) if a == b => bytes(a),
        (Some(a), Some(b)) => format!("{}–{}", bytes(a), bytes(b)),
        (None, Some(b)) => format!("at most {}", bytes(b)),
        _ => "?".into(),
    }
}

fn nulls(c: &Candidate) -> &'static str {
    match c.nulls {
        Some(true) => "yes",
        Some(false) => "no",
        None => "?",
    }
}

fn row(c: &Candidate) -> Vec<String> {
    vec![
        c.column.clone(),
        by(c).into(),
        verdict(c).into(),
        values(c),
        sizes(c),
        nulls(c).into(),
        c.rule.clone(),
    ]
}

pub(super) fn detail(c: &Candidate) -> DetailLayer {
    let mut d = DetailLayer::new("Candidate partition column");
    d.row("column", c.column.clone());
    d.row("by", by(c));
    d.row("verdict", verdict(c));
    d.row("why", c.rule.clone());
    d.row("distinct values", values(c));
    d.row("bytes a value", sizes(c));
    d.row(
        "nulls",
        match c.nulls {
            Some(true) => "yes: they make one more partition",
            Some(false) => "no",
            None => "unknown",
        },
    );
    if c.unknown_files > 0 {
        d.warn("without statistics", format!("{} files; they may hold other values", count(c.unknown_files)));
    }
    d
}
