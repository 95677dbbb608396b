//! A table's footers as text.

use std::io::{self, Write};

use super::super::text::{Column, counted, pairs, table};
use super::file::{cut, ratio};
use crate::model::footer_totals::{ColumnReport, Drift, DriftKind, Report, SpreadReport};
use crate::model::text::clean;
use crate::model::units::{bytes, count, percent};

pub(super) fn write(out: &mut dyn Write, name: &str, report: &Report) -> io::Result<()> {
    let headline = format!(
        "{name}   {}   {}   {}   {}",
        counted(report.num_files, "footer"),
        bytes(report.size_in_bytes),
        counted(report.num_rows, "row"),
        counted(report.num_row_groups, "row group"),
    );
    writeln!(out, "{}", clean(&headline))?;
    if let Some(sample) = &report.sample {
        let (read, all) = (count(sample.num_files), count(sample.of_files));
        writeln!(
            out,
            "sample: {read} of {all} files, {}; all figures are those of the sample",
            sample.method
        )?;
    }
    for (files, what) in [(report.missing_files, "missing"), (report.unreadable_files, "unreadable")] {
        if files > 0 {
            writeln!(out, "warning: {} {what}", counted(files, "file"))?;
        }
    }
    writeln!(out)?;
    pairs(out, &lines(report))?;
    section(out, "Row groups by rows", |out| spread(out, &report.row_group_rows, count))?;
    section(out, "Row groups by compressed bytes", |out| spread(out, &report.row_group_bytes, bytes))?;
    section(out, "Columns", |out| columns(out, report))?;
    if !report.drift.is_empty() {
        section(out, "Schema drift against most files", |out| drift(out, &report.drift))?;
    }
    if !report.problems.is_empty() {
        let shown = [Column::left("code"), Column::left("file"), Column::left("reason")];
        let row = report
            .problems
            .iter()
            .map(|p| vec![p.problem.code.into(), p.path.clone(), p.problem.reason.clone()]);
        section(out, "Files without a footer", |out| table(out, &shown, row))?;
    }
    Ok(())
}

fn section(
    out: &mut dyn Write,
    title: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(out, "\n{title}")?;
    write(out)
}

fn lines(report: &Report) -> Vec<(&'static str, String)> {
    let of_files = |files| format!("{} ({})", counted(files, "file"), percent(files, report.num_files));
    let mut lines = vec![("V-Order", of_files(report.v_order_files))];
    for writer in &report.writers {
        let name = writer.created_by.as_deref().unwrap_or("not named");
        lines.push(("Writer", format!("{name}   {}", of_files(writer.num_files))));
    }
    for codec in &report.codecs {
        let (chunks, size) = (counted(codec.sum.chunks, "chunk"), bytes(codec.sum.compressed_size));
        lines.push(("Codec", format!("{}   {chunks}   {size}", codec.codec)));
    }
    lines
}

fn spread(out: &mut dyn Write, spread: &SpreadReport, text: impl Fn(u64) -> String) -> io::Result<()> {
    let (Some(min), Some(average), Some(max)) = (spread.min, spread.average, spread.max) else {
        return writeln!(out, "none");
    };
    writeln!(out, "smallest {}   average {}   largest {}", text(min), text(average), text(max))?;
    let shown = [Column::right("from"), Column::right("below"), Column::right("row groups")];
    let rows = spread.bins.iter().map(|bin| {
        vec![text(bin.from), bin.to.map_or_else(|| "no limit".into(), &text), count(bin.row_groups)]
    });
    table(out, &shown, rows)
}

fn columns(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let all = report.columns.iter().fold(0u64, |sum, c| sum.saturating_add(c.compressed_size));
    let shown = [
        Column::left("column"),
        Column::left("type"),
        Column::right("compressed"),
        Column::right("share"),
        Column::right("uncompressed"),
        Column::right("ratio"),
        Column::right("nulls"),
        Column::right("min-max"),
        Column::right("page index"),
        Column::right("bloom filter"),
        Column::right("dictionary"),
        Column::left("codecs"),
        Column::left("encodings"),
    ];
    let row = |c: &ColumnReport| {
        let share = |part| percent(part, c.chunks);
        vec![
            c.path.clone(),
            cut(&c.types.join(", ")),
            bytes(c.compressed_size),
            percent(c.compressed_size, all),
            bytes(c.uncompressed_size),
            ratio(c.uncompressed_size, c.compressed_size),
            c.null_count.map_or("?".into(), count),
            share(c.chunks_with_min_max),
            share(c.chunks_with_page_index),
            share(c.chunks_with_bloom_filter),
            share(c.chunks_with_dictionary),
            c.codecs.join(" "),
            c.encodings.join(" "),
        ]
    };
    table(out, &shown, report.columns.iter().map(row))
}

fn drift(out: &mut dyn Write, drift: &[Drift]) -> io::Result<()> {
    let shown = [
        Column::left("column"),
        Column::left("what"),
        Column::left("in most files"),
        Column::left("here"),
        Column::right("files"),
        Column::left("such as"),
    ];
    let row = |d: &Drift| {
        let what = match d.kind {
            DriftKind::Missing => "missing",
            DriftKind::Added => "added",
            DriftKind::Type => "type differs",
        };
        let text = |t: &Option<String>| t.clone().unwrap_or_else(|| "–".into());
        vec![
            d.column.clone(),
            what.into(),
            text(&d.expected),
            text(&d.found),
            count(d.files),
            d.example.clone(),
        ]
    };
    table(out, &shown, drift.iter().map(row))
}
