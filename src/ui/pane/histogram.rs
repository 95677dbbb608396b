//! Files by size or by rows, with the band where they should be.
//!
//! ```text
//!  File size                         recommended 64–256 MiB ┃
//!      1–4 MiB │████████████████▌                 128   3.11 GiB
//!     4–16 MiB │                                    0
//!   64–128 MiB ┃                                    0
//! ```

use crate::model::histogram::{Bucket, By, Histogram};
use crate::model::{fit, units};
use crate::ui::bar::bar;
use crate::ui::canvas::{Piece, piece};
use crate::ui::theme::Role;

/// Columns that the labels have at least.
const LABEL: usize = 15;

/// Columns that the labels of these bars need: limits of two units are longer.
fn label_width<'b>(by: By, bars: impl IntoIterator<Item = &'b Bucket>) -> usize {
    bars.into_iter().map(|b| fit::width(&label(by, b))).max().unwrap_or(0).max(LABEL)
}

/// The histogram in lines of `width` columns.
pub fn lines(histogram: &Histogram, width: u16) -> Vec<Vec<Piece>> {
    let width = usize::from(width);
    let mut out = vec![heading(histogram, width)];
    let most = histogram.buckets.iter().map(|b| b.files).max().unwrap_or(0);
    let with_bytes = width >= 56;
    let figures = if with_bytes { 10 + 11 } else { 10 };
    let bars = histogram.bars();
    let labels = label_width(histogram.by, &bars);
    let cells = width.saturating_sub(labels + 2 + figures).clamp(4, 60);
    for bucket in &bars {
        let band = histogram.in_band(bucket);
        let (axis, axis_role) = if band { ("┃", Role::Band) } else { ("│", Role::Line) };
        let judged = histogram.recommended.is_some();
        let role = if judged && !band { Role::BarOff } else { Role::Bar };
        let label = label(histogram.by, bucket);
        let drawn = bar(bucket.files, most, cells);
        let pad = cells.saturating_sub(drawn.chars().count());
        let figure_role = if bucket.files == 0 { Role::Dim } else { Role::Plain };
        let mut line = vec![
            piece(format!("{label:>labels$} "), Role::Dim),
            piece(axis, axis_role),
            piece(drawn, role),
            piece(" ".repeat(pad), Role::Plain),
            piece(format!("{:>10}", units::count(bucket.files)), figure_role),
        ];
        if with_bytes && bucket.files > 0 {
            line.push(piece(format!("{:>11}", units::bytes(bucket.bytes)), Role::Dim));
        }
        out.push(line);
    }
    if histogram.buckets.is_empty() {
        out.push(vec![piece("  no files", Role::Dim)]);
    }
    if histogram.unknown_files > 0 {
        let n = units::count(histogram.unknown_files);
        let text =
            if histogram.unknown_files == 1 { "file does not state its" } else { "files do not state their" };
        out.push(vec![piece(format!("  {n} {text} rows"), Role::Dim)]);
    }
    out
}

fn heading(histogram: &Histogram, width: usize) -> Vec<Piece> {
    let (title, long) = match histogram.by {
        By::Size => ("Files by size", "   number of files, bytes"),
        By::Rows => ("Files by rows", "   number of files, bytes"),
    };
    let mut out = vec![piece(title, Role::Strong)];
    if let Some(r) = histogram.recommended {
        let what = if width >= 56 { "   recommended " } else { "   " };
        out.push(piece(what, Role::Dim));
        out.push(piece("┃ ", Role::Band));
        out.push(piece(range(r.low, r.high), Role::Band));
    } else if width >= 56 {
        out.push(piece(long, Role::Dim));
    }
    out
}

/// What a bar counts: `64–128 MiB`.
pub fn label(by: By, bucket: &Bucket) -> String {
    match (by, bucket.to) {
        (By::Size, Some(to)) if bucket.from == 0 => format!("< {}", size(to)),
        (By::Size, Some(to)) => range(bucket.from, to),
        (By::Size, None) => format!("from {}", size(bucket.from)),
        (By::Rows, Some(1)) => "no rows".into(),
        (By::Rows, Some(to)) => format!("{}–{}", short(bucket.from), short(to)),
        (By::Rows, None) => format!("from {}", short(bucket.from)),
    }
}

/// Files by size before and after a change, side by side on the same buckets.
pub fn compared(before: &Histogram, after: &Histogram, width: u16) -> Vec<Vec<Piece>> {
    // A narrow place has room for short bars and short figures.
    let figure = if width < 60 { 5 } else { 8 };
    let pairs = paired(before, after);
    let labels = label_width(before.by, pairs.iter().map(|(bucket, ..)| bucket));
    let cells = (usize::from(width).saturating_sub(labels + 5 + 2 * figure) / 2).clamp(3, 36);
    let mut out = vec![heading(before, width.into()), Vec::new()];
    let column = cells + figure + 1;
    let then = if column >= 21 { "afterwards, predicted" } else { "after ~" };
    out[1] = vec![piece(format!("{:>labels$}  {:<column$}  {then}", "", "now"), Role::Header)];
    let most = before.buckets.iter().chain(&after.buckets).map(|b| b.files).max().unwrap_or(0);
    for (bucket, now, then) in pairs {
        let band = before.in_band(&bucket);
        let (axis, axis_role) = if band { ("┃", Role::Band) } else { ("│", Role::Line) };
        let role = if band { Role::Bar } else { Role::BarOff };
        let mut line = vec![piece(format!("{:>labels$} ", label(before.by, &bucket)), Role::Dim)];
        for (files, gap) in [(now, ""), (then, "  ")] {
            let drawn = bar(files, most, cells);
            let pad = cells.saturating_sub(drawn.chars().count());
            let figure_role = if files == 0 { Role::Dim } else { Role::Plain };
            line.push(piece(gap, Role::Plain));
            line.push(piece(axis, axis_role));
            line.push(piece(drawn, role));
            line.push(piece(format!("{}{:>figure$}", " ".repeat(pad), units::count(files)), figure_role));
        }
        out.push(line);
    }
    out
}

/// The buckets of both, with the files of each; runs that are empty in both are left out but for
/// the band. Buckets are matched by their lower limit: both have the same limits.
fn paired(before: &Histogram, after: &Histogram) -> Vec<(Bucket, u64, u64)> {
    let files = |h: &Histogram, from: u64| h.buckets.iter().find(|b| b.from == from).map_or(0, |b| b.files);
    let mut all: Vec<Bucket> = before.buckets.clone();
    all.extend(after.buckets.iter().filter(|b| !before.buckets.iter().any(|a| a.from == b.from)));
    all.sort_by_key(|b| b.from);
    let rows = all.into_iter().map(|b| (b, files(before, b.from), files(after, b.from)));
    rows.filter(|(b, now, then)| now + then > 0 || before.in_band(b)).collect()
}

/// `64–256 MiB`; with both units where they differ.
fn range(from: u64, to: u64) -> String {
    let (from, to) = (size(from), size(to));
    match (from.split_once(' '), to.split_once(' ')) {
        (Some((a, unit)), Some((b, same))) if unit == same => format!("{a}–{b} {unit}"),
        _ => format!("{from}–{to}"),
    }
}

/// Limits are mostly whole numbers of their unit.
fn size(bytes: u64) -> String {
    let text = units::bytes(bytes);
    text.replacen(".00 ", " ", 1).replacen(".0 ", " ", 1)
}

fn short(n: u64) -> String {
    match n {
        n if n >= 1_000_000_000 => format!("{} G", n / 1_000_000_000),
        n if n >= 1_000_000 => format!("{} M", n / 1_000_000),
        n if n >= 1_000 => format!("{} k", n / 1_000),
        n => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::target::SizeTarget;

    /// Bars start in the same column, also where a label has two units.
    #[test]
    fn axes_stand_in_line() {
        let sizes = [5u64 << 20, 900 << 20, 3 << 30];
        let target = SizeTarget { target: 693 << 20, low: 347 << 20, high: 1386 << 20, source: "" };
        let histogram = Histogram::of_sizes(sizes.iter().map(|s| file(*s)), target);
        let axes: Vec<usize> =
            lines(&histogram, 70).iter().skip(1).map(|line| fit::width(&line[0].text)).collect();
        assert!(axes.len() > 3 && axes.iter().all(|at| *at == axes[0]), "{axes:?}");
    }

    fn file(size: u64) -> crate::model::files::FileRef<'static> {
        crate::model::files::FileRef {
            path: "f",
            size,
            modified: 0,
            records: None,
            partition: 0,
            deletion_vector: None,
            tags: None,
        }
    }
}
