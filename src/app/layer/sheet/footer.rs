//! A file's footer: its row groups, and the column chunks of one.

use std::sync::Arc;

use super::{Sheet, SheetColumn, Source, count_or, figure, ratio, text};
use crate::app::layer::detail::{DetailLayer, DetailRow};
use crate::app::scroll::Scroll;
use crate::model::footer::{Bound, Chunk, Footer, RowGroup};
use crate::model::units::{bytes, count, percent};

const GROUPS: &[SheetColumn] = &[
    figure("group", 0),
    figure("rows", 0),
    figure("compressed", 0),
    figure("uncompressed", 2),
    figure("ratio", 1),
    text("codecs", 3),
    text("has", 4),
];

const CHUNKS: &[SheetColumn] = &[
    text("column", 0),
    text("type", 5),
    figure("compressed", 0),
    figure("share", 3),
    figure("ratio", 1),
    text("codec", 4),
    figure("nulls", 2),
    text("min", 6),
    text("max", 6),
    text("has", 7),
    text("encodings", 8),
];

/// Characters of a value in a list; the details have all of it.
const WIDEST: usize = 24;

pub(super) fn groups(footer: Arc<Footer>) -> Sheet {
    let s = if footer.row_groups.len() == 1 { "" } else { "s" };
    let shape = format!(
        "{} rows in {} row group{s}, {} columns",
        count(footer.num_rows),
        count(footer.row_groups.len() as u64),
        count(footer.schema.len() as u64)
    );
    let mut facts = vec![
        value("file", footer.path.clone()),
        value("size", bytes(footer.size_in_bytes)),
        value("holds", shape),
    ];
    facts.push(value("writer", writer(&footer)));
    facts.push(value("V-Order", if footer.v_order { "yes" } else { "no" }.into()));
    let rows = footer.row_groups.iter().fold(0u64, |sum, g| sum.saturating_add(g.num_rows));
    if rows != footer.num_rows {
        facts.push(DetailRow::Warning("rows".into(), format!("the row groups hold {} rows", count(rows))));
    }
    Sheet {
        title: "Parquet footer".into(),
        facts,
        columns: GROUPS,
        rows: footer.row_groups.iter().enumerate().map(|(at, g)| group(at, g)).collect(),
        empty: "The file has no row groups.",
        scroll: Scroll::default(),
        source: Source::Groups(footer),
    }
}

fn group(at: usize, group: &RowGroup) -> Vec<String> {
    let mut codecs: Vec<&str> = group.columns.iter().map(|c| c.codec).collect();
    codecs.sort_unstable();
    codecs.dedup();
    let all = group.columns.len() as u64;
    let has = [
        ("page index", group.columns.iter().filter(|c| c.has_page_index).count() as u64),
        ("bloom filter", group.columns.iter().filter(|c| c.has_bloom_filter).count() as u64),
    ];
    let has: Vec<String> = has
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(what, n)| if *n == all { (*what).to_owned() } else { format!("{what} of {n} columns") })
        .collect();
    vec![
        at.to_string(),
        count(group.num_rows),
        bytes(group.compressed_size),
        bytes(group.total_byte_size),
        ratio(group.total_byte_size, group.compressed_size),
        codecs.join(", "),
        or_none(has.join(", ")),
    ]
}

/// The column chunks of a row group.
pub(super) fn chunks(footer: Arc<Footer>, at: usize) -> Sheet {
    let chunks = footer.row_groups.get(at).map(|g| g.columns.as_slice()).unwrap_or_default();
    let whole = footer.row_groups.get(at).map_or(0, |g| g.compressed_size);
    let rows = footer.row_groups.get(at).map_or(0, |g| g.num_rows);
    let facts = vec![
        value("file", footer.path.clone()),
        value("row group", format!("{at}: {} rows, {}", count(rows), bytes(whole))),
    ];
    Sheet {
        title: format!("Row group {at}"),
        facts,
        columns: CHUNKS,
        rows: chunks.iter().map(|c| row(c, whole)).collect(),
        empty: "The row group has no columns.",
        scroll: Scroll::default(),
        source: Source::Chunks(footer, at),
    }
}

fn row(chunk: &Chunk, whole: u64) -> Vec<String> {
    vec![
        chunk.leaf.path.clone(),
        chunk.leaf.type_text(),
        bytes(chunk.compressed_size),
        percent(chunk.compressed_size, whole),
        ratio(chunk.uncompressed_size, chunk.compressed_size),
        chunk.codec.to_owned(),
        count_or(chunk.null_count),
        bound(chunk.min.as_ref(), chunk.min_exact, WIDEST),
        bound(chunk.max.as_ref(), chunk.max_exact, WIDEST),
        or_none(has(chunk).join(", ")),
        chunk.encodings.join(" "),
    ]
}

fn has(chunk: &Chunk) -> Vec<&'static str> {
    let has = [
        (chunk.has_dictionary, "dictionary"),
        (chunk.has_page_index, "page index"),
        (chunk.has_bloom_filter, "bloom filter"),
    ];
    has.into_iter().filter_map(|(has, what)| has.then_some(what)).collect()
}

/// All that the footer says of a chunk.
pub(super) fn chunk(chunk: &Chunk) -> DetailLayer {
    let mut d = DetailLayer::new("Column chunk");
    d.row("column", chunk.leaf.path.clone());
    d.row("type", chunk.leaf.type_text());
    d.row("codec", chunk.codec);
    d.row("compressed", size(chunk.compressed_size));
    d.row("uncompressed", size(chunk.uncompressed_size));
    d.row("ratio", ratio(chunk.uncompressed_size, chunk.compressed_size));
    d.row("nulls", count_or(chunk.null_count));
    d.row("min", bound(chunk.min.as_ref(), chunk.min_exact, usize::MAX));
    d.row("max", bound(chunk.max.as_ref(), chunk.max_exact, usize::MAX));
    if [chunk.min_exact, chunk.max_exact].contains(&Some(false)) {
        d.row("~", "a bound that the writer may have shortened or rounded");
    }
    d.row("has", or_none(has(chunk).join(", ")));
    d.row("encodings", chunk.encodings.join(", "));
    d
}

/// All that the footer says of the file.
pub(super) fn about(footer: &Footer) -> DetailLayer {
    let mut d = DetailLayer::new("Parquet file");
    d.row("file", footer.path.clone());
    d.row("size", size(footer.size_in_bytes));
    d.row("rows", count(footer.num_rows));
    d.row("row groups", count(footer.row_groups.len() as u64));
    d.row("columns", count(footer.schema.len() as u64));
    d.row("data", size(footer.compressed_size()));
    d.row("writer", writer(footer));
    d.row("V-Order", if footer.v_order { "yes" } else { "no" });
    if !footer.key_value_metadata.is_empty() {
        d.heading("Key-value metadata");
        for (key, value) in &footer.key_value_metadata {
            d.value(key, value.as_deref());
        }
    }
    d
}

fn writer(footer: &Footer) -> String {
    footer.created_by.clone().unwrap_or_else(|| "not named".into())
}

fn value(label: &str, value: String) -> DetailRow {
    DetailRow::Value(label.to_owned(), Some(value))
}

fn size(n: u64) -> String {
    if n < 1024 { bytes(n) } else { format!("{} ({} bytes)", bytes(n), count(n)) }
}

fn or_none(text: String) -> String {
    if text.is_empty() { "–".into() } else { text }
}

/// A bound in at most so many characters; `~` marks one that is not the value itself.
fn bound(bound: Option<&Bound>, exact: Option<bool>, most: usize) -> String {
    let Some(value) = bound else { return "?".into() };
    let text = value.to_string();
    let cut = match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    if exact == Some(false) { format!("{cut}~") } else { cut }
}
