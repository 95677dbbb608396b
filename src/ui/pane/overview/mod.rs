//! The table at a glance: its figures, what is odd, how large its files are, the facts, the last commits.
//!
//! ```text
//!  Grade C   128 files   3.11 GiB   1.30 G rows   average 24.9 MiB   24 partitions
//!
//!  ▲ critical  small-files     128 small files could be 26 of about 122 MiB
//!  ▲ checkpoint 30 is damaged; the state comes from checkpoint 20 and the commits after it
//!
//!  Files by size   recommended ┃ 64–256 MiB
//!      16–64 MiB │██████████████████████       128   3.11 GiB
//!
//!  partitions   24 by year, month
//!  protocol     reader 3, writer 7 · deletionVectors
//! ```

mod facts;
mod findings;
mod headline;

use ratatui::layout::Rect;

use super::histogram;
use super::history::operation;
use crate::app::frame::{Hit, Window};
use crate::app::table::TableView;
use crate::model::units;
use crate::ui::canvas::{Canvas, Piece, inset, piece, pieces_width};
use crate::ui::list;
use crate::ui::theme::Role;
use facts::facts;
use findings::findings;
pub(in crate::ui) use findings::mark;
use headline::{attention, headline};

type Line = Vec<Piece>;

/// Two columns of blocks from this width on.
const WIDE: u16 = 150;

pub fn overview(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let Some(table) = &view.table.value else { return };
    let area = inset(area, 2);
    let area = Rect { width: area.width.saturating_sub(1), ..area };
    let mut lines = rows(headline(view, table, area.width));
    let attention = rows(attention(view, table, area.width));
    let findings = findings(view, area.width);
    // What was got over matters less than what is wrong, unless it is a failure.
    lines.extend(findings);
    lines.extend(attention);
    if area.width >= WIDE {
        let width = (area.width - 4) / 2;
        let mut left = sizes(view, width);
        left.push(Row::default());
        let room = usize::from(area.height).saturating_sub(lines.len() + left.len() + 2);
        left.extend(rows(commits(view, width, room.clamp(5, 20))));
        let right = facts(view, table, width);
        lines.extend(beside(left, right, width));
    } else {
        lines.extend(sizes(view, area.width));
        lines.push(Row::default());
        lines.extend(rows(facts(view, table, area.width)));
        lines.push(Row::default());
        let room = usize::from(area.height).saturating_sub(lines.len() + 2);
        lines.extend(rows(commits(view, area.width, room.clamp(5, 20))));
    }
    draw(canvas, area, view, &lines);
}

/// A line, and the item that it is, counted over findings and bars.
#[derive(Debug, Default)]
struct Row {
    line: Line,
    item: Option<usize>,
}

fn rows(lines: Vec<Line>) -> Vec<Row> {
    lines.into_iter().map(|line| Row { line, item: None }).collect()
}

/// The part around the selected item, or further down as the user scrolled.
fn draw(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, rows: &[Row]) {
    let page = usize::from(area.height);
    let items = view.findings().len() + view.bars().len();
    let cursor = view.overview.cursor.min(items.saturating_sub(1));
    let at = rows.iter().rposition(|r| r.item == Some(cursor)).unwrap_or(0);
    // A row below the selected one stays visible.
    let needed = (at + 2).saturating_sub(page);
    let last = rows.len().saturating_sub(page);
    let top = needed.saturating_add(view.overview.past).min(last.max(needed)).min(rows.len());
    canvas.drawn.window = Window { top: top - needed.min(top), page, left: 0 };
    for (y, row) in (area.top()..area.bottom()).zip(rows.iter().skip(top)) {
        canvas.line(area.x, y, area.width, &row.line);
        let Some(item) = row.item else { continue };
        let place = Rect { y, height: 1, ..area };
        if item == cursor {
            let width = (pieces_width(&row.line) as u16).min(area.width);
            canvas.restyle(Rect { width, ..place }, Role::Selection);
        }
        canvas.hit(place, Hit::Row(item));
    }
    list::scroll_bar(canvas, area, top, rows.len());
}

/// The left block's lines with the right block's beside them.
fn beside(left: Vec<Row>, right: Vec<Line>, width: u16) -> Vec<Row> {
    let rows = left.len().max(right.len());
    let mut right = right.into_iter();
    let mut left = left.into_iter();
    (0..rows)
        .map(|_| {
            let Row { mut line, item } = left.next().unwrap_or_default();
            let used = pieces_width(&line);
            line.push(piece(" ".repeat(usize::from(width + 4).saturating_sub(used)), Role::Plain));
            line.extend(right.next().unwrap_or_default());
            Row { line, item }
        })
        .collect()
}

fn sizes(view: &TableView, width: u16) -> Vec<Row> {
    let (Some(summary), Some(histogram)) = (&view.summary, view.histogram()) else {
        let text =
            if view.files.fault.is_some() { "no files were read" } else { "waiting for the files …" };
        let title = vec![piece("Files by size", Role::Strong)];
        return rows(vec![title, vec![piece(format!("  {text}"), Role::Dim)]]);
    };
    let mut out = histogram::lines(histogram, width);
    if !view.summary_is_final() {
        let of = units::count(summary.total.files);
        if let Some(heading) = out.first_mut() {
            heading.push(piece(format!("   first {of} files"), Role::Warn));
        }
    }
    let (first, bars) = (view.findings().len(), view.bars().len());
    // The heading is line 0, the bars follow.
    let item = |at: usize| at.checked_sub(1).filter(|bar| *bar < bars).map(|bar| first + bar);
    out.into_iter().enumerate().map(|(at, line)| Row { line, item: item(at) }).collect()
}

/// The newest commits, one a line.
fn commits(view: &TableView, width: u16, most: usize) -> Vec<Line> {
    let mut out = vec![vec![piece("Last commits", Role::Strong), piece("   5 shows all", Role::Dim)]];
    let commits = view.history.commits();
    if commits.is_empty() {
        let text = match &view.history.load.fault {
            Some(fault) => format!("  ✗ {fault}"),
            None if view.history.load.complete => "  none in the log folder".into(),
            None => "  reading …".into(),
        };
        out.push(vec![piece(text, Role::Dim)]);
    }
    for c in commits.iter().take(most) {
        let mut line = vec![piece(format!("{:>6}  ", format!("v{}", c.version)), Role::Plain)];
        if width >= 60 {
            let time = c.timestamp.map_or_else(|| "?".into(), units::screen_time);
            line.push(piece(format!("{time:19}  "), Role::Dim));
        }
        let figures = format!("+{} −{} files", units::count(c.added_files), units::count(c.removed_files));
        line.push(piece(format!("{figures:<16}  "), Role::Plain));
        line.extend(operation(c));
        out.push(line);
    }
    out
}
