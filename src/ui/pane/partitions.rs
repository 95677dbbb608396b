//! The partition tree.
//!
//! ```text
//!  24 partitions by year, month   412 files   3.11 GiB
//!  partition               files     bytes       rows    average   smallest   share
//!  ▾ year=2024               300  2.10 GiB  9,000,000    7.2 MiB    1.0 MiB    68 % █████▏
//!      month=01               25   190 MiB    800,000    7.6 MiB    1.0 MiB     6 % ▌
//! ```

use ratatui::layout::Rect;

use super::{ListParts, incomplete, list_parts};
use crate::app::pane::partitions::PartitionSort;
use crate::app::summary::Summary;
use crate::app::table::TableView;
use crate::model::partition::PartitionValues;
use crate::model::rollup::PartitionTree;
use crate::model::skew::Oddity;
use crate::model::text::clean;
use crate::model::{fit, units};
use crate::ui::bar::bar;
use crate::ui::canvas::{Canvas, Piece, piece, split_top};
use crate::ui::columns::{Column, Slot, cell, count_in, header, place_first};
use crate::ui::theme::Role;
use crate::ui::words::{counted, partition};
use crate::ui::{list, notice};

/// The first six in the order of [`PartitionSort::ALL`]; `name`: columns that the values need.
fn columns(name: u16) -> [Column; 7] {
    [
        Column::growing("partition", 14, name.clamp(14, 60), 0),
        Column::figure("files", 7, 1),
        Column::figure("bytes", 9, 1),
        Column::figure("rows", 13, 3),
        Column::figure("average", 9, 2),
        Column::figure("smallest", 9, 5),
        Column::growing(" share", PERCENT, 60, 4),
    ]
}

/// Columns that the values need with their names, folds and marks; the first rows stand for all.
fn name_width(view: &TableView, tree: &PartitionTree) -> u16 {
    let width = |at: &usize| {
        let node = tree.nodes.get(*at)?;
        let column = tree.columns.get(node.depth).map_or(0, |c| fit::width(&clean(c)));
        let value = node.value.as_deref().map_or(4, |v| fit::width(&clean(v)));
        Some(2 * node.depth + 2 + 4 + column + 1 + value)
    };
    view.partitions.visible.iter().take(MEASURED).filter_map(width).max().unwrap_or(0).min(999) as u16
}

/// Rows that stand for all in working out how wide a column is.
const MEASURED: usize = 500;

/// Columns of a share in percent; its bar follows after a blank, where there is room for one.
const PERCENT: u16 = 6;

pub fn partitions(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let pane = &view.partitions;
    let (Some(tree), Some(summary)) = (pane.tree(), &view.summary) else {
        return notice::instead(canvas, area, &view.files, "reading the files", "r");
    };
    if tree.columns.is_empty() {
        return notice::sentence(canvas, area, &unpartitioned(summary), Role::Plain);
    }
    let parts = list_parts(area);
    let (skew, parts) = second_line(parts);
    if parts.summary.height > 0 {
        canvas.line(parts.summary.x, parts.summary.y, parts.summary.width, &summary_line(view, summary));
    }
    if let Some(line) = skew {
        canvas.line(line.x, line.y, line.width, &about(view, summary));
    }
    let mut columns = columns(name_width(view, tree));
    let slots = place_first(&mut columns, 0, parts.header.x, parts.header.width, |_| true);
    if parts.header.height > 0 {
        let sorted = PartitionSort::ALL.iter().position(|s| *s == pane.sort);
        header(canvas, parts.header.y, &columns, &slots, sorted.map(|at| (at, pane.descending)), true);
    }
    if pane.visible.is_empty() {
        return notice::sentence(canvas, parts.rows, "No partition has files at this version.", Role::Dim);
    }
    list::list(canvas, parts.rows, &pane.scroll, pane.visible.len(), |canvas, row, at| {
        let Some(node) = pane.visible.get(at) else { return };
        canvas.line(slots[0].x, row.y, slots[0].width, &name(view, tree, *node, slots[0].width));
        for (at, (text, role)) in figures(tree, *node, &slots).iter().enumerate() {
            cell(canvas, row.y, &columns[at + 1], slots[at + 1], text, *role);
        }
        let (slot, bytes) = (slots[6], tree.nodes[*node].measures.bytes);
        let share = units::percent(bytes, tree.total.bytes);
        canvas.put_right(slot.x, row.y, slot.width.min(PERCENT), &share, Role::Plain);
        let room = slot.width.saturating_sub(PERCENT + 1);
        // A shorter one would look alike for all.
        if room >= 6 {
            let drawn = bar(bytes, tree.total.bytes, room.into());
            canvas.put(slot.x + PERCENT + 1, row.y, room, &drawn, Role::Bar);
        }
    });
}

/// A second line for the summary, where there is room for one.
fn second_line(parts: ListParts) -> (Option<Rect>, ListParts) {
    if parts.rows.height < 6 {
        return (None, parts);
    }
    let (line, header) = split_top(Rect { height: parts.header.height + 1, ..parts.header }, 1);
    let (_, rows) = split_top(parts.rows, 1);
    (Some(line), ListParts { header, rows, ..parts })
}

/// Why the selected value is odd; else how uneven the partitions are.
fn about(view: &TableView, summary: &Summary) -> Vec<Piece> {
    let selected = view.partitions.selected_node();
    if let Some(oddity) = selected.and_then(|(at, _)| view.partitions.oddity(at)) {
        return vec![piece("▲ ", Role::Warn), piece(odd(oddity), Role::Plain)];
    }
    if selected.is_some_and(|(_, node)| node.measures.rows() == Some(0)) {
        return vec![piece("▲ ", Role::Warn), piece("empty: its files hold no rows", Role::Plain)];
    }
    let Some(skew) = &summary.skew else { return Vec::new() };
    let mut out = vec![
        piece("skew  ", Role::Dim),
        piece("largest ", Role::Dim),
        piece(units::bytes(skew.largest), Role::Plain),
    ];
    if let Some(ratio) = skew.ratio() {
        out.push(piece(format!(" is {ratio:.1}× the median"), Role::Plain));
    }
    out.push(piece(format!("   Gini {:.2}", skew.gini), Role::Plain));
    let odd = summary.odd.len() as u64;
    if odd > 0 {
        out.push(piece(format!("   ▲ {}", counted(odd, "odd value")), Role::Warn));
        out.push(piece(" (n)", Role::Dim));
    }
    let marked = view.marks.partitions.len() as u64;
    if marked > 0 {
        out.push(piece(format!("   ◆ {} marked", units::count(marked)), Role::Accent));
    }
    out
}

fn odd(oddity: Oddity) -> &'static str {
    match oddity {
        Oddity::Null => "rows without a value, or with an empty text, which is the same here",
        Oddity::HiveDefault => "Hive's name for null, taken as a value",
        Oddity::PercentEncoded => "holds a percent code such as %20: it was encoded once too often",
        Oddity::CaseVariant => "differs from another value in upper and lower case only",
        Oddity::Blanks => "has blanks at its start or end",
    }
}

/// In so many columns: the column's name gives way to the value, which tells the rows apart.
fn name(view: &TableView, tree: &PartitionTree, at: usize, width: u16) -> Vec<Piece> {
    let (pane, node) = (&view.partitions, &tree.nodes[at]);
    let values: PartitionValues = tree.values_of(at).into();
    let marked = if view.marks.partitions.contains(&values) { "◆ " } else { "" };
    let odd = if pane.oddity(at).is_some() { "▲ " } else { "" };
    let fold = match (node.children.is_empty(), pane.is_unfolded(at)) {
        (true, _) => "  ",
        (false, true) => "▾ ",
        (false, false) => "▸ ",
    };
    let column = tree.columns.get(node.depth).map_or("", String::as_str);
    let (value, role) = match &node.value {
        Some(value) => (clean(value), Role::Plain),
        None => ("null".into(), Role::Null),
    };
    let signs = 2 * usize::from(!marked.is_empty()) + 2 * usize::from(!odd.is_empty());
    let room = usize::from(width).saturating_sub(2 * node.depth + 2 + signs);
    let label = partition(&[&clean(column)], &[&value], room);
    // Without the name, the value may be cut as well.
    let (name, value) = match label.strip_suffix(&*value) {
        Some(name) => (name.to_owned(), value.into_owned()),
        None => (String::new(), label),
    };
    vec![
        piece("  ".repeat(node.depth), Role::Plain),
        piece(fold, Role::Accent),
        piece(marked, Role::Accent),
        piece(odd, Role::Warn),
        piece(name, Role::Dim),
        piece(value, role),
    ]
}

fn figures(tree: &PartitionTree, at: usize, slots: &[Slot]) -> [(String, Role); 5] {
    let m = &tree.nodes[at].measures;
    let rows = match m.rows() {
        Some(0) => ("0".into(), Role::Warn),
        Some(n) => (count_in(slots[3], n), Role::Plain),
        None => ("?".into(), Role::Dim),
    };
    [
        (count_in(slots[1], m.files), Role::Plain),
        (units::bytes(m.bytes), Role::Plain),
        rows,
        (m.average().map_or_else(|| "–".into(), units::bytes), Role::Plain),
        (units::bytes(m.min), Role::Dim),
    ]
}

fn summary_line(view: &TableView, summary: &Summary) -> Vec<Piece> {
    let columns = summary.tree.columns.join(", ");
    let s = if summary.partitions == 1 { "" } else { "s" };
    let mut out = vec![
        piece(format!("{} partition{s}", units::count(summary.partitions)), Role::Strong),
        piece(" by ", Role::Dim),
        piece(columns, Role::Plain),
        piece(format!("   {}   ", counted(summary.total.files, "file")), Role::Plain),
        piece(units::bytes(summary.total.bytes), Role::Plain),
    ];
    out.extend(incomplete(view));
    out
}

fn unpartitioned(summary: &Summary) -> String {
    let files = units::count(summary.total.files);
    let bytes = units::bytes(summary.total.bytes);
    let s = if summary.total.files == 1 { "" } else { "s" };
    format!("The table is not partitioned: all of its {files} file{s} ({bytes}) are in one place.")
}
