//! The history: the list of commits, and what one looks at from there (a file each).
//!
//! ```text
//!  34 commits   v33 down to v0                                     1 marked: v12
//!     version  time (UTC)        operation                  +files   −files     +bytes
//!  ●       33  2026-05-27 00:58  WRITE append                  +12        –   +310 MiB
//!          32  2026-05-26 23:58  OPTIMIZE where day = 26        +1      −12   +300 MiB
//!           v3 to v14   12 versions cleaned up
//! ```

mod commit;
mod diff;
mod page;
mod periods;
mod retention;
mod trends;

use ratatui::layout::Rect;

use super::list_parts;
use crate::app::App;
use crate::app::pane::history::View;
use crate::app::table::TableView;
use crate::model::calendar::Zone;
use crate::model::expiry::Versions;
use crate::model::history::Commit;
use crate::model::history_rows::{GapKind, HistoryRow};
use crate::model::keeping_words::ranges;
use crate::model::operation::Operation;
use crate::model::units;
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::columns::{Column, Slot, cell, count_in, header, place};
use crate::ui::theme::Role;
use crate::ui::words::counted;
use crate::ui::{list, live, notice};

const COLUMNS: [Column; 10] = [
    Column::text("", 1, 0),
    Column::figure("version", 7, 0),
    Column::text("time (UTC)", 16, 1),
    Column::growing("operation", 16, 64, 0),
    Column::figure("+files", 6, 2),
    Column::figure("−files", 6, 4),
    Column::figure("+bytes", 9, 3),
    Column::figure("−bytes", 9, 5),
    Column::figure("rows in added", 13, 6),
    Column::growing("engine", 20, 40, 7),
];
const OPERATION: usize = 3;

pub fn history(canvas: &mut Canvas<'_>, area: Rect, app: &App, view: &TableView) {
    let zone = app.zones.shown();
    match view.history.looks.view {
        View::List => the_list(canvas, area, view, zone),
        View::Commit => commit::commit(canvas, area, view, zone),
        View::Diff => diff::diff(canvas, area, view),
        View::Trends => trends::trends(canvas, area, view, zone),
        View::Periods => periods::periods(canvas, area, view, zone),
        View::Retention => retention::retention(canvas, area, view),
    }
}

fn the_list(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, zone: Zone) {
    let pane = &view.history;
    if pane.commits().is_empty() && !pane.load.complete {
        return notice::instead(canvas, area, &pane.load, "reading the commits", "r");
    }
    let parts = list_parts(area);
    if parts.summary.height > 0 {
        canvas.line(parts.summary.x, parts.summary.y, parts.summary.width, &summary(view, zone));
    }
    let mut columns = COLUMNS;
    if zone != Zone::UTC {
        columns[2].title = "time (local)";
    }
    let slots = place(&columns, parts.header.x, parts.header.width, |_| true);
    if parts.header.height > 0 {
        header(canvas, parts.header.y, &columns, &slots, None, false);
    }
    let (commits, rows) = (pane.commits(), &pane.rows);
    let total = if pane.load.complete { rows.len() } else { total(view) as usize };
    list::part_of_list(canvas, parts.rows, &pane.scroll, (rows.len(), total), |canvas, row, at| {
        let c = match rows.rows.get(at) {
            Some(HistoryRow::Commit(at)) => commits.get(*at),
            Some(HistoryRow::Gap(versions, kind)) => {
                let x = slots[1].x;
                canvas.line(x, row.y, row.right().saturating_sub(x), &gap(*versions, *kind));
                None
            }
            None => None,
        };
        let Some(c) = c else { return };
        for (at, (text, role)) in texts(c, &slots, pane.marks.contains(&c.version), zone).iter().enumerate() {
            if at != OPERATION {
                cell(canvas, row.y, &columns[at], slots[at], text, *role);
            }
        }
        let doubt = pane.is_doubtful(c.version).then_some(" △ files gone?");
        let lost = if c.readable { pane.unreadable(c).map(|_| " ▲ files gone").or(doubt) } else { None };
        canvas.line(slots[OPERATION].x, row.y, slots[OPERATION].width, &marked_operation(c, lost));
    });
}

fn gap(versions: Versions, kind: GapKind) -> Vec<Piece> {
    let n = (versions.last - versions.first).saturating_add(1);
    let role = if kind == GapKind::Missing { Role::Warn } else { Role::Dim };
    let mark = if kind == GapKind::Missing { "▲ " } else { "" };
    vec![piece(format!("{mark}{}   {} {}", ranges(&[versions]), counted(n, "version"), kind.says()), role)]
}

/// The operation, and what else matters: damage, a changed schema or protocol.
pub(super) fn operation(c: &Commit) -> Vec<Piece> {
    marked_operation(c, None)
}

/// `lost`: why the version cannot be looked at, or perhaps not, though the log can rebuild it.
fn marked_operation(c: &Commit, lost: Option<&str>) -> Vec<Piece> {
    let said = Operation::of(c.operation.as_deref(), c.operation_parameters.as_ref());
    let mut out = match &c.operation {
        Some(_) => vec![piece(said.name, Role::Plain)],
        None => vec![piece("not stated", Role::Dim)],
    };
    if let Some(problem) = &c.problem {
        out.insert(0, piece(format!("✗ {problem} "), Role::Critical));
    } else if !c.readable {
        out.push(piece(" ▲ no longer readable", Role::Warn));
    } else if let Some(lost) = lost {
        out.push(piece(lost, Role::Warn));
    }
    if c.version > 0 {
        for (changed, what) in [(c.metadata_changed, " • metadata"), (c.protocol_changed, " • protocol")]
        {
            if changed {
                out.push(piece(what, Role::Accent));
            }
        }
    }
    if !said.words.is_empty() {
        out.push(piece(format!(" {}", said.words), Role::Dim));
    }
    out
}

/// To the minute, on that clock.
fn minute(time: Option<units::Millis>, zone: Zone) -> String {
    let text = time.map_or_else(|| "?".into(), |t| zone.show(t));
    text.get(..16).unwrap_or(&text).to_owned()
}

fn texts(c: &Commit, slots: &[Slot], marked: bool, zone: Zone) -> [(String, Role); 10] {
    let signed = |sign, n: u64, text: String| match n {
        0 => ("–".to_owned(), Role::Dim),
        _ => (format!("{sign}{text}"), Role::Plain),
    };
    let short = |at: usize, n| count_in(Slot { width: slots[at].width.saturating_sub(1), ..slots[at] }, n);
    let rows = match c.added_records {
        Some(0) => ("–".to_owned(), Role::Dim),
        Some(n) => (count_in(slots[8], n), Role::Plain),
        None => ("?".into(), Role::Dim),
    };
    [
        (if marked { "●" } else { "" }.into(), Role::Accent),
        (c.version.to_string(), Role::Strong),
        (minute(c.timestamp, zone), Role::Dim),
        (String::new(), Role::Plain),
        signed("+", c.added_files, short(4, c.added_files)),
        signed("−", c.removed_files, short(5, c.removed_files)),
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

fn summary(view: &TableView, zone: Zone) -> Vec<Piece> {
    let pane = &view.history;
    let mut out = vec![piece(counted(total(view), "commit"), Role::Strong)];
    if let (Some(newest), Some(oldest)) = (pane.commits().first(), pane.commits().last()) {
        let shown = if pane.load.complete { "" } else { " so far, more as you scroll" };
        let range = match (newest.version, oldest.version) {
            (newest, oldest) if newest == oldest => format!("   v{newest}{shown}"),
            (newest, oldest) => format!("   v{newest} down to v{oldest}{shown}"),
        };
        out.push(piece(range, Role::Dim));
    }
    if let Some(rates) = live::rates(view, 0).filter(|_| view.live.rates.is_some_and(|r| r.commits > 0)) {
        out.push(piece("   ", Role::Plain));
        out.extend(rates);
    }
    if !pane.marks.is_empty() {
        let marks: Vec<String> = pane.marks.iter().map(|v| format!("v{v}")).collect();
        out.push(piece(format!("   ● {}, d compares", marks.join(", ")), Role::Accent));
    }
    if zone != Zone::UTC {
        out.push(piece(format!("   times in {}", zone.name()), Role::Dim));
    }
    if let Some(fault) = &pane.load.fault {
        out.push(piece(format!("   ▲ {fault}; r reads again"), Role::Warn));
    }
    out
}
