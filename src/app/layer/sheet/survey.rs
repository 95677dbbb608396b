//! The footers of a table's files in one: bytes of each column, row groups, codecs, writers.

use std::sync::Arc;

use super::{Sheet, SheetColumn, Source, count_or, figure, text};
use crate::app::layer::detail::{DetailLayer, DetailRow};
use crate::app::scroll::Scroll;
use crate::model::footer_totals::{ColumnReport, Drift, DriftKind, Report, SpreadReport};
use crate::model::units::{bytes, count, percent};

const COLUMNS: &[SheetColumn] = &[
    text("column", 0),
    figure("compressed", 0),
    figure("share", 1),
    figure("ratio", 2),
    text("codecs", 4),
    figure("nulls", 5),
    figure("min–max", 3),
    figure("page index", 6),
    figure("bloom filter", 7),
    figure("dictionary", 8),
    text("type", 9),
];

pub(super) fn sheet(survey: Arc<Report>) -> Sheet {
    let all = data_bytes(&survey);
    Sheet {
        title: "Parquet footers of the table".into(),
        facts: facts(&survey),
        columns: COLUMNS,
        rows: survey.columns.iter().map(|c| row(c, all)).collect(),
        empty: "No footer could be read.",
        scroll: Scroll::default(),
        source: Source::Survey(survey),
    }
}

fn data_bytes(survey: &Report) -> u64 {
    survey.columns.iter().map(|c| c.compressed_size).fold(0, u64::saturating_add)
}

fn row(c: &ColumnReport, all: u64) -> Vec<String> {
    let of_chunks = |n: u64| percent(n, c.chunks);
    vec![
        c.path.clone(),
        bytes(c.compressed_size),
        percent(c.compressed_size, all),
        ratio(c),
        c.codecs.join(", "),
        count_or(c.null_count),
        of_chunks(c.chunks_with_min_max),
        of_chunks(c.chunks_with_page_index),
        of_chunks(c.chunks_with_bloom_filter),
        of_chunks(c.chunks_with_dictionary),
        c.types.join(" | "),
    ]
}

fn ratio(c: &ColumnReport) -> String {
    c.ratio.map_or_else(|| "–".into(), |r| format!("{r:.2}"))
}

/// The whole in a few lines.
fn facts(s: &Report) -> Vec<DetailRow> {
    let value = |label: &str, text: String| DetailRow::Value(label.to_owned(), Some(text));
    let lost = s.missing_files + s.unreadable_files;
    let read = match &s.sample {
        None if lost > 0 => format!("{} of {} files", count(s.num_files), count(s.num_files + lost)),
        None => format!("{} files, all of them", count(s.num_files)),
        Some(sample) => {
            format!("a sample: {} of {} files, {}", count(s.num_files), count(sample.of_files), sample.method)
        }
    };
    let mut out = vec![value("read", read)];
    if lost > 0 {
        let text = format!(
            "{} missing, {} unreadable (i names them)",
            count(s.missing_files),
            count(s.unreadable_files)
        );
        out.push(DetailRow::Warning("without".into(), text));
    }
    out.push(value(
        "row groups",
        format!(
            "{} of {}",
            count(s.num_row_groups),
            spread(&s.row_group_rows, |n| format!("{} rows", count(n)))
        ),
    ));
    let sum = s.codecs.iter().map(|c| c.sum.compressed_size).fold(0, u64::saturating_add);
    let codecs: Vec<String> =
        s.codecs.iter().map(|c| format!("{} {}", c.codec, percent(c.sum.compressed_size, sum))).collect();
    out.push(value("codecs", codecs.join(", ")));
    let mut writers: Vec<_> = s.writers.iter().collect();
    writers.sort_by_key(|w| std::cmp::Reverse(w.num_files));
    let name = |w: &Option<String>| w.clone().unwrap_or_else(|| "not named".into());
    let named: Vec<String> =
        writers.iter().take(3).map(|w| format!("{} ({})", name(&w.created_by), count(w.num_files))).collect();
    let more = writers.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    out.push(value("writers", format!("{}{more}", named.join(", "))));
    out.push(value("V-Order", format!("{} of {} files", count(s.v_order_files), count(s.num_files))));
    if s.num_schemas > 1 {
        let text =
            format!("{} different schemas in the files (i shows where they differ)", count(s.num_schemas));
        out.push(value("schemas", text));
    }
    out
}

fn spread(s: &SpreadReport, show: impl Fn(u64) -> String) -> String {
    match (s.min, s.average, s.max) {
        (Some(min), _, Some(max)) if min == max => show(min),
        (Some(min), Some(average), Some(max)) => {
            format!("{} to {}, average {}", show(min), show(max), show(average))
        }
        _ => "none".into(),
    }
}

/// All that the footers say of a column.
pub(super) fn column(c: &ColumnReport) -> DetailLayer {
    let mut d = DetailLayer::new("Column in the files");
    let of_chunks = |n: u64| format!("{} of {} chunks", count(n), count(c.chunks));
    d.row("column", c.path.clone());
    d.row("type", c.types.join(" | "));
    d.row("files", count(c.num_files));
    d.row("compressed", bytes(c.compressed_size));
    d.row("uncompressed", bytes(c.uncompressed_size));
    d.row("ratio", ratio(c));
    d.row("codecs", c.codecs.join(", "));
    d.row("encodings", c.encodings.join(", "));
    d.row("nulls", count_or(c.null_count));
    d.row("min and max", of_chunks(c.chunks_with_min_max));
    d.row("page index", of_chunks(c.chunks_with_page_index));
    d.row("bloom filter", of_chunks(c.chunks_with_bloom_filter));
    d.row("dictionary", of_chunks(c.chunks_with_dictionary));
    d
}

/// Everything but the columns.
pub(super) fn about(s: &Report) -> DetailLayer {
    let mut d = DetailLayer { rows: facts(s), ..DetailLayer::new("All footers") };
    d.row("files", format!("{}, {}", count(s.num_files), bytes(s.size_in_bytes)));
    d.row("rows", format!("{} (deleted ones included)", count(s.num_rows)));
    d.heading("Row groups by rows");
    for bin in &s.row_group_rows.bins {
        d.row(&range(bin.from, bin.to, count), count(bin.row_groups));
    }
    d.heading("Row groups by compressed bytes");
    for bin in &s.row_group_bytes.bins {
        d.row(&range(bin.from, bin.to, bytes), count(bin.row_groups));
    }
    d.heading("Writers");
    for w in &s.writers {
        let (name, n) = (w.created_by.as_deref().unwrap_or("not named"), w.num_files);
        d.row("", format!("{name}: {} file{}", count(n), if n == 1 { "" } else { "s" }));
    }
    if !s.drift.is_empty() {
        d.heading("Where the files' schemas differ");
        for drift in &s.drift {
            d.row(&drift.column, differs(drift));
        }
    }
    if !s.problems.is_empty() {
        d.heading("Files without a footer");
        for p in &s.problems {
            d.warn(p.problem.code, p.problem.reason.clone());
        }
    }
    d
}

/// `from–to`, both inclusive of what they count.
fn range(from: u64, to: Option<u64>, show: fn(u64) -> String) -> String {
    match to {
        Some(to) => format!("{} – {}", show(from), show(to)),
        None => format!("from {}", show(from)),
    }
}

/// How some files differ from most.
fn differs(drift: &Drift) -> String {
    let n = count(drift.files);
    let expected = drift.expected.as_deref().unwrap_or("nothing");
    let what = match drift.kind {
        DriftKind::Missing => format!("missing in {n} files"),
        DriftKind::Added => format!("only in {n} files"),
        DriftKind::Type => {
            format!("{} instead of {expected} in {n} files", drift.found.as_deref().unwrap_or("nothing"))
        }
    };
    format!("{what}, such as {}", drift.example)
}
