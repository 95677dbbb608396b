//! The commits.
//!
//! ```text
//!  34 commits   v0 to v33
//!  version  time (UTC)           operation        files        bytes                   rows
//!       33  2026-05-27 00:58:12  WRITE            +12          +310 MiB               +120,000
//!       32  2026-05-26 23:58:12  OPTIMIZE         +1 −12       +300 MiB −310 MiB            +0
//! ```

use ratatui::layout::Rect;

use super::list_parts;
use crate::app::table::TableView;
use crate::model::history::Commit;
use crate::model::units;
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::columns::{Column, Slot, cell, count_in, header, place};
use crate::ui::theme::Role;
use crate::ui::{list, live, notice};

const COLUMNS: &[Column] = &[
    Column::figure("version", 7, 0),
    Column::text("time (UTC)", 16, 4),
    Column::growing("operation", 8, 60, 0),
    Column::figure("+files", 7, 1),
    Column::figure("−files", 7, 1),
    Column::figure("+bytes", 9, 2),
    Column::figure("−bytes", 9, 3),
    Column::figure("rows in added", 13, 5),
    Column::growing("engine", 20, 48, 6),
];

pub fn history(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let pane = &view.history;
    if pane.commits().is_empty() && !pane.load.complete {
        return notice::instead(canvas, area, &pane.load, "reading the commits", "r");
    }
    let parts = list_parts(area);
    if parts.summary.height > 0 {
        canvas.line(parts.summary.x, parts.summary.y, parts.summary.width, &summary(view));
    }
    let slots = place(COLUMNS, parts.header.x, parts.header.width, |_| true);
    if parts.header.height > 0 {
        header(canvas, parts.header.y, COLUMNS, &slots, None, false);
    }
    let commits = pane.commits();
    if commits.is_empty() {
        let text =
            "The log folder holds no commit files up to this version: the state comes from a checkpoint.";
        return notice::sentence(canvas, parts.rows, text, Role::Dim);
    }
    let total = if pane.load.complete { commits.len() } else { total(view) as usize };
    list::part_of_list(canvas, parts.rows, &pane.scroll, (commits.len(), total), |canvas, row, at| {
        let c = &commits[at];
        for (at, (text, role)) in texts(c, &slots).iter().enumerate() {
            if at != 2 {
                cell(canvas, row.y, &COLUMNS[at], slots[at], text, *role);
            }
        }
        canvas.line(slots[2].x, row.y, slots[2].width, &operation(c));
    });
}

/// The operation, and what else matters: damage, a changed schema or protocol.
pub(super) fn operation(c: &Commit) -> Vec<Piece> {
    let mut out = match &c.operation {
        Some(name) => vec![piece(&**name, Role::Plain)],
        None => vec![piece("not stated", Role::Dim)],
    };
    if let Some(problem) = &c.problem {
        out.insert(0, piece(format!("✗ {problem} "), Role::Critical));
    } else if !c.readable {
        out.push(piece(" ▲ no longer readable", Role::Warn));
    }
    if c.version > 0 {
        for (changed, what) in [(c.metadata_changed, " • metadata"), (c.protocol_changed, " • protocol")]
        {
            if changed {
                out.push(piece(what, Role::Accent));
            }
        }
    }
    out
}

fn texts(c: &Commit, slots: &[Slot]) -> [(String, Role); 9] {
    let signed = |sign, n: u64, text: String| match n {
        0 => ("–".to_owned(), Role::Dim),
        _ => (format!("{sign}{text}"), Role::Plain),
    };
    let short = |at: usize, n| count_in(Slot { width: slots[at].width.saturating_sub(1), ..slots[at] }, n);
    let time = c.timestamp.map_or_else(|| "?".into(), units::screen_time);
    let rows = match c.added_records {
        Some(0) => ("–".to_owned(), Role::Dim),
        Some(n) => (count_in(slots[7], n), Role::Plain),
        None => ("?".into(), Role::Dim),
    };
    [
        (c.version.to_string(), Role::Strong),
        (time.get(..16).unwrap_or(&time).to_owned(), Role::Dim),
        (String::new(), Role::Plain),
        signed("+", c.added_files, short(3, c.added_files)),
        signed("−", c.removed_files, short(4, c.removed_files)),
        signed("+", c.added_bytes, units::bytes(c.added_bytes)),
        signed("−", c.removed_bytes, units::bytes(c.removed_bytes)),
        rows,
        (c.engine_info.clone().unwrap_or_default(), Role::Dim),
    ]
}

/// Commits in the log folder, loaded or not.
fn total(view: &TableView) -> u64 {
    let loaded = view.history.commits().len() as u64;
    view.table.value.as_ref().map_or(loaded, |t| t.log.commits.max(loaded))
}

fn summary(view: &TableView) -> Vec<Piece> {
    let pane = &view.history;
    let total = total(view);
    let s = if total == 1 { "" } else { "s" };
    let mut out = vec![piece(format!("{} commit{s}", units::count(total)), Role::Strong)];
    if let (Some(newest), Some(oldest)) = (pane.commits().first(), pane.commits().last()) {
        let shown = if pane.load.complete { "" } else { " so far, more as you scroll" };
        let range = match (newest.version, oldest.version) {
            (newest, oldest) if newest == oldest => format!("   v{newest}{shown}"),
            (newest, oldest) => format!("   v{newest} down to v{oldest}{shown}"),
        };
        out.push(piece(range, Role::Dim));
    }
    if let Some(rates) = live::rates(&view.live, 0).filter(|_| view.live.rates.is_some_and(|r| r.commits > 0))
    {
        out.push(piece("   ", Role::Plain));
        out.extend(rates);
    }
    if let Some(fault) = &pane.load.fault {
        out.push(piece(format!("   ▲ {fault}; r reads again"), Role::Warn));
    }
    out
}
