//! The SQL editor: the text in its colours, and what may come at the cursor.

use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::app::frame::{Hit, Window};
use crate::app::pane::sql::SqlPane;
use crate::app::pane::sql::complete::Offer;
use crate::app::pane::sql::lex::{Part, parts};
use crate::model::fit;
use crate::ui::canvas::{Canvas, piece};
use crate::ui::theme::Role;

/// Rows of the offer at most.
const ROWS: u16 = 8;

pub fn editor(canvas: &mut Canvas<'_>, area: Rect, pane: &SqlPane, editing: bool) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    canvas.hit(area, Hit::Editor);
    if !editing {
        // Lines are read from their start.
        let top = usize::from(pane.editor.scroll_offset().0);
        for (y, line) in (area.top()..area.bottom()).zip(pane.editor.lines().iter().skip(top)) {
            canvas.put(area.x, y, area.width, line, Role::Dim);
        }
        return mark_error(canvas, area, pane, 0);
    }
    (&pane.editor).render(area, canvas.buffer);
    colours(canvas, area, pane);
    mark_error(canvas, area, pane, pane.editor.scroll_offset().1);
    let at = pane.editor.screen_cursor();
    let (top, left) = pane.editor.scroll_offset();
    let x = area.x.saturating_add((at.col as u16).saturating_sub(left));
    let y = area.y.saturating_add((at.row as u16).saturating_sub(top));
    canvas.cursor = Some((x.min(area.right() - 1), y.min(area.bottom() - 1)));
}

/// Lays the parts' colours over the visible lines. Selected text, which is in reverse, keeps its own.
fn colours(canvas: &mut Canvas<'_>, area: Rect, pane: &SqlPane) {
    let (top, left) = pane.editor.scroll_offset();
    let text = pane.text();
    let (mut line, mut column) = (0u16, 0usize);
    for (range, part) in parts(&text) {
        let role = role(part);
        for c in text.get(range).unwrap_or("").chars() {
            if c == '\n' {
                (line, column) = (line.saturating_add(1), 0);
                if line >= top.saturating_add(area.height) {
                    return;
                }
                continue;
            }
            let mut symbol = [0; 4];
            let width = fit::width(c.encode_utf8(&mut symbol));
            let at = column.checked_sub(left.into());
            if let (Some(role), Some(at), Some(y)) = (role, at, line.checked_sub(top))
                && at < usize::from(area.width)
            {
                let place = Rect { x: area.x + at as u16, y: area.y + y, width: width as u16, height: 1 };
                canvas.restyle(place.intersection(area), role);
            }
            column += width;
        }
    }
}

/// The word that the error names stands out. `left`: columns that are out of sight on the left.
fn mark_error(canvas: &mut Canvas<'_>, area: Rect, pane: &SqlPane, left: u16) {
    let Some((line, column)) = pane.error_in_editor() else { return };
    let Some(text) = pane.editor.lines().get(line) else { return };
    let start = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
    let (before, rest) = text.split_at(start);
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let width = fit::width(&rest[..word]).max(1);
    let (top, _) = pane.editor.scroll_offset();
    let at = fit::width(before).checked_sub(left.into());
    let row = line.checked_sub(top.into());
    if let (Some(at), Some(row)) = (at, row)
        && at < usize::from(area.width)
        && row < usize::from(area.height)
    {
        let place = Rect { x: area.x + at as u16, y: area.y + row as u16, width: width as u16, height: 1 };
        canvas.restyle(place.intersection(area), Role::Critical);
    }
}

fn role(part: Part) -> Option<Role> {
    match part {
        Part::Keyword => Some(Role::Accent),
        Part::Function => Some(Role::Bar),
        Part::Text => Some(Role::Ok),
        Part::Number => Some(Role::Warn),
        Part::Comment => Some(Role::Dim),
        Part::Name | Part::QuotedName | Part::Sign | Part::Blank => None,
    }
}

/// A list below the cursor, or above it where there is no room; `pane` is the pane's whole area.
pub fn offer(canvas: &mut Canvas<'_>, pane: Rect, offer: &Offer) {
    let Some((x, y)) = canvas.cursor else { return };
    let width_of = |text: &str| fit::width(text) as u16;
    let texts = offer.items.iter().map(|i| width_of(&i.text)).max().unwrap_or(0).min(40);
    let notes = offer.items.iter().map(|i| width_of(&i.note)).max().unwrap_or(0).min(16);
    let width = (texts + notes + 4).min(pane.width);
    let below = pane.bottom().saturating_sub(y + 1);
    let above = y.saturating_sub(pane.top());
    let wanted = (offer.items.len() as u16).min(ROWS);
    let (top, height) = if below >= wanted.min(3) {
        (y + 1, wanted.min(below))
    } else {
        (y - wanted.min(above), wanted.min(above))
    };
    let left = x
        .saturating_sub(offer.typed as u16 + 1)
        .clamp(pane.x, pane.right().saturating_sub(width).max(pane.x));
    let area = Rect { x: left, y: top, width, height };
    if area.height == 0 {
        return;
    }
    canvas.hit(area, Hit::Nothing);
    canvas.blank(area);
    let page = usize::from(height);
    let first = offer.scroll.top_for(offer.items.len(), page);
    canvas.drawn.window = Window { top: first, page, left: 0 };
    for (y, (at, item)) in (area.top()..area.bottom()).zip(offer.items.iter().enumerate().skip(first)) {
        canvas.line(area.x, y, width, &[piece("▏", Role::Line), piece(&*item.text, Role::Plain)]);
        canvas.put_right(area.x, y, width.saturating_sub(1), &item.note, Role::Dim);
        if at == offer.scroll.selected {
            canvas.restyle(Rect { y, height: 1, ..area }, Role::Selection);
        }
        canvas.hit(Rect { y, height: 1, ..area }, Hit::Row(at));
    }
}
