//! What can be done in the SQL editor, and in the lists that lie over it.

use ratatui_textarea::TextArea;

use super::super::{Command, Context};
use super::{
    RUN, clear_queue, focus, has_queue, has_runs, has_table, last_part, list_runs, order, queries, run,
};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::msg::{Ask, Effect, Keepsake};
use crate::app::pane::sql::SqlFocus;
use crate::app::scroll::Motion;

const ENTER: Key = Key::new(KeyCode::Enter);
const TAB: Key = Key::new(KeyCode::Tab);
const UP: Key = Key::new(KeyCode::Up);
const DOWN: Key = Key::new(KeyCode::Down);
const ESC: Key = Key::new(KeyCode::Esc);

fn with_editor(app: &mut App, edit: impl FnOnce(&mut TextArea<'static>) -> bool) {
    if let Some(table) = app.table_mut() {
        table.sql.unsaved |= edit(&mut table.sql.editor);
    }
}

fn complete(app: &mut App, _: &mut Ctx) {
    let home = app.home.as_ref().map(|h| h.entries.iter().map(|e| last_part(&e.name)).collect());
    let Some(table) = app.table_mut() else { return };
    let known = table.known(home.unwrap_or_default());
    if !table.sql.complete(known) {
        // As Tab does elsewhere.
        table.sql.unsaved |= table.sql.editor.insert_str("  ");
    }
}

fn save(app: &mut App, ctx: &mut Ctx) {
    let Some(text) = app.table().and_then(|t| t.sql.statement()) else {
        return ctx.note(Tone::Warning, "No statement under the cursor");
    };
    let saved = app.notebook.toggle(&text);
    ctx.effects.push(Effect::Keep(Keepsake::Saved(app.notebook.saved.clone())));
    ctx.note(Tone::Good, if saved { "Saved; Alt-h lists it first" } else { "No longer saved" });
}

fn take_query(app: &mut App, ctx: &mut Ctx) {
    let Some(table) = app.table_mut() else { return };
    let Some(queries) = table.sql.queries.take() else { return };
    if let Some(text) = queries.selected() {
        table.sql.replace(text);
        table.sql.focus = SqlFocus::Editor;
        ctx.note(Tone::Plain, "Ctrl-u brings the text before back");
    }
}

fn with_offer(app: &mut App, motion: Motion) {
    if let Some(offer) = app.table_mut().and_then(|t| t.sql.offer.as_mut()) {
        offer.go(motion);
    }
}

fn with_queries(app: &mut App, motion: Motion) {
    if let Some(queries) = app.table_mut().and_then(|t| t.sql.queries.as_mut()) {
        queries.go(motion);
    }
}

pub(in crate::app::command) static COMMANDS: &[Command] = &[
    Command::new(Context::SqlOffer, "offer.take", &[ENTER, TAB], "Put the chosen word in", |app, _| {
        if let Some(table) = app.table_mut() {
            table.sql.take_offer();
        }
    })
    .hint("put in"),
    Command::new(Context::SqlOffer, "offer.close", &[ESC], "Go on without it", |app, _| {
        if let Some(table) = app.table_mut() {
            table.sql.offer = None;
        }
    })
    .hint("close"),
    Command::new(Context::SqlOffer, "offer.down", &[DOWN, Key::ctrl('n')], "Go down", |app, _| {
        with_offer(app, Motion::By(1));
    })
    .motion(),
    Command::new(Context::SqlOffer, "offer.up", &[UP, Key::ctrl('p')], "Go up", |app, _| {
        with_offer(app, Motion::By(-1));
    })
    .motion(),
    Command::new(Context::SqlQueries, "queries.take", &[ENTER], "Put the query into the editor", take_query)
        .hint("into editor"),
    Command::new(Context::SqlQueries, "queries.close", &[ESC], "Go back without it", |app, _| {
        if let Some(table) = app.table_mut() {
            table.sql.queries = None;
        }
    })
    .hint("back"),
    Command::new(Context::SqlQueries, "queries.down", &[DOWN, Key::ctrl('n')], "Go down", |app, _| {
        with_queries(app, Motion::By(1));
    })
    .motion(),
    Command::new(Context::SqlQueries, "queries.up", &[UP, Key::ctrl('p')], "Go up", |app, _| {
        with_queries(app, Motion::By(-1));
    })
    .motion(),
    Command::new(Context::SqlEditor, "editor.run", RUN, "Run the statement under the cursor", run)
        .hint("run")
        .when(has_table),
    Command::new(
        Context::SqlEditor,
        "editor.run-all",
        &[Key::new(KeyCode::F(6)), Key::alt('a')],
        "Run all statements, one after the other",
        |app, ctx| order(app, ctx, true, Ask::Rows),
    )
    .when(has_table),
    Command::new(
        Context::SqlEditor,
        "editor.explain",
        &[Key::new(KeyCode::F(7)), Key::alt('x')],
        "Show how the statement would run, and what it would read",
        |app, ctx| order(app, ctx, false, Ask::Explain),
    )
    .hint("explain")
    .when(has_table),
    Command::new(
        Context::SqlEditor,
        "editor.analyze",
        &[Key::new(KeyCode::F(8)), Key::alt('z')],
        "Run the statement, and show what each step took",
        |app, ctx| order(app, ctx, false, Ask::Analyze),
    )
    .when(has_table),
    Command::new(
        Context::SqlEditor,
        "editor.clear-queue",
        &[Key::alt('q')],
        "Clear the queue: what waits does not run",
        clear_queue,
    )
    .when(has_queue),
    Command::new(
        Context::SqlEditor,
        "editor.runs",
        &[Key::alt('r')],
        "List the runs of this session, to compare two",
        list_runs,
    )
    .when(has_runs),
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
    Command::new(
        Context::SqlEditor,
        "editor.complete",
        &[TAB, Key::ctrl(' ')],
        "Complete the word: tables, columns, functions, partition values",
        complete,
    )
    .hint("complete"),
    Command::new(
        Context::SqlEditor,
        "editor.queries",
        &[Key::alt('h')],
        "List the queries of before",
        queries,
    )
    .hint("history"),
    Command::new(
        Context::SqlEditor,
        "editor.save",
        &[Key::alt('s')],
        "Save the statement, or no longer",
        save,
    ),
    Command::new(
        Context::SqlEditor,
        "editor.format",
        &[Key::alt('f')],
        "Put the text into lines",
        |app, _| {
            if let Some(table) = app.table_mut() {
                table.sql.format();
            }
        },
    ),
    Command::new(
        Context::SqlEditor,
        "editor.open",
        &[Key::ctrl('e')],
        "Edit the text in $VISUAL or $EDITOR",
        |app, ctx| {
            if let Some(table) = app.table_mut() {
                table.sql.offer = None;
                ctx.effects.push(Effect::Edit(table.sql.text()));
            }
        },
    ),
    Command::new(
        Context::SqlEditor,
        "editor.export",
        &[Key::alt('e')],
        "Write all rows of the statement to a file or a new table",
        App::ask_export,
    )
    .when(has_table),
    Command::new(Context::SqlEditor, "editor.clear", &[Key::ctrl('l')], "Empty the editor", |app, _| {
        // Cutting can be undone.
        with_editor(app, |e| {
            e.select_all();
            e.cut()
        });
    }),
    Command::new(Context::SqlEditor, "editor.undo", &[Key::ctrl('u')], "Undo the last edit", |app, _| {
        if let Some(table) = app.table_mut() {
            table.sql.undo();
        }
    }),
    Command::new(Context::SqlEditor, "editor.redo", &[Key::ctrl('r')], "Redo what was undone", |app, _| {
        if let Some(table) = app.table_mut() {
            table.sql.redo();
        }
    }),
];
