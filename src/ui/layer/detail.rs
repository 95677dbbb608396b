//! Labels and values in a window; long values are wrapped, nothing is cut.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::detail::{DetailLayer, DetailRow};
use crate::model::fit;
use crate::model::text::{clean, clean_lines};
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::list;
use crate::ui::theme::Role;
use crate::ui::words::wrap;

pub fn detail(canvas: &mut Canvas<'_>, area: Rect, layer: &DetailLayer) {
    let longest = layer.rows.iter().map(label_width).max().unwrap_or(0);
    let most = usize::from(area.width.saturating_sub(4)).clamp(1, 100);
    let label = longest.min(most / 2).min(32);
    let lines: Vec<Vec<Piece>> = layer.rows.iter().flat_map(|r| lines(r, label, most)).collect();
    let inner = window(canvas, area, &layer.title, most as u16, lines.len() as u16);
    list::text(canvas, inner, &layer.scroll, lines.len(), |canvas, row, at| {
        canvas.line(row.x, row.y, row.width, &lines[at]);
    });
}

fn label_width(row: &DetailRow) -> usize {
    match row {
        DetailRow::Heading(_) => 0,
        DetailRow::Value(label, _) | DetailRow::Warning(label, _) => fit::width(&clean(label)),
    }
}

fn lines(row: &DetailRow, label_width: usize, width: usize) -> Vec<Vec<Piece>> {
    let (label, value, role) = match row {
        DetailRow::Heading(text) => return vec![Vec::new(), vec![piece(&**text, Role::Strong)]],
        DetailRow::Value(label, None) => (label, "NULL".to_owned(), Role::Null),
        DetailRow::Value(label, Some(value)) if value.is_empty() => {
            (label, "\"\" (empty text)".to_owned(), Role::Dim)
        }
        // Not to be taken for a null.
        DetailRow::Value(label, Some(value)) if value == "NULL" => {
            (label, "\"NULL\"".to_owned(), Role::Plain)
        }
        DetailRow::Value(label, Some(value)) => (label, value.clone(), Role::Plain),
        DetailRow::Warning(label, value) => (label, format!("▲ {value}"), Role::Warn),
    };
    let value = clean_lines(&value).into_owned();
    let label = clean(label);
    let label = fit::fit(&label, label_width);
    let pad = " ".repeat(label_width.saturating_sub(fit::width(&label)) + 2);
    let room = width.saturating_sub(label_width + 2);
    let mut out = Vec::new();
    for (n, line) in wrap(&value, room).into_iter().enumerate() {
        let first = if n == 0 { &*label } else { "" };
        let pad = if n == 0 { pad.clone() } else { " ".repeat(label_width + 2) };
        out.push(vec![piece(first, Role::Dim), piece(pad, Role::Plain), piece(line, role)]);
    }
    out
}
