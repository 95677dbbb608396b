//! What can be done in a result.

use super::super::{Command, Context, Enabled};
use super::{
    RUN, clear_queue, focus, has_queue, has_runs, has_table, last, last_mut, list_runs, order, queries, run,
};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::filter::FilterLayer;
use crate::app::msg::Ask;
use crate::app::pane::sql::SqlFocus;
use crate::app::pane::sql::run::Run;

fn has_row(app: &App) -> Enabled {
    last(app).is_some_and(|r| r.plan.is_none() && r.has_rows()).then_some(()).ok_or("there is no row")
}

fn has_cell(app: &App) -> Enabled {
    last(app).and_then(Run::selected_text).map(|_| ()).ok_or("there is nothing to copy, or it is NULL")
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

pub(in crate::app::command) static COMMANDS: &[Command] = &[
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
        "sql.runs",
        &[Key::char('R'), Key::alt('r')],
        "List the runs of this session, to compare two",
        list_runs,
    )
    .hint("runs")
    .when(has_runs),
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
