//! The keys of a place, from the command table.
//!
//! ```text
//! ╭─ Keys: Files ────────────────────────────╮
//! │ Files                                    │
//! │   Enter        Show all that the log …   │
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::App;
use crate::app::command::Command;
use crate::app::layer::help::HelpLayer;
use crate::model::fit;
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::list;
use crate::ui::theme::Role;

pub fn help(canvas: &mut Canvas<'_>, area: Rect, app: &App, layer: &HelpLayer) {
    let lines = lines(app, layer, usize::from(area.width.saturating_sub(4)));
    let place = layer.contexts.first().map_or("", |c| c.title());
    let inner = window(canvas, area, &format!("Keys: {place}"), 76, lines.len() as u16);
    list::text(canvas, inner, &layer.scroll, lines.len(), |canvas, row, at| {
        canvas.line(row.x, row.y, row.width, &lines[at]);
    });
}

/// Without a key of its own it is one of the palette's.
fn keys(command: &Command) -> String {
    if command.keys.is_empty() {
        return ":".to_owned();
    }
    let keys: Vec<String> = command.keys.iter().map(ToString::to_string).collect();
    keys.join(" ")
}

fn lines(app: &App, layer: &HelpLayer, width: usize) -> Vec<Vec<Piece>> {
    let sections: Vec<_> = layer.sections().collect();
    let all = sections.iter().flat_map(|(_, commands)| commands);
    let key_width = all.map(|c| fit::width(&keys(c))).max().unwrap_or(0).min(width / 3);
    let mut out = Vec::new();
    let mut title = "";
    for (context, commands) in sections {
        if context.title() != title {
            title = context.title();
            if !out.is_empty() {
                out.push(Vec::new());
            }
            out.push(vec![piece(title, Role::Strong)]);
        }
        for command in commands {
            let keys = keys(command);
            let keys = fit::fit(&keys, key_width);
            let pad = " ".repeat(key_width.saturating_sub(fit::width(&keys)) + 2);
            let (text, role) = match (command.enabled)(app) {
                Ok(()) => (command.doc.to_owned(), Role::Plain),
                Err(reason) => (format!("{} (not now: {reason})", command.doc), Role::Dim),
            };
            let room = width.min(76).saturating_sub(key_width + 4);
            for (n, part) in fit::wrap(&text, room).into_iter().enumerate() {
                let mut line = vec![piece(" ".repeat(key_width + 4), Role::Plain)];
                if n == 0 {
                    line = vec![
                        piece("  ", Role::Plain),
                        piece(&*keys, Role::Accent),
                        piece(&*pad, Role::Plain),
                    ];
                }
                line.push(piece(part, role));
                out.push(line);
            }
        }
    }
    out
}
