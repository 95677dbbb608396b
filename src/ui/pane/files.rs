//! The files.
//!
//! ```text
//!  128 files   3.11 GiB   sorted by size ↓
//!  path                                        size ↓       rows  partition     modified          deleted
//!  year=2024/part-0…c000.snappy.parquet       24.9 MiB  10,200,000  year=2024     2026-05-27 00:58        –
//! ```

use ratatui::layout::Rect;

use super::histogram::label;
use super::{incomplete, list_parts};
use crate::app::pane::files::FilesPane;
use crate::app::pane::files::arrange::SortBy;
use crate::app::table::TableView;
use crate::model::files::FileRef;
use crate::model::histogram::{Bucket, By};
use crate::model::text::clean;
use crate::model::{fit, units};
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::columns::{Column, Slot, cell, count_in, header, place_first};
use crate::ui::theme::Role;
use crate::ui::words::partition;
use crate::ui::{list, notice};

/// In the order of [`SortBy::ALL`]. The path gets what a writer's number and the start of a UUID
/// need, then the partition its values; deleted rows matter more than the time.
fn columns(pane: &FilesPane) -> [Column; 6] {
    let (values, labels) = partition_widths(pane);
    let path = path_width(pane);
    [
        Column::growing("path", path.min(PATH), path, 0),
        Column::figure("size", 9, 1),
        Column::figure("rows", 11, 2),
        Column::growing("partition", values, labels.max(values), 3),
        Column::text("modified (UTC)", 16, 5),
        Column::figure("deleted", 7, 4),
    ]
}

const PARTITION: usize = 3;
const DELETED: usize = 5;

pub fn files(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let pane = &view.files_pane;
    if view.files.value.is_none() {
        return notice::instead(canvas, area, &view.files, "reading the files", "r");
    }
    let parts = list_parts(area);
    if parts.summary.height > 0 {
        canvas.line(parts.summary.x, parts.summary.y, parts.summary.width, &summary(view));
    }
    let partitioned = !pane.shown.list.partitions.columns().is_empty();
    let vectors = view.summary.as_ref().is_some_and(|s| s.total.vectors > 0);
    let wanted = |at| (at != PARTITION || partitioned) && (at != DELETED || vectors);
    let mut columns = columns(pane);
    let slots = place_first(&mut columns, PARTITION, parts.header.x, parts.header.width, wanted);
    let sorted = pane.sort.by.and_then(|by| SortBy::ALL.iter().position(|s| *s == by));
    if parts.header.height > 0 {
        let sorted = sorted.map(|at| (at, pane.sort.descending));
        header(canvas, parts.header.y, &columns, &slots, sorted, true);
    }
    if pane.shown.is_empty() {
        return notice::sentence(canvas, parts.rows, empty_reason(pane, view.files.complete), Role::Dim);
    }
    list::list(canvas, parts.rows, &pane.scroll, pane.shown.len(), |canvas, row, at| {
        let Some(file) = pane.shown.get(at) else { return };
        let texts = texts(pane, &file, &slots);
        let mut slot = slots[0];
        if view.marks.files.contains(file.path) {
            canvas.put(slot.x, row.y, slot.width, "◆ ", Role::Accent);
            (slot.x, slot.width) = (slot.x + 2, slot.width.saturating_sub(2));
        }
        canvas.put_path(slot.x, row.y, slot.width, file.path, Role::Plain);
        for (at, (text, role)) in texts.iter().enumerate() {
            let at = at + 1;
            cell(canvas, row.y, &columns[at], slots[at], text, *role);
        }
    });
}

/// Columns that a path gets at least: `part-00000-0982c563…`, and the mark.
const PATH: u16 = 22;

/// Columns that the paths need; the first ones stand for all.
fn path_width(pane: &FilesPane) -> u16 {
    let widest = pane.files().take(MEASURED).map(|f| fit::width(&clean(f.path))).max().unwrap_or(0);
    (widest + if pane.shown.is_empty() { 0 } else { 2 }).clamp(6, 110) as u16
}

/// Rows that stand for all in working out how wide a column is.
const MEASURED: usize = 200;

/// Columns that the partitions' values need, and with their names. The first ones stand for all, so
/// that a frame costs the same however many partitions there are.
fn partition_widths(pane: &FilesPane) -> (u16, u16) {
    let dict = &pane.shown.list.partitions;
    let ids = 0..dict.len().min(500) as u32;
    let widest = ids.map(|id| fit::width(&clean(&dict.label(id)))).max().unwrap_or(0);
    let names: usize = dict.columns().iter().map(|c| fit::width(&clean(c)) + 1).sum();
    ((widest.saturating_sub(names)).clamp(9, 28) as u16, widest.clamp(9, 40) as u16)
}

/// The values of a file's partition in so many columns, with as much of the names as has room.
fn partition_label(pane: &FilesPane, id: u32, columns: u16) -> String {
    let dict = &pane.shown.list.partitions;
    let names: Vec<_> = dict.columns().iter().map(|c| clean(c)).collect();
    let values: Vec<_> = dict.values(id).iter().map(|v| clean(v.as_deref().unwrap_or("null"))).collect();
    let names: Vec<&str> = names.iter().map(|n| &**n).collect();
    let values: Vec<&str> = values.iter().map(|v| &**v).collect();
    partition(&names, &values, columns.into())
}

fn texts(pane: &FilesPane, file: &FileRef<'_>, slots: &[Slot]) -> [(String, Role); 5] {
    let rows = match file.live_records() {
        Some(n) => (count_in(slots[2], n), Role::Plain),
        None => ("?".into(), Role::Dim),
    };
    let modified = units::screen_time(file.modified);
    let deleted = match file.deletion_vector {
        Some(dv) => {
            let digits = Slot { width: slots[5].width.saturating_sub(1), ..slots[5] };
            (format!("−{}", count_in(digits, dv.cardinality)), Role::Plain)
        }
        None => ("–".into(), Role::Dim),
    };
    [
        (units::bytes(file.size), Role::Plain),
        rows,
        (partition_label(pane, file.partition, slots[PARTITION].width), Role::Plain),
        (modified.get(..16).unwrap_or(&modified).to_owned(), Role::Dim),
        deleted,
    ]
}

fn summary(view: &TableView) -> Vec<Piece> {
    let pane = &view.files_pane;
    let all = pane.shown.list.len() as u64;
    let shown = pane.shown.len() as u64;
    let s = if all == 1 { "" } else { "s" };
    let mut out = if pane.is_narrowed() {
        vec![piece(format!("{} of {} file{s}", units::count(shown), units::count(all)), Role::Strong)]
    } else {
        vec![piece(format!("{} file{s}", units::count(all)), Role::Strong)]
    };
    if let (false, Some(summary)) = (pane.is_narrowed(), &view.summary) {
        out.push(piece(format!("   {}", units::bytes(summary.total.bytes)), Role::Strong));
    }
    out.extend(incomplete(view));
    if let Some(scope) = &pane.scope {
        let columns = pane.shown.list.partitions.columns();
        let part = |(c, v): (&String, &Option<_>)| format!("{c}={}", v.as_deref().unwrap_or("null"));
        let label: Vec<String> = columns.iter().zip(scope).map(part).collect();
        out.push(piece("   in ", Role::Dim));
        out.push(piece(label.join("/"), Role::Accent));
    }
    if let Some(band) = &pane.band {
        let bar = Bucket { from: band.from, to: band.to, files: 0, bytes: 0, rows: None };
        let what = if band.by == By::Rows { "   with rows " } else { "   of " };
        out.push(piece(what, Role::Dim));
        out.push(piece(label(band.by, &bar), Role::Accent));
    }
    let marked = view.marks.files.len();
    if marked > 0 {
        out.push(piece(format!("   ◆ {} marked", units::count(marked as u64)), Role::Accent));
    }
    if !pane.filter.is_empty() {
        out.push(piece("   / ", Role::Dim));
        out.push(piece(&*pane.filter, Role::Accent));
    }
    if let Some(by) = pane.sort.by {
        let arrow = if pane.sort.descending { "↓" } else { "↑" };
        out.push(piece(format!("   by {} {arrow}", by.title()), Role::Dim));
    } else {
        let order = if pane.sort.descending { "   log order, reversed" } else { "   log order" };
        out.push(piece(order, Role::Dim));
    }
    if pane.is_arranging() {
        out.push(piece("   sorting …", Role::Accent));
    }
    // Rows may have no room for the names.
    let columns = pane.shown.list.partitions.columns();
    if pane.scope.is_none() && !columns.is_empty() {
        out.push(piece("   partitioned by ", Role::Dim));
        out.push(piece(columns.join(", "), Role::Plain));
    }
    out
}

fn empty_reason(pane: &FilesPane, complete: bool) -> &'static str {
    match (pane.is_narrowed(), complete) {
        (true, _) => "No file passes the filter. Esc shows all files again.",
        (false, true) => "The table has no files at this version.",
        (false, false) => "No files yet …",
    }
}
