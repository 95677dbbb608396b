//! The SQL console.
//!
//! ```text
//!  SELECT * FROM t
//!  LIMIT 100
//!  ─ 100 rows · 42 ms ─────────────────────────────────────────────
//!     order_id  name
//!         long  string
//!            1  Anna
//! ```

use ratatui::layout::Rect;

use super::{chart, editor, grid, plan, queries};
use crate::app::App;
use crate::app::pane::sql::run::Run;
use crate::app::pane::sql::{SqlFocus, SqlPane};
use crate::app::table::TableView;
use crate::model::{FaultKind, units};
use crate::ui::canvas::{Canvas, Piece, inset, piece, pieces_width, split_top};
use crate::ui::notice;
use crate::ui::theme::Role;

pub fn sql(canvas: &mut Canvas<'_>, area: Rect, app: &App, view: &TableView) {
    let pane = &view.sql;
    let editing = pane.focus == SqlFocus::Editor;
    // The editor grows with its text, up to half of the pane; zoomed, the other part hides.
    let lines = pane.editor.lines().len() as u16;
    let rows = match (app.zoom, editing) {
        (true, true) => area.height.saturating_sub(1),
        (true, false) => 0,
        _ => (lines + 1).clamp(3, (area.height / 2).max(3)),
    };
    let (editor_area, rest) = split_top(area, rows.min(area.height.saturating_sub(1)));
    editor::editor(canvas, inset(editor_area, 1), pane, editing);
    let (status, result) = split_top(rest, 1);
    let shown = view.table.value.as_ref().map(|t| t.version);
    status_line(canvas, status, app, pane, editing, shown);
    match &pane.run {
        None => {
            let text =
                "F5 or Alt-Enter runs the statement under the cursor. The table is `t`, or its own name.";
            notice::sentence(canvas, result, text, Role::Dim);
        }
        Some(run) => draw_run(canvas, result, run, editing),
    }
    match (&pane.queries, &pane.offer) {
        (Some(list), _) => queries::queries(canvas, rest, list),
        (None, Some(offer)) if editing => editor::offer(canvas, area, offer),
        _ => {}
    }
}

/// `shown`: the version that the other panes show.
fn status_line(
    canvas: &mut Canvas<'_>,
    area: Rect,
    app: &App,
    pane: &SqlPane,
    editing: bool,
    shown: Option<u64>,
) {
    canvas.rule(area.x, area.y, area.width, "─", Role::Line);
    let mut pieces = vec![piece(" ", Role::Plain)];
    pieces.extend(match &pane.run {
        None => vec![piece("not run yet", Role::Dim)],
        Some(run) => status(run, pane, app, shown),
    });
    if !pane.queue.is_empty() {
        let n = units::count(pane.queue.len() as u64);
        pieces.push(piece(format!("   {n} queued, Alt-q clears"), Role::Accent));
    }
    pieces.push(piece(" ", Role::Plain));
    let used = canvas.line(area.x + 1, area.y, area.width.saturating_sub(2), &pieces);
    let focus = if editing { [piece(" editing ", Role::Accent)] } else { [piece(" i edits ", Role::Dim)] };
    let width = pieces_width(&focus) as u16;
    if used + width + 3 < area.width {
        canvas.line(area.right() - width - 1, area.y, width, &focus);
    }
}

fn status(run: &Run, pane: &SqlPane, app: &App, shown: Option<u64>) -> Vec<Piece> {
    let s = |n: u64| if n == 1 { "" } else { "s" };
    let here = run.grid.rows.len() as u64;
    if run.load.running() {
        let elapsed = match (run.since, app.now) {
            (Some(since), Some(now)) => format!(" {}", units::duration(now.abs_diff(since))),
            _ => String::new(),
        };
        let read = run.load.progress.as_ref().and_then(|p| {
            Some(format!(" · {} of {} {}", units::count(p.done), units::count(p.total?), p.unit))
        });
        let read = read.unwrap_or_default();
        return vec![
            piece(format!("running{elapsed} … "), Role::Accent),
            piece(format!("{} row{} so far{read}   Ctrl-c cancels", units::count(here), s(here)), Role::Dim),
        ];
    }
    if let Some(fault) = &run.load.fault {
        let text = if fault.kind == FaultKind::Cancelled { "cancelled" } else { "failed" };
        let place = pane
            .error_in_editor()
            .map(|(line, column)| format!(" at line {}, column {}", line + 1, column + 1));
        return vec![piece(format!("✗ {text}{}", place.unwrap_or_default()), Role::Critical)];
    }
    let Some(end) = run.end else { return Vec::new() };
    let rows = match run.tree.as_ref().map(|tree| tree.plan.rows) {
        None => format!("{} row{}", units::count(end.rows), s(end.rows)),
        Some(Some(rows)) => format!("plan, as it ran · {} row{}", units::count(rows), s(rows)),
        Some(None) => "plan".to_owned(),
    };
    let mut out = vec![
        piece(rows, Role::Strong),
        piece(run.version.map_or_else(String::new, |v| format!(" · v{v}")), Role::Plain),
        piece(format!(" · {}", units::duration(end.millis)), Role::Plain),
    ];
    if let (Some(of), Some(now)) = (run.version, shown)
        && of != now
    {
        out.push(piece(format!("   ▲ stale: not of v{now}"), Role::Warn));
    }
    if end.truncated {
        let most = units::count(here);
        out.push(piece(format!("   ▲ the first {most} rows; there are more"), Role::Warn));
    }
    if run.forgotten {
        out.push(piece("   ▲ its rows were let go for later ones; F5 runs it again", Role::Warn));
    }
    if run.view.marked() > 0 {
        out.push(piece(format!("   {} marked", run.view.marked()), Role::Accent));
    }
    if run.view.hidden() > 0 {
        out.push(piece(format!("   {} hidden", run.view.hidden()), Role::Dim));
    }
    if run.plan.is_none() && here > 0 {
        out.push(piece(
            format!("   row {} of {}", units::count(run.scroll.selected as u64 + 1), units::count(here)),
            Role::Dim,
        ));
        let columns = run.grid.columns.len() as u64;
        if columns > 1 {
            let at = units::count(run.column as u64 + 1);
            out.push(piece(format!(" · column {at} of {}", units::count(columns)), Role::Dim));
        }
    }
    out
}

fn draw_run(canvas: &mut Canvas<'_>, area: Rect, run: &Run, editing: bool) {
    if let Some(fault) = &run.load.fault {
        return notice::fault(canvas, area, fault, "F5");
    }
    if let Some(tree) = &run.tree {
        return plan::plan(canvas, area, run, tree, editing);
    }
    if let Some(plan) = &run.plan {
        return grid::plan(canvas, area, run, plan);
    }
    if run.grid.columns.is_empty() {
        if run.end.is_some() {
            notice::sentence(canvas, area, "The statement gave no rows.", Role::Dim);
        }
        return;
    }
    match run.chart_columns().filter(|_| run.view.chart) {
        Some(columns) => chart::chart(canvas, area, run, columns),
        None => grid::grid(canvas, area, run, editing),
    }
    if run.end.is_some() && !run.has_rows() {
        let (_, below) = split_top(area, 2);
        notice::sentence(canvas, below, "No rows.", Role::Dim);
    }
}
