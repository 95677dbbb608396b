//! The table at a glance: its figures, what is odd, how large its files are, the facts, the last commits.
//!
//! ```text
//!  128 files   3.11 GiB   1.30 G rows   average 24.9 MiB   24 partitions
//!
//!  ▲ checkpoint 30 is damaged; the state comes from checkpoint 20 and the commits after it
//!
//!  Files by size   recommended ┃ 64–256 MiB
//!      16–64 MiB │██████████████████████       128   3.11 GiB
//!
//!  partitions   24 by year, month
//!  protocol     reader 3, writer 7 · deletionVectors
//! ```

mod facts;
mod headline;

use ratatui::layout::Rect;

use super::histogram;
use super::history::operation;
use crate::app::table::TableView;
use crate::model::histogram::By;
use crate::model::units;
use crate::ui::canvas::{Canvas, Piece, inset, piece, pieces_width};
use crate::ui::list;
use crate::ui::theme::Role;
use facts::facts;
use headline::{attention, headline};

type Line = Vec<Piece>;

/// Two columns of blocks from this width on.
const WIDE: u16 = 150;

pub fn overview(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let Some(table) = &view.table.value else { return };
    let area = inset(area, 2);
    let area = Rect { width: area.width.saturating_sub(1), ..area };
    let mut lines = headline(view, table, area.width);
    lines.extend(attention(view, table, area.width));
    if area.width >= WIDE {
        let width = (area.width - 4) / 2;
        let mut left = sizes(view, width);
        left.push(Vec::new());
        let room = usize::from(area.height).saturating_sub(lines.len() + left.len() + 2);
        left.extend(commits(view, width, room.clamp(5, 20)));
        let right = facts(view, table, width);
        lines.extend(beside(left, right, width));
    } else {
        lines.extend(sizes(view, area.width));
        lines.push(Vec::new());
        lines.extend(facts(view, table, area.width));
        lines.push(Vec::new());
        let room = usize::from(area.height).saturating_sub(lines.len() + 2);
        lines.extend(commits(view, area.width, room.clamp(5, 20)));
    }
    list::text(canvas, area, &view.overview.scroll, lines.len(), |canvas, row, at| {
        canvas.line(row.x, row.y, row.width, &lines[at]);
    });
}

/// The left block's lines with the right block's beside them.
fn beside(left: Vec<Line>, right: Vec<Line>, width: u16) -> Vec<Line> {
    let rows = left.len().max(right.len());
    let mut right = right.into_iter();
    let mut left = left.into_iter();
    (0..rows)
        .map(|_| {
            let mut line = left.next().unwrap_or_default();
            let used = pieces_width(&line);
            line.push(piece(" ".repeat(usize::from(width + 4).saturating_sub(used)), Role::Plain));
            line.extend(right.next().unwrap_or_default());
            line
        })
        .collect()
}

fn sizes(view: &TableView, width: u16) -> Vec<Line> {
    let Some(summary) = &view.summary else {
        let text =
            if view.files.fault.is_some() { "no files were read" } else { "waiting for the files …" };
        return vec![vec![piece("Files by size", Role::Strong)], vec![piece(format!("  {text}"), Role::Dim)]];
    };
    let histogram = match view.overview.by {
        By::Size => &summary.by_size,
        By::Rows => &summary.by_rows,
    };
    let mut out = histogram::lines(histogram, width);
    if !view.summary_is_final() {
        let of = units::count(summary.total.files);
        if let Some(heading) = out.first_mut() {
            heading.push(piece(format!("   first {of} files"), Role::Warn));
        }
    }
    out
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
