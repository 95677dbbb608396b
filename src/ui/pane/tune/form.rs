//! The form of a change: a field a line, the one in focus with what it takes.
//!
//! ```text
//!  Rewrite the same rows into other files
//!
//!    rewrite              ‹ to a number of files in all ›
//!  ▸ files                26_                              a number
//! ```

use ratatui::layout::Rect;

use crate::app::pane::tune::form::{FieldId, FieldValue, Form};
use crate::model::fit;
use crate::model::text::clean;
use crate::ui::canvas::{Canvas, piece, split_top};
use crate::ui::input;
use crate::ui::theme::Role;
use crate::ui::words::wrap;

const LABEL: u16 = 23;
const VALUE: u16 = 40;

pub fn form(canvas: &mut Canvas<'_>, area: Rect, form: &Form) {
    let (top, rest) = split_top(area, if area.height >= 10 { 2 } else { 1 });
    canvas.put(top.x, top.y, top.width, form.title(), Role::Strong);
    let visible = form.visible();
    // The field in focus stays visible where not all have room.
    let at = visible.iter().position(|id| *id == form.focus).unwrap_or(0);
    let page = usize::from(rest.height.saturating_sub(2)).max(1);
    let first = (at + 1).saturating_sub(page);
    let mut y = rest.y;
    for id in visible.iter().skip(first).take(page) {
        field(canvas, Rect { y, height: 1, ..rest }, form, *id);
        y += 1;
    }
    if visible.is_empty() {
        canvas.put(rest.x, y, rest.width, "Nothing needs to be said; Enter shows the plan.", Role::Plain);
    }
    let below = match &form.problem {
        Some((_, problem)) => {
            wrap(&format!("▲ {}", clean(problem)), usize::from(rest.width.saturating_sub(2)))
        }
        None if visible.is_empty() => Vec::new(),
        None => {
            let turns = !matches!(form.field(form.focus), FieldValue::Text(_));
            let keys = if turns { "   ← → or Space: the next choice" } else { "" };
            wrap(&format!("{}{keys}", form.focus.help()), usize::from(rest.width))
        }
    };
    let role = if form.problem.is_some() { Role::Warn } else { Role::Dim };
    for (line, y) in below.iter().zip(y + 1..rest.bottom()) {
        canvas.put(rest.x + 2, y, rest.width.saturating_sub(2), line, role);
    }
}

fn field(canvas: &mut Canvas<'_>, row: Rect, form: &Form, id: FieldId) {
    let focused = form.focus == id;
    let sign = if focused { "▸ " } else { "  " };
    canvas.line(
        row.x,
        row.y,
        row.width,
        &[piece(sign, Role::Accent), piece(id.label(), if focused { Role::Strong } else { Role::Dim })],
    );
    let label = LABEL.min(row.width * 3 / 5);
    let x = row.x + label;
    let room = row.width.saturating_sub(label);
    match form.field(id) {
        FieldValue::Choice { options, at } => {
            let text = options.get(*at).map_or("", String::as_str);
            let (before, after) = if focused { ("‹ ", " ›") } else { ("", "") };
            let role = if focused { Role::Accent } else { Role::Plain };
            canvas.line(
                x,
                row.y,
                room,
                &[piece(before, Role::Accent), piece(text, role), piece(after, Role::Accent)],
            );
        }
        FieldValue::Switch(on) => {
            let text = if *on { "yes" } else { "no" };
            let (before, after) = if focused { ("‹ ", " ›") } else { ("", "") };
            let role = if *on { Role::Strong } else { Role::Plain };
            canvas.line(
                x,
                row.y,
                room,
                &[piece(before, Role::Accent), piece(text, role), piece(after, Role::Accent)],
            );
        }
        FieldValue::Text(text) if focused => {
            input::input(canvas, Rect { x, width: room.min(VALUE), ..row }, text);
        }
        FieldValue::Text(text) => {
            let shown = clean(text.text());
            if shown.is_empty() {
                canvas.put(x, row.y, room, "–", Role::Dim);
            } else {
                canvas.put(x, row.y, room, &fit::fit(&shown, room.into()), Role::Plain);
            }
        }
    }
}
