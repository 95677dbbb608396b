//! Two runs side by side: figures, then the steps of their plans.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::compare::{CompareLayer, Line};
use crate::model::fit;
use crate::model::text::clean;
use crate::ui::canvas::{Canvas, piece, split_top};
use crate::ui::list;
use crate::ui::theme::Role;

/// Columns of the figures' names, and of how they differ.
const NAME: u16 = 12;
const HOW: u16 = 9;

pub fn compare(canvas: &mut Canvas<'_>, area: Rect, layer: &CompareLayer) {
    let width = area.width.saturating_sub(4).min(150);
    let inner = window(canvas, area, "Two runs", width, layer.lines.len() as u16 + 2);
    let inner = Rect { width: inner.width.saturating_sub(2), ..inner };
    let room = inner.width.saturating_sub(NAME + HOW + 4) / 2;
    let (first, second) = (inner.x + NAME, inner.x + NAME + room + 2);
    let how = second + room + 2;
    let (head, rest) = split_top(inner, 1);
    canvas.put(first, head.y, room, &format!("#{}", layer.first.number), Role::Header);
    canvas.put(second, head.y, room, &format!("#{}", layer.second.number), Role::Header);
    list::text(canvas, rest, &layer.scroll, layer.lines.len(), |canvas, row, at| match &layer.lines[at] {
        Line::Heading(text) => {
            canvas.line(row.x, row.y, row.width, &[piece(&**text, Role::Strong)]);
        }
        Line::Figure(name, a, b, differs) => {
            canvas.put(row.x, row.y, NAME, name, Role::Dim);
            canvas.put(first, row.y, room, a, Role::Plain);
            canvas.put(second, row.y, room, b, Role::Plain);
            let role = if differs == "same" { Role::Dim } else { Role::Strong };
            canvas.put(how, row.y, row.right().saturating_sub(how), differs, role);
        }
        Line::Step(a, b) => {
            // Steps need the room of names and differences too.
            let half = (row.width.saturating_sub(4)) / 2;
            let one = a.is_none() || b.is_none();
            let role = if one { Role::Warn } else { Role::Plain };
            let put = |canvas: &mut Canvas<'_>, x: u16, sign: &str, text: &str| {
                canvas.put(x, row.y, 2, sign, role);
                canvas.put(x + 2, row.y, half.saturating_sub(2), &fit::fit(&clean(text), half.into()), role);
            };
            if let Some(text) = a {
                put(canvas, row.x, if one { "− " } else { "" }, text);
            }
            if let Some(text) = b {
                put(canvas, row.x + half + 2, if one { "+ " } else { "" }, text);
            }
        }
    });
}
