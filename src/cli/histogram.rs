//! `deltop histogram`: how the files' sizes or rows are spread.

use std::io::{self, Write};

use serde::Serialize;

use super::args::HistogramBy;
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::log::Want;
use crate::model::Outcome;
use crate::model::histogram::{Bucket, By, Histogram};
use crate::model::rollup::Measures;
use crate::model::target::SizeTarget;
use crate::model::units::{bytes, count, short_count};

/// The contract's `histogram` object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    by: &'static str,
    unit: &'static str,
    buckets: Vec<BucketAnswer>,
    /// Null by rows: the guidance is in bytes.
    recommended: Option<Band>,
    /// By rows: files without that figure, in no bucket.
    num_files_without_records: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BucketAnswer {
    from: u64,
    to: Option<u64>,
    num_files: u64,
    size_in_bytes: u64,
    num_records: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Band {
    from: u64,
    to: u64,
    target: u64,
}

pub async fn run(call: &mut Call<'_>, by: HistogramBy) -> Outcome<()> {
    let (open, files) = call.files(Want { records: true, ..Want::default() }).await?;
    let total = Measures::of(&files.list);
    let histogram = match by {
        HistogramBy::Size => Histogram::by_size(&files.list, call.limits.band(&open.table, total.bytes)),
        HistogramBy::Rows => Histogram::by_rows(&files.list),
    };
    if call.format.is_text() {
        write_text(call.out, &histogram, &total, call.ascii).map_err(failed)
    } else {
        output::object(call.out, call.format, &answer(&histogram))
    }
}

fn answer(histogram: &Histogram) -> Answer {
    let bucket = |b: &Bucket| BucketAnswer {
        from: b.from,
        to: b.to,
        num_files: b.files,
        size_in_bytes: b.bytes,
        num_records: b.rows,
    };
    let (by, unit) = match histogram.by {
        By::Size => ("size", "bytes"),
        By::Rows => ("rows", "rows"),
    };
    Answer {
        by,
        unit,
        buckets: histogram.buckets.iter().map(bucket).collect(),
        recommended: histogram.recommended.map(|t| Band { from: t.low, to: t.high, target: t.target }),
        num_files_without_records: histogram.unknown_files,
    }
}

fn write_text(out: &mut dyn Write, histogram: &Histogram, total: &Measures, ascii: bool) -> io::Result<()> {
    match histogram.recommended {
        Some(band) => writeln!(out, "{}\n", verdict(histogram, &band, total, ascii))?,
        None => writeln!(out, "{} by their rows\n", counted(total.files, "file"))?,
    }
    let most = histogram.buckets.iter().map(|b| b.files).max().unwrap_or(0);
    let columns = [
        Column::right(""),
        Column::left(""),
        Column::right("files"),
        Column::right("bytes"),
        Column::right("rows"),
    ];
    let rows = histogram.buckets.iter().map(|b| {
        vec![
            label(histogram.by, b, ascii),
            bar(b.files, most, in_band(histogram, b), ascii),
            count(b.files),
            bytes(b.bytes),
            b.rows.map_or("?".into(), count),
        ]
    });
    table(out, &columns, rows)?;
    if histogram.unknown_files > 0 {
        writeln!(out, "\n{} without a row count in the log", counted(histogram.unknown_files, "file"))?;
    }
    Ok(())
}

fn verdict(histogram: &Histogram, band: &SizeTarget, total: &Measures, ascii: bool) -> String {
    let below: u64 = histogram.buckets.iter().filter(|b| b.from < band.low).map(|b| b.files).sum();
    let dash = if ascii { "-" } else { "–" };
    format!(
        "{} of {} below the recommended {} {dash} {} (target {}; {})",
        count(below),
        counted(total.files, "file"),
        bytes(band.low),
        bytes(band.high),
        bytes(band.target),
        band.source
    )
}

fn in_band(histogram: &Histogram, bucket: &Bucket) -> bool {
    histogram.recommended.is_some_and(|t| bucket.from >= t.low && bucket.to.is_some_and(|to| to <= t.high))
}

fn label(by: By, bucket: &Bucket, ascii: bool) -> String {
    let show = |n| if by == By::Size { bytes(n) } else { short_count(n) };
    let dash = if ascii { "-" } else { "–" };
    match (bucket.from, bucket.to) {
        (0, Some(to)) => format!("< {}", show(to)),
        (from, Some(to)) => format!("{} {dash} {}", show(from), show(to)),
        (from, None) => format!(">= {}", show(from)),
    }
}

/// Where files should be is marked at the axis, also without colour.
fn bar(files: u64, most: u64, recommended: bool, ascii: bool) -> String {
    const WIDTH: u64 = 40;
    let (axis, full) = match (recommended, ascii) {
        (false, false) => ("│", "█"),
        (true, false) => ("┃", "█"),
        (false, true) => ("|", "#"),
        (true, true) => ("*", "#"),
    };
    // A bucket that holds anything shows something.
    let length = (files * WIDTH).checked_div(most).unwrap_or(0).max(u64::from(files > 0));
    format!("{axis}{}", full.repeat(length as usize))
}
