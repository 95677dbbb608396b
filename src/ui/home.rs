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
use crate::app::home::Home;
use crate::app::load::Load;
use crate::model::lakehouse::EntryKind;
use crate::model::{fit, units};

const VERSION: Column = Column::figure("version", 9, 1);
const WHAT: Column = Column::growing("what it is", 14, 60, 2);

/// The names have the room that they need; what they leave is for what else can be said.
fn columns(home: &Home, width: u16) -> [Column; 3] {
    let shown = home.shown.iter().filter_map(|at| home.entries.get(*at));
    let longest = shown.map(|e| fit::width(&e.name)).max().unwrap_or(0);
    let room = width.saturating_sub(VERSION.width + WHAT.width + 4).max(16);
    let name = u16::try_from(longest).unwrap_or(u16::MAX).clamp(16, room);
    [Column::growing("name", name, name.max(60), 0), VERSION, WHAT]
}

pub fn home(canvas: &mut Canvas<'_>, area: Rect, app: &App, load: &Load<()>) {
    let area = inset(area, 1);
    let Some(home) = &app.home else { return };
    let (top, rows) = split_top(area, 3);
    let tables = home.tables();
    let others = home.entries.len() - tables;
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let mut summary =
        vec![piece(format!("{} table{}", units::count(tables as u64), s(tables)), Role::Strong)];
    if !home.filter.is_empty() {
        let (shown, all) = (units::count(home.shown.len() as u64), units::count(home.entries.len() as u64));
        summary = vec![piece(format!("{shown} of {all}"), Role::Strong)];
    } else if others > 0 {
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
    let width = area.width.saturating_sub(2);
    let columns = columns(home, width);
    let folders = home.shown.iter().filter_map(|at| home.entries.get(*at));
    let folders = folders.filter(|e| matches!(e.kind, EntryKind::Unidentified { .. })).count();
    // Where all are tables, saying so on each row is worth less than the names.
    let slots = place(&columns, area.x, width, |at| at != 2 || folders > 0 || width >= 100);
    header(canvas, top.y + 2, &columns, &slots, None, false);
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
        cell(canvas, row.y, &columns[1], slots[1], &version, role);
        cell(canvas, row.y, &columns[2], slots[2], &what, role);
    });
}
