//! What can be done in the SQL console.

pub(super) mod editor;
pub(super) mod result;

use super::Enabled;
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::runs::RunsLayer;
use crate::app::msg::{Ask, Effect, Keepsake};
use crate::app::pane::sql::SqlFocus;
use crate::app::pane::sql::run::Run;

const RUN: &[Key] =
    &[Key::new(KeyCode::F(5)), Key::new(KeyCode::Enter).with_alt(), Key::new(KeyCode::Enter).with_ctrl()];

fn run(app: &mut App, ctx: &mut Ctx) {
    order(app, ctx, false, Ask::Rows);
}

/// Runs the statement under the cursor, or every one; after what runs already.
fn order(app: &mut App, ctx: &mut Ctx, every: bool, ask: Ask) {
    let max_rows = app.startup.max_rows;
    let Some(table) = app.table() else { return };
    let orders = table.sql.orders(every, ask, max_rows);
    if orders.is_empty() {
        let what = if every { "There is no statement" } else { "No statement under the cursor" };
        return ctx.note(Tone::Warning, what);
    }
    for order in &orders {
        app.notebook.ran(&order.text);
        ctx.effects.push(Effect::Keep(Keepsake::Ran(order.text.clone())));
    }
    if let Some(table) = app.table_mut() {
        table.run_sql(orders, ctx);
    }
}

fn clear_queue(app: &mut App, ctx: &mut Ctx) {
    let Some(table) = app.table_mut() else { return };
    let n = table.sql.queue.clear();
    ctx.note(Tone::Plain, format!("{n} statement{} will not run", if n == 1 { "" } else { "s" }));
}

fn has_queue(app: &App) -> Enabled {
    let waits = app.table().is_some_and(|t| !t.sql.queue.is_empty());
    waits.then_some(()).ok_or("no statement waits")
}

fn list_runs(app: &mut App, _: &mut Ctx) {
    app.layers.push(Layer::Runs(RunsLayer::default()));
}

fn has_runs(app: &App) -> Enabled {
    let there = app.table().is_some_and(|t| !t.sql.ended_runs().is_empty() || !t.sql.queue.is_empty());
    there.then_some(()).ok_or("nothing was run yet")
}

fn focus(app: &mut App, focus: SqlFocus) {
    if let Some(table) = app.table_mut() {
        table.sql.focus = focus;
    }
}

fn last(app: &App) -> Option<&Run> {
    app.table()?.sql.run.as_ref()
}

fn last_mut(app: &mut App) -> Option<&mut Run> {
    app.table_mut()?.sql.run.as_mut()
}

fn has_table(app: &App) -> Enabled {
    match app.table() {
        Some(t) if t.table.value.is_some() => Ok(()),
        Some(t) if t.table.fault.is_some() => Err("the table could not be opened (see 1 Overview)"),
        _ => Err("the table is not open yet"),
    }
}

fn last_part(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

fn queries(app: &mut App, _: &mut Ctx) {
    let notebook = app.notebook.clone();
    if let Some(table) = app.table_mut() {
        table.sql.show_queries(&notebook);
    }
}
