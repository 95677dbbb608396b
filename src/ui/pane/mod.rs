//! The panes of an open table: one file each.

mod chart;
mod columns;
mod editor;
mod files;
mod grid;
pub(in crate::ui) mod histogram;
mod history;
mod overview;
mod partitions;
mod plan;
mod queries;
mod sql;
mod tune;

use ratatui::layout::Rect;

use super::canvas::{Canvas, Piece, inset, piece, split_top};
use super::notice;
use super::theme::Role;
use crate::app::App;
use crate::app::pane::Pane;
use crate::app::table::TableView;
use crate::model::Fault;

pub fn pane(canvas: &mut Canvas<'_>, area: Rect, app: &App, view: &TableView) {
    if view.table.value.is_none() && view.pane != Pane::Sql {
        if let (Some(fault), Some(version)) = (&view.table.fault, view.readable_version()) {
            let opens = format!("opens version {version}, and with it the history up to there");
            // `v` does what such a hint says to a command line.
            let hint = if fault.hint.contains("--as-of") { "" } else { &fault.hint };
            let fault = Fault { hint: hint.to_owned(), ..fault.clone() };
            return notice::fault_with(canvas, area, &fault, &[("r", "tries again"), ("v", &opens)]);
        }
        return notice::instead(canvas, area, &view.table, "reading the log", "r");
    }
    match view.pane {
        Pane::Overview => overview::overview(canvas, area, view),
        Pane::Files => files::files(canvas, area, view),
        Pane::Partitions => partitions::partitions(canvas, area, view),
        Pane::Columns => columns::columns(canvas, area, view),
        Pane::History => history::history(canvas, area, app, view),
        Pane::Sql => sql::sql(canvas, area, app, view),
        Pane::Tune => tune::tune(canvas, area, app, view),
    }
}

/// A list pane's parts: summary line, header line, rows; with margins, and room for a scroll bar.
struct ListParts {
    summary: Rect,
    header: Rect,
    rows: Rect,
}

fn list_parts(area: Rect) -> ListParts {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    // Few rows: the list needs them more.
    let (summary, rest) = split_top(area, u16::from(area.height >= 4));
    let (header, rows) = split_top(rest, u16::from(rest.height >= 2));
    ListParts { summary, header, rows }
}

/// What the summary line adds while the files are not all there.
fn incomplete(view: &TableView) -> Vec<Piece> {
    if let Some(fault) = &view.files.fault {
        let what = if view.files.was_cancelled() { "stopped".into() } else { fault.to_string() };
        return vec![piece(format!("   ▲ partial, {what}; r reads again"), Role::Warn)];
    }
    if !view.files.complete {
        return vec![piece("   partial, still reading", Role::Warn)];
    }
    Vec::new()
}
