//! The schema.
//!
//! ```text
//!  11 columns   2 partition   column mapping: name
//!  column              type              null  roles         physical name
//!  order_id            long              no    
//!  ▸ address           struct<city:st…   yes
//! ```

use ratatui::layout::Rect;

use super::list_parts;
use crate::app::table::TableView;
use crate::model::table::Table;
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::columns::{Column, cell, header, place};
use crate::ui::theme::Role;
use crate::ui::{list, notice};

const COLUMNS: &[Column] = &[
    Column::growing("column", 14, 48, 0),
    Column::growing("type", 12, 80, 0),
    Column::text("nullable", 8, 1),
    Column::text("roles", 20, 2),
    Column::text("physical name", 20, 3),
];

const ROLES: usize = 3;
const PHYSICAL: usize = 4;

pub fn columns(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let Some(table) = &view.table.value else { return };
    let pane = &view.columns;
    let parts = list_parts(area);
    if parts.summary.height > 0 {
        canvas.line(parts.summary.x, parts.summary.y, parts.summary.width, &summary(table));
    }
    if let Some(problem) = &table.metadata.schema_problem {
        return notice::sentence(
            canvas,
            parts.rows,
            &format!("▲ The schema cannot be read: {problem}"),
            Role::Warn,
        );
    }
    let mapped = pane.rows.iter().any(|r| r.physical.is_some());
    let roles = pane.rows.iter().any(|r| !r.roles.is_empty());
    let wanted = |at| (at != ROLES || roles) && (at != PHYSICAL || mapped);
    let slots = place(COLUMNS, parts.header.x, parts.header.width, wanted);
    if parts.header.height > 0 {
        header(canvas, parts.header.y, COLUMNS, &slots, None, false);
    }
    if pane.rows.is_empty() {
        return notice::sentence(canvas, parts.rows, "The table has no columns.", Role::Dim);
    }
    list::list(canvas, parts.rows, &pane.scroll, pane.rows.len(), |canvas, row, at| {
        let column = &pane.rows[at];
        let fold = match (column.has_children, column.unfolded) {
            (false, _) => "  ",
            (true, true) => "▾ ",
            (true, false) => "▸ ",
        };
        let name = [
            piece("  ".repeat(column.depth()), Role::Plain),
            piece(fold, Role::Accent),
            piece(column.name(), Role::Plain),
        ];
        canvas.line(slots[0].x, row.y, slots[0].width, &name);
        let (null, null_role) = if column.nullable { ("yes", Role::Dim) } else { ("no", Role::Plain) };
        let cells = [
            (column.type_name.clone(), Role::Plain),
            (null.to_owned(), null_role),
            (column.roles.join(", "), Role::Accent),
            (column.physical.clone().unwrap_or_default(), Role::Dim),
        ];
        for (at, (text, role)) in cells.iter().enumerate() {
            cell(canvas, row.y, &COLUMNS[at + 1], slots[at + 1], text, *role);
        }
    });
}

fn summary(table: &Table) -> Vec<Piece> {
    let metadata = &table.metadata;
    let n = metadata.schema.len();
    let s = if n == 1 { "" } else { "s" };
    let mut out = vec![piece(format!("{n} column{s}"), Role::Strong)];
    if !metadata.partition_columns.is_empty() {
        out.push(piece("   partitioned by ", Role::Dim));
        out.push(piece(metadata.partition_columns.join(", "), Role::Plain));
    }
    let clustering = table.clustering_columns();
    if !clustering.is_empty() {
        out.push(piece("   clustered by ", Role::Dim));
        out.push(piece(clustering.join(", "), Role::Plain));
    }
    if let Some(mode) = metadata.configuration.get("delta.columnMapping.mode").filter(|m| *m != "none") {
        out.push(piece("   column mapping ", Role::Dim));
        out.push(piece(&**mode, Role::Plain));
    }
    out
}
