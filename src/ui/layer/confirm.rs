//! A question in a window; the keys for yes and no stand below.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::confirm::ConfirmLayer;
use crate::model::fit;
use crate::model::text::{clean, clean_lines};
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
    let typed = if layer.name.is_some() { 2 } else { 0 };
    let lines = within(wrapped.collect(), usize::from(area.height.saturating_sub(4 + typed)));
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
            let name = clean(name);
            canvas.put(inner.x, y, inner.width, &fit::fit_middle(&name, inner.width.into()), Role::Strong);
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

/// What has room in so many rows: the first lines and the last two, which say what happens.
fn within(mut lines: Vec<String>, rows: usize) -> Vec<String> {
    const END: usize = 2;
    if lines.len() > rows && rows > END {
        let end = lines.split_off(lines.len() - END);
        let left = lines.len() - (rows - END - 1);
        lines.truncate(rows - END - 1);
        lines.push(format!("… {left} more lines"));
        lines.extend(end);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_keeps_its_end() {
        let lines = || (0..30).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(within(lines(), 30).len(), 30);
        assert_eq!(within(lines(), 6), ["0", "1", "2", "… 25 more lines", "28", "29"]);
        assert_eq!(within(lines(), 1).len(), 30);
    }
}
