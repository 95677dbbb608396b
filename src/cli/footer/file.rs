//! One footer as text.

use std::io::{self, Write};

use super::super::text::{Column, counted, pairs, table};
use crate::model::footer::{Bound, Chunk, Footer, RowGroup};
use crate::model::text::clean;
use crate::model::units::{bytes, count};

/// Characters that are shown of a value; JSON has all of it.
const WIDEST: usize = 40;

pub(super) fn write(out: &mut dyn Write, footer: &Footer) -> io::Result<()> {
    let headline = format!(
        "{}   {}   {}   {}",
        footer.path,
        bytes(footer.size_in_bytes),
        counted(footer.num_rows, "row"),
        counted(footer.row_groups.len() as u64, "row group"),
    );
    writeln!(out, "{}", clean(&headline))?;
    let rows = footer.row_groups.iter().fold(0u64, |sum, g| sum.saturating_add(g.num_rows));
    if rows != footer.num_rows {
        writeln!(out, "warning: the row groups hold {}", counted(rows, "row"))?;
    }
    let mut lines = vec![
        ("Writer", footer.created_by.clone().unwrap_or_else(|| "not named".into())),
        ("V-Order", if footer.v_order { "yes" } else { "no" }.into()),
        ("Columns", count(footer.schema.len() as u64)),
    ];
    let metadata = footer.key_value_metadata.iter();
    let entry = |(key, value): (&String, &Option<String>)| match value {
        Some(value) => format!("{key} = {}", cut(value)),
        None => key.clone(),
    };
    lines.extend(metadata.map(|pair| ("Metadata", entry(pair))));
    writeln!(out)?;
    pairs(out, &lines)?;
    writeln!(out)?;
    groups(out, &footer.row_groups)?;
    writeln!(out)?;
    chunks(out, &footer.row_groups)
}

fn groups(out: &mut dyn Write, groups: &[RowGroup]) -> io::Result<()> {
    let columns = ["group", "rows", "compressed", "uncompressed", "ratio"].map(Column::right);
    let rows = groups.iter().enumerate().map(|(at, group)| {
        vec![
            at.to_string(),
            count(group.num_rows),
            bytes(group.compressed_size),
            bytes(group.total_byte_size),
            ratio(group.total_byte_size, group.compressed_size),
        ]
    });
    table(out, &columns, rows)
}

fn chunks(out: &mut dyn Write, groups: &[RowGroup]) -> io::Result<()> {
    let columns = [
        Column::right("group"),
        Column::left("column"),
        Column::left("type"),
        Column::left("codec"),
        Column::right("compressed"),
        Column::right("uncompressed"),
        Column::right("ratio"),
        Column::right("nulls"),
        Column::left("min"),
        Column::left("max"),
        Column::left("has"),
        Column::left("encodings"),
    ];
    let all = groups.iter().enumerate().flat_map(|(at, g)| g.columns.iter().map(move |c| (at, c)));
    table(out, &columns, all.clone().map(|(at, chunk)| row(at, chunk)))?;
    if all.clone().any(|(_, c)| [c.min_exact, c.max_exact].contains(&Some(false))) {
        writeln!(out, "\n~ a bound that the writer may have shortened or rounded")?;
    }
    Ok(())
}

fn row(group: usize, chunk: &Chunk) -> Vec<String> {
    let has = [
        (chunk.has_dictionary, "dictionary"),
        (chunk.has_page_index, "page-index"),
        (chunk.has_bloom_filter, "bloom-filter"),
    ];
    let has: Vec<&str> = has.into_iter().filter_map(|(has, what)| has.then_some(what)).collect();
    vec![
        group.to_string(),
        chunk.leaf.path.clone(),
        chunk.leaf.type_text(),
        chunk.codec.to_owned(),
        bytes(chunk.compressed_size),
        bytes(chunk.uncompressed_size),
        ratio(chunk.uncompressed_size, chunk.compressed_size),
        chunk.null_count.map_or("?".into(), count),
        bound(chunk.min.as_ref(), chunk.min_exact),
        bound(chunk.max.as_ref(), chunk.max_exact),
        if has.is_empty() { "–".into() } else { has.join(" ") },
        chunk.encodings.join(" "),
    ]
}

fn bound(bound: Option<&Bound>, exact: Option<bool>) -> String {
    match bound {
        None => "?".into(),
        Some(value) if exact == Some(false) => format!("{}~", cut(&value.to_string())),
        Some(value) => cut(&value.to_string()),
    }
}

/// Uncompressed over compressed.
pub(super) fn ratio(uncompressed: u64, compressed: u64) -> String {
    match compressed {
        0 => "–".into(),
        _ => format!("{:.2}", uncompressed as f64 / compressed as f64),
    }
}

/// The start of a long text.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
