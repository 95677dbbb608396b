//! A table in a window: facts above, rows below, as many columns as there is room for.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::detail::DetailRow;
use crate::app::layer::sheet::{Sheet, SheetLayer};
use crate::model::fit;
use crate::model::text::clean;
use crate::ui::canvas::{Canvas, Piece, piece, split_top};
use crate::ui::columns::{Column, cell, header, place};
use crate::ui::theme::Role;
use crate::ui::{list, notice};

/// Rows that stand for all in working out how wide a column is.
const MEASURED: usize = 500;

/// The widest column that is not the last one.
const WIDEST: usize = 48;

pub fn sheet(canvas: &mut Canvas<'_>, area: Rect, layer: &SheetLayer) {
    let Some(sheet) = &layer.load.value else {
        let height = if layer.load.fault.is_some() { 16 } else { 8 };
        let inner = window(canvas, area, &layer.title, area.width.saturating_sub(8), height);
        return notice::instead(canvas, inner, &layer.load, layer.waiting, "r");
    };
    let room = usize::from(area.width.saturating_sub(8 + LABEL as u16));
    let lines: Vec<Vec<Piece>> = sheet.facts.iter().map(|row| fact(row, room)).collect();
    let rows = sheet.rows.len().min(usize::from(area.height)) as u16;
    let height = lines.len() as u16 + 3 + rows.max(1);
    let inner = window(canvas, area, &sheet.title, area.width.saturating_sub(8), height);
    // The rows matter more than the facts where there is little room; i shows all of these.
    let shown = (lines.len() as u16).min(inner.height.saturating_sub(5));
    let (top, rest) = split_top(inner, shown);
    for (y, line) in (top.top()..top.bottom()).zip(&lines) {
        canvas.line(top.x, y, top.width, line);
    }
    let (_, rest) = split_top(rest, u16::from(shown > 0));
    table(canvas, rest, sheet);
}

/// Columns of a fact's label and the blank after it.
const LABEL: usize = 12;

/// In a line; a path keeps what tells it from others. The details have all of it.
fn fact(row: &DetailRow, room: usize) -> Vec<Piece> {
    let label = |label: &str| piece(format!("{label:<0$}", LABEL), Role::Dim);
    match row {
        DetailRow::Heading(text) => vec![piece(&**text, Role::Strong)],
        DetailRow::Value(name, value) => {
            let value = clean(value.as_deref().unwrap_or("NULL"));
            let cut = if value.contains('/') && !value.contains(' ') {
                fit::fit_path(&value, room)
            } else {
                fit::fit(&value, room)
            };
            vec![label(name), piece(&*cut, Role::Plain)]
        }
        DetailRow::Warning(name, value) => vec![label(name), piece(format!("▲ {value}"), Role::Warn)],
    }
}

fn table(canvas: &mut Canvas<'_>, area: Rect, sheet: &Sheet) {
    let width = area.width.saturating_sub(2);
    let columns = columns(sheet);
    let slots = place(&columns, area.x, width, |_| true);
    header(canvas, area.y, &columns, &slots, None, false);
    let (_, rows) = split_top(area, 1);
    let rows = Rect { width, ..rows };
    if sheet.rows.is_empty() {
        return notice::sentence(canvas, rows, sheet.empty, Role::Dim);
    }
    list::list(canvas, rows, &sheet.scroll, sheet.rows.len(), |canvas, row, at| {
        for (n, (column, slot)) in columns.iter().zip(&slots).enumerate() {
            let text = sheet.rows.get(at).and_then(|r| r.get(n)).map_or("", String::as_str);
            let role = if n == 0 { Role::Plain } else { role(text) };
            cell(canvas, row.y, column, *slot, text, role);
        }
    });
}

fn role(text: &str) -> Role {
    match text.chars().next() {
        Some('✓') => Role::Ok,
        Some('✗') => Role::Warn,
        _ if matches!(text, "–" | "?" | "0 %") => Role::Dim,
        _ => Role::Plain,
    }
}

/// As wide as their contents, within limits; texts may grow, and the first one is never left out.
fn columns(sheet: &Sheet) -> Vec<Column> {
    let last = sheet.columns.len().saturating_sub(1);
    let column = |(n, c): (usize, &crate::app::layer::sheet::SheetColumn)| {
        let cells = sheet.rows.iter().take(MEASURED).filter_map(|row| row.get(n));
        let widest = cells.map(|text| fit::width(&clean(text))).max().unwrap_or(0).max(fit::width(c.title));
        let most = u16::try_from(widest).unwrap_or(u16::MAX);
        let least = if c.right { most } else { most.min(if n == 0 { 14 } else { 12 }) };
        let most = if n == last { most } else { most.min(WIDEST as u16) };
        Column { title: c.title, width: least.min(most), most, right: c.right, rank: c.rank }
    };
    sheet.columns.iter().enumerate().map(column).collect()
}
