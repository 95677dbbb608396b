//! A page of lines that is looked at from the list: what is common to all of them.

use ratatui::layout::Rect;

use crate::app::load::Load;
use crate::app::scroll::Scroll;
use crate::model::fit;
use crate::ui::canvas::{Canvas, Piece, inset, piece};
use crate::ui::list;
use crate::ui::notice;
use crate::ui::theme::Role;
use crate::ui::words::wrap;

pub type Line = Vec<Piece>;

/// Columns of labels.
pub const LABEL: usize = 16;

/// The inside of a page, with a margin and room for a scroll bar.
pub fn inside(area: Rect) -> Rect {
    let area = inset(area, 2);
    Rect { width: area.width.saturating_sub(1), ..area }
}

/// Draws the lines, and after them `more` rows that are drawn only where they are visible.
pub fn page(
    canvas: &mut Canvas<'_>,
    area: Rect,
    scroll: &Scroll,
    lines: &[Line],
    more: usize,
    mut draw: impl FnMut(&mut Canvas<'_>, Rect, usize),
) {
    list::text(canvas, area, scroll, lines.len() + more, |canvas, row, at| match lines.get(at) {
        Some(line) => drop(canvas.line(row.x, row.y, row.width, line)),
        None => draw(canvas, row, at - lines.len()),
    });
}

/// What stands in the place of a page that is not there yet; what is on its way is told above one
/// that is.
pub fn waits<T>(canvas: &mut Canvas<'_>, area: Rect, load: &Load<T>, what: &str) -> bool {
    let waits = load.value.is_none();
    if waits {
        notice::instead(canvas, area, load, what, "r");
    }
    waits
}

/// Label and value; a value that does not fit goes on in the next lines.
pub fn fact(label: &str, value: &str, role: Role, width: u16) -> Vec<Line> {
    let room = usize::from(width).saturating_sub(LABEL).max(8);
    let value = crate::model::text::clean_lines(value);
    let mut out = Vec::new();
    for (n, part) in wrap(&value, room).into_iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        out.push(vec![piece(pad(&fit::fit(label, LABEL - 1), LABEL), Role::Dim), piece(part, role)]);
    }
    out
}

pub fn heading(text: impl Into<String>) -> [Line; 2] {
    [Vec::new(), vec![piece(text, Role::Strong)]]
}

/// Filled up with blanks to that many columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(fit::width(text))))
}

/// Aligned to the right in that many columns.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(fit::width(text))))
}
