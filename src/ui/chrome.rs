//! What stands above every pane: the line of context, the tabs, the banner of time travel.
//!
//! ```text
//!  deltop   dbo / sales   v12 · 2026-05-27 00:58:12 UTC              read-only   live 5s
//!  1 Overview   2 Files   3 Partitions   4 Columns   5 History   6 SQL
//!  ━━━━━━━━━━━━─────────────────────────────────────────────────────────────────────────
//! ```

use ratatui::layout::Rect;

use super::canvas::{Canvas, Piece, piece, pieces_width};
use super::live;
use super::theme::Role;
use crate::app::frame::Hit;
use crate::app::pane::Pane;
use crate::app::table::TableView;
use crate::app::{App, Scene};
use crate::model::text::clean;
use crate::model::{fit, units};

pub fn title(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let right = if app.startup.allow_writes { "writes allowed" } else { "read-only" };
    let live = app.table().and_then(live::state);
    let live_width = live.as_ref().map_or(0, |(text, _)| fit::width(text) as u16 + 3);
    // On a narrow screen, that it moves is told rather than that it cannot be changed.
    let right_width = match area.width {
        60.. => right.len() as u16 + 1 + live_width,
        40.. => live_width,
        _ => 0,
    };
    let mut left = vec![piece(" deltop", Role::Accent), piece("  ", Role::Plain)];
    match &app.scene {
        Scene::Table(table) => {
            left.extend(table_title(app, table, area.width.saturating_sub(right_width + 10)))
        }
        Scene::Home(_) | Scene::Place(_) => {
            let room = area.width.saturating_sub(right_width + 10);
            let location = crate::model::text::clean(&app.startup.location);
            left.push(piece(fit::fit_middle(&location, room.into()), Role::Strong));
        }
    }
    canvas.line(area.x, area.y, area.width.saturating_sub(right_width), &left);
    if area.width >= 60 {
        let role = if app.startup.allow_writes { Role::Warn } else { Role::Dim };
        canvas.put_right(area.x, area.y, area.width.saturating_sub(1 + live_width), right, role);
    }
    if let Some((text, role)) = live.filter(|_| right_width > 0) {
        canvas.put_right(area.x, area.y, area.width.saturating_sub(1), &text, role);
        let width = live_width.saturating_sub(3);
        let x = area.right().saturating_sub(1 + width);
        canvas.hit(Rect { x, width, ..area }, Hit::Command("table.follow"));
    }
}

fn table_title(app: &App, view: &TableView, room: u16) -> Vec<Piece> {
    let Some(table) = &view.table.value else {
        let location = crate::model::text::clean(&view.location);
        return vec![piece(fit::fit_middle(&location, room.into()), Role::Strong)];
    };
    let entry = app.home.as_ref().and_then(|h| h.entries.iter().find(|e| e.location == view.location));
    let name = entry.map_or_else(|| table.name.clone(), |e| e.name.replace('/', " / "));
    let version = match table.log.newer_versions {
        0 => format!("v{} latest", table.version),
        _ => format!("v{}", table.version),
    };
    let time = table.modified.map(|t| format!(" · {} UTC", units::screen_time(t))).unwrap_or_default();
    let rest = version.len() + 3;
    let with_time = rest + fit::width(&time) + fit::width(&name) <= usize::from(room);
    let name_room = usize::from(room).saturating_sub(rest).max(6);
    let name = fit::fit_middle(&crate::model::text::clean(&name), name_room).into_owned();
    let mut out = vec![piece(name, Role::Strong), piece("   ", Role::Plain), piece(version, Role::Accent)];
    if with_time {
        out.push(piece(time, Role::Dim));
    }
    out
}

/// The tabs, and below them (if there is room) a rule that is heavy under the tab in front.
pub fn tabs(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let named = |pane: Pane, long: bool| {
        let number = pane.index() + 1;
        if long || pane == view.pane { format!(" {number} {} ", pane.title()) } else { format!(" {number} ") }
    };
    let width = |long| Pane::ALL.iter().map(|p| named(*p, long).len() + 1).sum::<usize>();
    let long = width(true) <= usize::from(area.width);
    let gap = u16::from(width(long) <= usize::from(area.width));
    if area.height > 1 {
        canvas.rule(area.x, area.y + 1, area.width, "─", Role::Line);
    }
    let mut x = area.x;
    for pane in Pane::ALL {
        let front = pane == view.pane;
        let role = if front { Role::Selection } else { Role::Plain };
        let used = canvas.put(x, area.y, area.right().saturating_sub(x), &named(pane, long), role);
        canvas.hit(Rect { x, y: area.y, width: used, height: area.height }, Hit::Pane(pane));
        if front && area.height > 1 {
            canvas.rule(x, area.y + 1, used, "━", Role::Accent);
        }
        x += used + gap;
    }
}

/// The banner's sentence, if an older version is shown than there is, or if what is new cannot be read.
/// `typing`: plain keys are text until one leaves it.
pub fn banner_text(view: &TableView, width: u16, typing: bool) -> Option<Vec<Piece>> {
    let table = view.table.value.as_ref()?;
    let newer = table.log.newer_versions;
    if newer == 0 {
        return stale(view, width, typing);
    }
    let s = if newer == 1 { "" } else { "s" };
    let leave = if typing { "Esc " } else { "" };
    let (version, newer) = (table.version, units::count(newer));
    let text = if width >= 56 {
        format!(" ▲ THE PAST: version {version}; {newer} newer version{s}   {leave}L goes back to the latest")
    } else {
        format!(" ▲ PAST v{version}, {newer} newer   {leave}L latest")
    };
    Some(vec![piece(text, Role::Banner)])
}

/// That the table cannot be followed, in every pane, since none shows what is now.
fn stale(view: &TableView, width: u16, typing: bool) -> Option<Vec<Piece>> {
    let (fault, version) = (view.stale_because()?, view.table.value.as_ref()?.version);
    let (open, end) = (
        format!(" ▲ NOT FOLLOWED since v{version}: "),
        if typing { "   Esc e shows all" } else { "   e shows all" },
    );
    let room = usize::from(width).saturating_sub(fit::width(&open) + end.len() + 1);
    let why = fit::fit(&clean(&fault.to_string()), room).into_owned();
    Some(vec![piece(format!("{open}{why}{end}"), Role::Banner)])
}

pub fn banner(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, pieces: &[Piece]) {
    let past = view.table.value.as_ref().is_some_and(|t| t.log.newer_versions > 0);
    let command = if past { "table.latest" } else { "app.error" };
    canvas.line(area.x, area.y, area.width, pieces);
    canvas.restyle(area, Role::Banner);
    let width = (pieces_width(pieces) as u16).min(area.width);
    canvas.hit(Rect { width, ..area }, Hit::Command(command));
}
