//! What can be done in the SQL console.

use ratatui_textarea::TextArea;

use super::{Command, Context, Enabled};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::filter::FilterLayer;
use crate::app::layer::runs::RunsLayer;
use crate::app::msg::{Ask, Effect, Keepsake};
use crate::app::pane::sql::SqlFocus;
use crate::app::pane::sql::run::Run;
use crate::app::scroll::Motion;

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

fn with_editor(app: &mut App, edit: impl FnOnce(&mut TextArea<'static>) -> bool) {
    if let Some(table) = app.table_mut() {
        table.sql.unsaved |= edit(&mut table.sql.editor);
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

fn complete(app: &mut App, _: &mut Ctx) {
    let home = app.home.as_ref().map(|h| h.entries.iter().map(|e| last_part(&e.name)).collect());
    let Some(table) = app.table_mut() else { return };
    let known = table.known(home.unwrap_or_default());
    if !table.sql.complete(known) {
        // As Tab does elsewhere.
        table.sql.unsaved |= table.sql.editor.insert_str("  ");
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

fn find(app: &mut App, ctx: &mut Ctx, forward: bool) {
    if last_mut(app).is_some_and(|run| !run.find(forward)) {
        ctx.note(Tone::Warning, "No row holds that text");
    }
}

fn has_search(app: &App) -> Enabled {
    last(app)
        .is_some_and(|r| !r.view.search.is_empty())
        .then_some(())
        .ok_or("nothing is searched for; / searches")
}

fn has_result(app: &App) -> Enabled {
    let there = last(app).is_some_and(|r| r.plan.is_none() && !r.grid.columns.is_empty());
    there.then_some(()).ok_or("there is no result")
}

fn has_chart(app: &App) -> Enabled {
    last(app)
        .and_then(Run::chart_columns)
        .map(|_| ())
        .ok_or("bars need a column of labels and one of numbers")
}

fn has_detail(app: &App) -> Enabled {
    let there = last(app).is_some_and(|r| r.tree.is_some() || (r.plan.is_none() && r.has_rows()));
    there.then_some(()).ok_or("there is no row")
}

fn has_hidden(app: &App) -> Enabled {
    last(app).is_some_and(|r| r.view.hidden() > 0).then_some(()).ok_or("no column is hidden")
}

const ENTER: Key = Key::new(KeyCode::Enter);
const TAB: Key = Key::new(KeyCode::Tab);
const UP: Key = Key::new(KeyCode::Up);
const DOWN: Key = Key::new(KeyCode::Down);
const ESC: Key = Key::new(KeyCode::Esc);

pub(super) static COMMANDS: &[Command] = &[
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
        "sql.run-all",
        &[Key::new(KeyCode::F(6)), Key::alt('a')],
        "Run all statements, one after the other",
        |app, ctx| order(app, ctx, true, Ask::Rows),
    )
    .when(has_table),
    Command::new(
        Context::SqlResult,
        "sql.explain",
        &[Key::new(KeyCode::F(7)), Key::alt('x')],
        "Show how the statement would run, and what it would read",
        |app, ctx| order(app, ctx, false, Ask::Explain),
    )
    .when(has_table),
    Command::new(
        Context::SqlResult,
        "sql.analyze",
        &[Key::new(KeyCode::F(8)), Key::alt('z')],
        "Run the statement, and show what each step took",
        |app, ctx| order(app, ctx, false, Ask::Analyze),
    )
    .when(has_table),
    Command::new(
        Context::SqlResult,
        "sql.clear-queue",
        &[Key::alt('q')],
        "Clear the queue: what waits does not run",
        clear_queue,
    )
    .when(has_queue),
    Command::new(
        Context::SqlResult,
        "sql.runs",
        &[Key::char('R'), Key::alt('r')],
        "List the runs of this session, to compare two",
        list_runs,
    )
    .hint("runs")
    .when(has_runs),
    Command::new(
        Context::SqlResult,
        "sql.mark",
        &[Key::char(' ')],
        "Mark the row to copy it; in a plan fold the line, or unfold it",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.mark();
            }
        },
    )
    .when(has_detail),
    Command::new(Context::SqlResult, "sql.unmark", &[Key::char('u')], "Take all marks away", |app, _| {
        if let Some(run) = last_mut(app) {
            run.view.unmark();
        }
    })
    .when(|app| last(app).is_some_and(|r| r.view.marked() > 0).then_some(()).ok_or("no row is marked")),
    Command::new(
        Context::SqlResult,
        "sql.detail",
        &[Key::new(KeyCode::Enter)],
        "Show the whole row; of a plan the files that are read, or the step",
        |app, _| {
            let detail = last(app).and_then(Run::detail);
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("row")
    .when(has_detail),
    Command::new(
        Context::SqlResult,
        "sql.sort",
        &[Key::char('o')],
        "Sort by this column, the other way, or not",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.sort();
            }
        },
    )
    .hint("sort")
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.search",
        &[Key::char('/')],
        "Search the rows for a text",
        |app, _| {
            let search = last(app).map(|r| FilterLayer::new(&r.view.search));
            app.layers.extend(search.map(Layer::Filter));
        },
    )
    .hint("search")
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.next",
        &[Key::char('n')],
        "Go to the next row with the text",
        |app, ctx| {
            find(app, ctx, true);
        },
    )
    .when(has_search),
    Command::new(
        Context::SqlResult,
        "sql.previous",
        &[Key::char('N')],
        "Go to the row with the text before",
        |app, ctx| {
            find(app, ctx, false);
        },
    )
    .when(has_search),
    Command::new(Context::SqlResult, "sql.hide", &[Key::char('x')], "Hide this column", |app, ctx| {
        if last_mut(app).is_some_and(|run| !run.hide()) {
            ctx.note(Tone::Warning, "The last column stays");
        }
    })
    .when(has_row),
    Command::new(Context::SqlResult, "sql.show-all", &[Key::char('X')], "Show all columns", |app, _| {
        if let Some(run) = last_mut(app) {
            run.view.show_all();
        }
    })
    .when(has_hidden),
    Command::new(
        Context::SqlResult,
        "sql.freeze",
        &[Key::char('f')],
        "Keep the columns up to this one in sight, or not",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.freeze();
            }
        },
    )
    .when(has_row),
    Command::new(Context::SqlResult, "sql.wider", &[Key::char('>')], "Make the column wider", |app, _| {
        if let Some(run) = last_mut(app) {
            run.widen(4);
        }
    })
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.narrower",
        &[Key::char('<')],
        "Make the column narrower",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.widen(-4);
            }
        },
    )
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.chart",
        &[Key::char('b')],
        "Show the result as bars, or as rows",
        |app, _| {
            if let Some(run) = last_mut(app) {
                run.view.chart = !run.view.chart;
            }
        },
    )
    .when(has_chart),
    Command::new(
        Context::SqlResult,
        "sql.copy-row",
        &[Key::char('Y')],
        "Copy the marked rows, or this one, parted by tabs",
        |app, ctx| match last(app).and_then(Run::rows_text) {
            Some((1, text)) => ctx.copy("the row", text),
            Some((n, text)) => ctx.copy(&format!("{n} rows"), text),
            None => {}
        },
    )
    .when(has_row),
    Command::new(
        Context::SqlResult,
        "sql.export",
        &[Key::char('E')],
        "Write all rows to a file or a new table",
        App::ask_export,
    )
    .hint("export")
    .when(has_result),
    Command::new(
        Context::SqlResult,
        "sql.queries",
        &[Key::char('H'), Key::alt('h')],
        "List the queries of before",
        queries,
    ),
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
        "Go to the column on the left; in a plan fold, or go up the tree",
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
        "Go to the column on the right; in a plan unfold, or go in",
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
