//! Two versions compared.
//!
//! ```text
//!  v10 → v40   the rows changed
//!                     files       bytes        rows
//!  added                217    2.11 MiB      62,253
//!
//!  File sizes                v10                       v40
//!     4–16 KiB    40 ████████                139 ████████████████████████
//! ```

use ratatui::layout::Rect;

use super::commit::change;
use super::page::{self, Line, fact, heading, pad, right};
use crate::app::table::TableView;
use crate::model::diff::{Diff, Sum};
use crate::model::diff_partition::PartitionDiff;
use crate::model::diff_rows::Compared;
use crate::model::diff_words;
use crate::model::units;
use crate::ui::bar::bar;
use crate::ui::canvas::{Canvas, piece};
use crate::ui::theme::Role;
use crate::ui::words::counted;

pub fn diff(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let looks = &view.history.looks;
    let area = page::inside(area);
    if page::waits(canvas, area, &looks.compared, "comparing the versions") {
        return;
    }
    let Some(compared) = &looks.compared.value else { return };
    let partitions = &compared.diff.partitions;
    let lines = lines(compared, area.width);
    page::page(canvas, area, &looks.scroll, &lines, partitions.len(), |canvas, row, at| {
        if let Some(partition) = partitions.get(at) {
            draw_partition(canvas, row, partition);
        }
    });
}

fn lines(compared: &Compared, width: u16) -> Vec<Line> {
    let Compared { diff, rows } = compared;
    let role = if diff.layout_only == Some(true) { Role::Ok } else { Role::Strong };
    let mut out = vec![vec![
        piece(format!("v{} → v{}   ", diff.from, diff.to), Role::Accent),
        piece(diff_words::verdict(diff), role),
    ]];
    out.push(vec![piece(
        format!("{}{}{}{}", pad("", page::LABEL), right("files", 10), right("bytes", 12), right("rows", 14)),
        Role::Header,
    )]);
    for (name, sum) in [("added", diff.added), ("removed", diff.removed), ("unchanged", diff.unchanged)] {
        out.push(sum_line(name, &sum));
    }
    let known = |n: Option<u64>| n.map_or_else(|| "?".into(), units::count);
    let table = format!("{} → {}", known(diff.num_records.0), known(diff.num_records.1));
    out.extend(fact("table rows", &table, Role::Plain, width));
    out.extend(fact("by the commits", &diff_words::rows(rows), Role::Plain, width));
    let vectors = &diff.vectors_changed;
    if vectors.files > 0 {
        let text = format!(
            "changed on {}: {} → {} rows deleted",
            counted(vectors.files, "file"),
            units::count(vectors.deleted_records_before),
            units::count(vectors.deleted_records_after)
        );
        out.extend(fact("deletion vectors", &text, Role::Plain, width));
    }
    let changes = diff_words::changes(diff);
    if !changes.is_empty() {
        out.extend(heading("Schema, properties, protocol"));
        out.extend(changes.iter().flat_map(|c| change(c, width)));
    }
    out.extend(overlay(diff, width));
    if !diff.partitions.is_empty() {
        let n = counted(diff.partitions.len() as u64, "partition");
        out.extend(heading(format!("{n} changed   files and bytes added, removed; files unchanged")));
    }
    out
}

fn sum_line(name: &str, sum: &Sum) -> Line {
    let role = if sum.files == 0 { Role::Dim } else { Role::Plain };
    let rows = sum.records.map_or_else(|| "?".into(), units::count);
    vec![
        piece(pad(name, page::LABEL), Role::Dim),
        piece(right(&units::count(sum.files), 10), role),
        piece(right(&units::bytes(sum.bytes), 12), role),
        piece(right(&rows, 14), role),
    ]
}

/// The sizes of the files of both versions, side by side.
fn overlay(diff: &Diff, width: u16) -> Vec<Line> {
    const SIZES: usize = 18;
    const COUNT: usize = 9;
    let most = diff.histogram.iter().map(|b| b.files_before.max(b.files_after)).max().unwrap_or(0);
    if most == 0 {
        return Vec::new();
    }
    let cells = (usize::from(width).saturating_sub(SIZES + 2 * (COUNT + 1) + 2) / 2).clamp(4, 40);
    let mut out: Vec<Line> = heading("Files by size").to_vec();
    if let Some(line) = out.last_mut() {
        let before = format!("v{}", diff.from);
        let title = pad("", SIZES - 13) + &right(&before, COUNT);
        line.push(piece(title + &pad("", cells + 3) + &right(&format!("v{}", diff.to), COUNT), Role::Header));
    }
    for b in &diff.histogram {
        let label = match b.to {
            Some(to) if b.from == 0 => format!("< {}", short(to)),
            Some(to) => format!("{} – {}", short(b.from), short(to)),
            None => format!("from {}", short(b.from)),
        };
        let drawn = |n: u64| pad(&bar(n, most, cells), cells);
        out.push(vec![
            piece(right(&label, SIZES), Role::Dim),
            piece(right(&units::count(b.files_before), COUNT), Role::Plain),
            piece(format!(" {}", drawn(b.files_before)), Role::Line),
            piece(right(&units::count(b.files_after), COUNT + 2), Role::Plain),
            piece(format!(" {}", drawn(b.files_after)), Role::Bar),
        ]);
    }
    out
}

/// Limits are whole numbers of their unit.
fn short(bytes: u64) -> String {
    units::bytes(bytes).replacen(".00 ", " ", 1).replacen(".0 ", " ", 1)
}

fn draw_partition(canvas: &mut Canvas<'_>, row: Rect, p: &PartitionDiff) {
    let side = |sign: &str, sum: &Sum| match sum.files {
        0 => format!("{}{}", right("–", 7), right("", 11)),
        n => format!(
            "{}{}",
            right(&format!("{sign}{}", units::short_count(n)), 7),
            right(&units::bytes(sum.bytes), 11)
        ),
    };
    let same = right(&format!("={}", units::short_count(p.unchanged.files)), 8);
    let figures = format!("{}{}{same}", side("+", &p.added), side("−", &p.removed));
    let room = row.width.saturating_sub(45);
    canvas.put(row.x, row.y, room, &diff_words::partition(&p.partition_values), Role::Plain);
    canvas.put_right(row.x, row.y, row.width, &figures, Role::Dim);
}
