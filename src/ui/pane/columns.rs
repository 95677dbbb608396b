//! The schema.
//!
//! ```text
//!  11 columns   partitioned by year   column mapping: name
//!  column         type        null  roles         stats   nulls  min – max       depth  point  range
//!  order_id       long        no                  100 %     0 %  1 – 412000       1.00  0.2 %  1.2 %
//!  ▸ address      struct<ci…  yes
//! ```

use ratatui::layout::Rect;

use super::list_parts;
use crate::app::diagnosis::ColumnFigures;
use crate::app::look::share_text;
use crate::app::pane::columns::ColumnRow;
use crate::app::table::TableView;
use crate::model::table::Table;
use crate::model::text::clean;
use crate::model::{fit, units};
use crate::ui::canvas::{Canvas, Piece, piece, pieces_width};
use crate::ui::columns::{Column, cell, header, place};
use crate::ui::theme::Role;
use crate::ui::words::counted;
use crate::ui::{list, notice};

/// As wide as what stands in them, within limits.
fn layout(view: &TableView, width: u16) -> [Column; 14] {
    // Where there is room, names and ranges in full come before the columns of a high rank.
    let (name, limits) = if width >= 100 { (18, 26) } else { (14, 18) };
    let rows = view.columns.rows.iter().take(MEASURED);
    let widest =
        |width: &dyn Fn(&ColumnRow) -> usize| rows.clone().map(width).max().unwrap_or(0).min(999) as u16;
    let text = |text: &str| fit::width(&clean(text));
    let ranges = view.diagnosis.value.iter().flat_map(|d| d.columns.iter().take(MEASURED));
    let range = ranges.filter_map(|f| range(f).map(|r| text(&r))).max().unwrap_or(0).min(999) as u16;
    let growing = |title: &'static str, needs: u16, least: u16, most: u16, rank: u8| {
        let needs = needs.max(fit::width(title) as u16);
        Column::growing(title, needs.min(least), needs.min(most), rank)
    };
    [
        growing("column", widest(&|r| text(r.name()) + 2 * r.depth() + 2), name, 48, 0),
        growing("type", widest(&|r| text(&r.type_name)), 10, 60, 6),
        Column::text("null", 4, 9),
        growing("roles", widest(&|r| r.roles.join(", ").len()), 12, 40, 8),
        Column::figure("stats", 6, 1),
        Column::figure("nulls", 6, 2),
        growing("min – max", range, limits, 100, 5),
        Column::figure("depth", 6, 3),
        Column::figure("max", 5, 7),
        Column::figure("const", 6, 10),
        Column::figure("point", 6, 3),
        Column::figure("range", 6, 4),
        Column::figure("bytes", 9, 4),
        growing("physical name", widest(&|r| r.physical.as_deref().map_or(0, text)), 20, 60, 11),
    ]
}

/// Rows that stand for all in working out how wide a column is.
const MEASURED: usize = 500;

const ROLES: usize = 3;
/// From here to [`BYTES`]: what the statistics tell.
const STATS: usize = 4;
const BYTES: usize = 12;
const PHYSICAL: usize = 13;

pub fn columns(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let Some(table) = &view.table.value else { return };
    let pane = &view.columns;
    let parts = list_parts(area);
    if parts.summary.height > 0 {
        canvas.line(
            parts.summary.x,
            parts.summary.y,
            parts.summary.width,
            &summary(view, table, parts.summary.width),
        );
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
    let figures = view.diagnosis.value.as_ref().is_some_and(|e| !e.columns.is_empty());
    let wanted = |at| match at {
        ROLES => roles,
        BYTES => view.survey.is_some(),
        PHYSICAL => mapped,
        _ => at < STATS || figures,
    };
    let columns = layout(view, parts.header.width);
    let slots = place(&columns, parts.header.x, parts.header.width, wanted);
    if parts.header.height > 0 {
        header(canvas, parts.header.y, &columns, &slots, None, false);
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
        let cells = cells(view, column);
        for (at, (text, role)) in cells.iter().enumerate() {
            cell(canvas, row.y, &columns[at + 1], slots[at + 1], text, *role);
        }
    });
}

/// What stands beside the name, in the order of [`layout`].
fn cells(view: &TableView, column: &ColumnRow) -> [(String, Role); 13] {
    let (null, null_role) = if column.nullable { ("yes", Role::Dim) } else { ("no", Role::Plain) };
    let none = || (String::new(), Role::Dim);
    let mut out = [
        (column.type_name.clone(), Role::Plain),
        (null.to_owned(), null_role),
        (column.roles.join(", "), Role::Accent),
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        (view.column_bytes(column.physical_path()).map(units::bytes).unwrap_or_default(), Role::Plain),
        (column.physical.clone().unwrap_or_default(), Role::Dim),
    ];
    if let Some(f) = view.column_figures(&column.path) {
        let figures = figures(view, f);
        for (at, cell) in figures.into_iter().enumerate() {
            out[STATS - 1 + at] = cell;
        }
    }
    out
}

/// Coverage, nulls, range; then how many files overlap, and which share of them a query reads.
fn figures(view: &TableView, f: &ColumnFigures) -> [(String, Role); 8] {
    let unknown = || ("?".to_owned(), Role::Dim);
    let coverage = if f.stats_files < f.files { Role::Warn } else { Role::Plain };
    let nulls = match (f.nulls, physical_rows(view)) {
        (Some(0), _) => ("0 %".to_owned(), Role::Dim),
        (Some(n), Some(rows)) => (units::percent(n.min(rows), rows), Role::Plain),
        (Some(n), None) => (units::short_count(n).replace(' ', ""), Role::Plain),
        (None, _) => unknown(),
    };
    let range = range(f).map_or_else(unknown, |range| (range, Role::Plain));
    let c = &f.clustering;
    let share = |v: Option<f64>| v.map_or_else(unknown, |v| (share_text(v), Role::Plain));
    [
        (units::percent(f.stats_files, f.files), coverage),
        nulls,
        range,
        c.avg_depth.map_or_else(unknown, |d| (depth(d), Role::Plain)),
        c.max_depth.map_or_else(unknown, |d| (units::short_count(d).replace(' ', ""), Role::Plain)),
        (units::percent(c.constant_files, f.files), Role::Plain),
        share(c.point_read_share),
        share(c.range_read_share),
    ]
}

/// The smallest and the largest value, or the only one.
fn range(f: &ColumnFigures) -> Option<String> {
    let (min, max) = (f.min.as_ref()?, f.max.as_ref()?);
    Some(if min == max { min.clone() } else { format!("{min} – {max}") })
}

fn depth(depth: f64) -> String {
    if depth < 100.0 { format!("{depth:.2}") } else { format!("{depth:.0}") }
}

/// Rows that null counts refer to: those in the files, deleted ones included.
fn physical_rows(view: &TableView) -> Option<u64> {
    let total = view.summary.as_ref()?.total;
    total.rows().map(|live| live.saturating_add(total.deleted_rows)).filter(|n| *n > 0)
}

fn summary(view: &TableView, table: &Table, width: u16) -> Vec<Piece> {
    let metadata = &table.metadata;
    let mut out = vec![piece(counted(metadata.schema.len() as u64, "column"), Role::Strong)];
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
    match &view.diagnosis.fault {
        Some(fault) => out.push(piece(format!("   ▲ no statistics: {fault}; r reads again"), Role::Warn)),
        None if view.diagnosis.running() => out.push(piece("   reading statistics …", Role::Accent)),
        None if view.diagnosis.value.is_some() => {
            let text = "   point, range: share of files that a query reads";
            // The details say it too.
            if pieces_width(&out) + text.len() <= usize::from(width) {
                out.push(piece(text, Role::Dim));
            }
        }
        None => {}
    }
    out
}
