//! Tuning: the actions to choose from, the form of one, its plan.
//!
//! ```text
//!  What mends the findings
//!  ▲ small-files          412 small files could be 26 of about 122 MiB
//!  Other actions
//!    Compact              merge small files, leave good ones alone
//! ```

mod form;
mod plan;

use ratatui::layout::Rect;

use super::overview::mark;
use crate::app::App;
use crate::app::pane::tune::{Choice, Step};
use crate::app::table::TableView;
use crate::model::fit;
use crate::model::table::AsOf;
use crate::model::text::clean;
use crate::ui::canvas::{Canvas, Piece, inset, piece, pieces_width, split_bottom, split_top};
use crate::ui::list;
use crate::ui::notice;
use crate::ui::theme::Role;
use crate::ui::words::wrap_within;

pub fn tune(canvas: &mut Canvas<'_>, area: Rect, app: &App, view: &TableView) {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    match (view.tune.step, &view.tune.form, &view.tune.plan) {
        (Step::Form, Some(form), _) => form::form(canvas, area, form),
        (Step::Plan, _, Some(plan)) => plan::plan(canvas, area, app, plan),
        _ => choose(canvas, area, app, view),
    }
}

fn choose(canvas: &mut Canvas<'_>, area: Rect, app: &App, view: &TableView) {
    let (top, rows) = split_top(area, if area.height >= 8 { 2 } else { 1 });
    canvas.line(top.x, top.y, top.width, &heading(app, view));
    let choices = view.choices();
    let (rows, below) = selected(rows, view, &choices);
    for (y, text) in (below.0.top()..below.0.bottom()).zip(&below.1) {
        canvas.put(below.0.x, y, below.0.width, text, Role::Plain);
    }
    list::list(canvas, rows, &view.tune.scroll, choices.len(), |canvas, row, at| {
        if let Some(choice) = choices.get(at) {
            canvas.line(row.x, row.y, row.width, &line(choice, row.width));
        }
    });
}

/// Lines of the selected choice at most; `i` shows all of a finding.
const SELECTED: usize = 3;

/// Below the list, the selected choice in full where its row cuts it.
fn selected(area: Rect, view: &TableView, choices: &[Choice<'_>]) -> (Rect, (Rect, Vec<String>)) {
    let row = |c: &Choice<'_>| pieces_width(&line(c, area.width)) > usize::from(area.width);
    // The list keeps its height from choice to choice.
    if area.height < 10 || !choices.iter().any(row) {
        return (area, (Rect::default(), Vec::new()));
    }
    let (rows, below) = split_bottom(area, SELECTED as u16 + 1);
    let (_, below) = split_top(below, 1);
    let text = choices.get(view.tune.scroll.selected).map(|c| match (&c.refusal, c.finding) {
        (Some(why), _) => format!("Not on this table: {why}"),
        (None, Some(finding)) => finding.title.clone(),
        (None, None) => format!("{}: {}", c.title, c.doc),
    });
    let lines = text.map_or_else(Vec::new, |t| wrap_within(&clean(&t), below.width.into(), SELECTED));
    (rows, (below, lines))
}

/// What a change meets here: whether it may run, and on what it works.
fn heading(app: &App, view: &TableView) -> Vec<Piece> {
    let mut out = vec![piece("Choose what to do; a plan is shown before anything is touched.", Role::Strong)];
    if !app.startup.allow_writes {
        out = vec![
            piece("Read-only: ", Role::Warn),
            piece("plans can be looked at; running one needs --allow-writes.", Role::Plain),
        ];
    } else if view.as_of != AsOf::Latest {
        out = vec![piece("You look at an older version; plans are for the latest one.", Role::Warn)];
    }
    if view.diagnosis.running() {
        out.push(piece("   ", Role::Plain));
        out.extend(notice::progress(view.diagnosis.progress.as_ref(), "looking for findings", 40));
    }
    out
}

fn line(choice: &Choice<'_>, width: u16) -> Vec<Piece> {
    // What it does has more to tell than its name.
    let name = if width < 60 { 16 } else { 24 };
    let refused = choice.refusal.as_ref().map(|why| piece(format!("✗ {}", clean(why)), Role::Dim));
    let Some(finding) = choice.finding else {
        let doc = refused.unwrap_or_else(|| piece(choice.doc, Role::Dim));
        let title = fit::fit(choice.title, name);
        return vec![piece(format!("  {title:<name$} "), Role::Strong), doc];
    };
    let (sign, role) = mark(finding.severity);
    let mut out = vec![
        piece(format!("{sign} "), role),
        piece(format!("{:<name$} ", fit::fit(finding.id, name)), Role::Strong),
    ];
    out.push(refused.unwrap_or_else(|| piece(clean(&finding.title), Role::Plain)));
    if choice.change.is_none() && width >= 60 {
        let command = finding.action.as_ref().is_some_and(|a| a.command.is_some());
        let how = if command { "   by the command line: y copies" } else { "   i says what to do" };
        out.push(piece(how, Role::Dim));
    }
    out
}
