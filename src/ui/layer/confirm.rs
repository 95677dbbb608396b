//! A question in a window; the keys for yes and no stand below.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::confirm::ConfirmLayer;
use crate::model::text::clean_lines;
use crate::ui::canvas::Canvas;
use crate::ui::input;
use crate::ui::theme::Role;
use crate::ui::words::wrap;

const WIDTH: u16 = 68;

pub fn confirm(canvas: &mut Canvas<'_>, area: Rect, layer: &ConfirmLayer) {
    let width = WIDTH.min(area.width.saturating_sub(4));
    let wrapped = layer.lines.iter().flat_map(|line| match line.is_empty() {
        true => vec![String::new()],
        false => wrap(&clean_lines(line), width.into()),
    });
    let lines: Vec<String> = wrapped.collect();
    let typed = if layer.name.is_some() { 2 } else { 0 };
    let inner = window(canvas, area, &layer.title, width, lines.len() as u16 + typed + 2);
    let mut y = inner.y;
    for line in &lines {
        if y < inner.bottom() {
            canvas.put(inner.x, y, inner.width, line, Role::Plain);
        }
        y += 1;
    }
    if let Some(name) = &layer.name {
        if y + 1 < inner.bottom() {
            canvas.put(inner.x, y, inner.width, name, Role::Strong);
            canvas.put(inner.x, y + 1, 2, "> ", Role::Accent);
            let place = Rect { x: inner.x + 2, y: y + 1, width: inner.width.saturating_sub(2), height: 1 };
            input::input(canvas, place, &layer.input);
        }
        y += 2;
    }
    if y < inner.bottom() {
        let yes =
            if layer.is_ready() { ("Enter", "does it") } else { ("Enter", "does it once the name is there") };
        let used = canvas.put(inner.x, inner.bottom().saturating_sub(1), inner.width, yes.0, Role::Accent);
        let rest = Rect { x: inner.x + used, width: inner.width.saturating_sub(used), ..inner };
        let used = canvas.put(
            rest.x,
            inner.bottom().saturating_sub(1),
            rest.width,
            &format!(" {}    ", yes.1),
            Role::Plain,
        );
        let at = rest.x + used;
        let room = inner.right().saturating_sub(at);
        let used = canvas.put(at, inner.bottom().saturating_sub(1), room, "Esc", Role::Accent);
        canvas.put(
            at + used,
            inner.bottom().saturating_sub(1),
            room.saturating_sub(used),
            " goes back",
            Role::Plain,
        );
    }
}
