//! The tables of a folder.
//!
//! ```text
//!  2 tables, 1 other folder
//!  name                 what                          
//!  dbo/sales            table, v12                    
//!  landing              not a table: 12 parquet files
//! ```

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, piece, split_top};
use super::columns::{Column, cell, header, place};
use super::theme::Role;
use super::{list, notice};
use crate::app::App;
use crate::app::load::Load;
use crate::model::lakehouse::EntryKind;
use crate::model::units;

const COLUMNS: &[Column] = &[
    Column::growing("name", 16, 60, 0),
    Column::figure("version", 9, 1),
    Column::growing("what it is", 14, 60, 2),
];

pub fn home(canvas: &mut Canvas<'_>, area: Rect, app: &App, load: &Load<()>) {
    let area = inset(area, 1);
    let Some(home) = &app.home else { return };
    let (top, rows) = split_top(area, 3);
    let tables = home.tables();
    let others = home.entries.len() - tables;
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let mut summary =
        vec![piece(format!("{} table{}", units::count(tables as u64), s(tables)), Role::Strong)];
    if others > 0 {
        summary.push(piece(format!("   {others} folder{} without a _delta_log", s(others)), Role::Dim));
    }
    if !home.filter.is_empty() {
        summary.push(piece("   / ", Role::Dim));
        summary.push(piece(&*home.filter, Role::Accent));
    }
    if let Some(fault) = &load.fault {
        summary.push(piece(format!("   ✗ {fault}; r tries again"), Role::Critical));
    }
    canvas.line(top.x, top.y + 1, top.width, &summary);
    if home.entries.is_empty() {
        return notice::sentence(canvas, rows, "The folder is empty.", Role::Dim);
    }
    if home.shown.is_empty() {
        return notice::sentence(canvas, rows, "No name has this in it. Esc shows all again.", Role::Dim);
    }
    let slots = place(COLUMNS, area.x, area.width.saturating_sub(2), |_| true);
    header(canvas, top.y + 2, COLUMNS, &slots, None, false);
    let rows = Rect { width: rows.width.saturating_sub(2), ..rows };
    list::list(canvas, rows, &home.scroll, home.shown.len(), |canvas, row, at| {
        let Some(entry) = home.shown.get(at).and_then(|at| home.entries.get(*at)) else { return };
        let (version, what, role) = match &entry.kind {
            EntryKind::Table { version } => (
                version.map_or_else(|| "?".into(), |v| format!("v{v}")),
                "Delta table".to_owned(),
                Role::Plain,
            ),
            EntryKind::Unidentified { holds } => ("–".into(), format!("not a table: {holds}"), Role::Dim),
        };
        canvas.put_path(slots[0].x, row.y, slots[0].width, &entry.name, role);
        cell(canvas, row.y, &COLUMNS[1], slots[1], &version, role);
        cell(canvas, row.y, &COLUMNS[2], slots[2], &what, role);
    });
}
