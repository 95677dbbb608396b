//! What can be done in the SQL console.

use ratatui_textarea::TextArea;

use super::{Command, Context, Enabled};
use crate::app::App;
use crate::app::ctx::Ctx;
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::pane::sql::SqlFocus;
use crate::app::pane::sql::run::Run;

const RUN: &[Key] =
    &[Key::new(KeyCode::F(5)), Key::new(KeyCode::Enter).with_alt(), Key::new(KeyCode::Enter).with_ctrl()];

fn run(app: &mut App, ctx: &mut Ctx) {
    let max_rows = app.startup.max_rows;
    if let Some(table) = app.table_mut() {
        table.run_sql(max_rows, ctx);
    }
}

fn focus(app: &mut App, focus: SqlFocus) {
    if let Some(table) = app.table_mut() {
        table.sql.focus = focus;
    }
}

fn with_editor(app: &mut App, edit: impl FnOnce(&mut TextArea<'static>) -> bool) {
    if let Some(table) = app.table_mut() {
        edit(&mut table.sql.editor);
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

fn has_row(app: &App) -> Enabled {
    last(app).is_some_and(|r| r.plan.is_none() && r.has_rows()).then_some(()).ok_or("there is no row")
}

fn has_cell(app: &App) -> Enabled {
    last(app).and_then(Run::selected_text).map(|_| ()).ok_or("there is nothing to copy, or it is NULL")
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(Context::SqlEditor, "editor.run", RUN, "Run the statement under the cursor", run)
        .hint("run")
        .when(has_table),
    Command::new(
        Context::SqlEditor,
        "editor.leave",
        &[Key::new(KeyCode::Esc)],
        "Leave the editor",
        |app, _| {
            focus(app, SqlFocus::Result);
        },
    )
    .hint("leave editor"),
    Command::new(Context::SqlEditor, "editor.clear", &[Key::ctrl('l')], "Empty the editor", |app, _| {
        // Cutting can be undone.
        with_editor(app, |e| {
            e.select_all();
            e.cut()
        });
    }),
    Command::new(Context::SqlEditor, "editor.undo", &[Key::ctrl('u')], "Undo the last edit", |app, _| {
        with_editor(app, |e| e.undo());
    }),
    Command::new(Context::SqlEditor, "editor.redo", &[Key::ctrl('r')], "Redo what was undone", |app, _| {
        with_editor(app, |e| e.redo());
    }),
    Command::new(
        Context::SqlResult,
        "sql.edit",
        &[Key::char('i'), Key::char('e')],
        "Edit the query",
        |app, _| {
            focus(app, SqlFocus::Editor);
        },
    )
    .hint("edit"),
    Command::new(Context::SqlResult, "sql.run", RUN, "Run the query again", run).hint("run").when(has_table),
    Command::new(
        Context::SqlResult,
        "sql.detail",
        &[Key::new(KeyCode::Enter)],
        "Show the whole row",
        |app, _| {
            let detail = last(app).and_then(Run::detail);
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("row")
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.copy",
        &[Key::char('y')],
        "Copy the cell, or the plan",
        |app, ctx| {
            if let Some((name, text)) = last(app).and_then(Run::selected_text) {
                ctx.copy(&name, text);
            }
        },
    )
    .hint("copy")
    .when(has_cell),
    Command::new(
        Context::SqlResult,
        "sql.left",
        &[Key::char('h'), Key::new(KeyCode::Left)],
        "Go to the column on the left",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.sideways(-1);
            }
        },
    )
    .motion(),
    Command::new(
        Context::SqlResult,
        "sql.right",
        &[Key::char('l'), Key::new(KeyCode::Right)],
        "Go to the column on the right",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.sideways(1);
            }
        },
    )
    .motion(),
    Command::new(
        Context::SqlResult,
        "sql.first-column",
        &[Key::char('0'), Key::new(KeyCode::Home)],
        "Go to the first column",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.first_column();
            }
        },
    )
    .motion(),
    Command::new(
        Context::SqlResult,
        "sql.last-column",
        &[Key::char('$'), Key::new(KeyCode::End)],
        "Go to the last column",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.last_column();
            }
        },
    )
    .motion(),
];
