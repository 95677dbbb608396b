//! The commands that match what is typed, with their keys, and why one cannot be given.
//!
//! ```text
//! ╭─ Commands ────────────────────────────────────────────╮
//! │ : sor                                                 │
//! │ Sort by the next column                             o │
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::App;
use crate::app::layer::palette::PaletteLayer;
use crate::model::fit;
use crate::ui::canvas::{Canvas, piece, split_top};
use crate::ui::theme::Role;
use crate::ui::{input, list, notice};

const ROWS: u16 = 16;

pub fn palette(canvas: &mut Canvas<'_>, area: Rect, app: &App, layer: &PaletteLayer) {
    let inner = window(canvas, area, "Commands", 76, ROWS + 1);
    let (line, rows) = split_top(inner, 1);
    canvas.put(line.x, line.y, 2, ": ", Role::Accent);
    input::input(canvas, Rect { x: line.x + 2, width: line.width.saturating_sub(2), ..line }, &layer.input);
    if layer.matches.is_empty() {
        return notice::sentence(canvas, rows, "No command matches.", Role::Dim);
    }
    list::list(canvas, rows, &layer.scroll, layer.matches.len(), |canvas, row, at| {
        let command = layer.matches[at];
        let key = command.keys.first().map(ToString::to_string).unwrap_or_default();
        let width = row.width.saturating_sub(fit::width(&key) as u16 + 2);
        let pieces = match (command.enabled)(app) {
            Ok(()) => vec![piece(command.doc, Role::Plain)],
            Err(reason) => vec![piece(format!("{}  not now: {reason}", command.doc), Role::Dim)],
        };
        canvas.line(row.x, row.y, width, &pieces);
        canvas.put_right(row.x, row.y, row.width, &key, Role::Accent);
    });
}
