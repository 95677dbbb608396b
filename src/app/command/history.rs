//! What can be done in the History.

use super::{Command, Context, Enabled};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::pane::Pane;
use crate::app::pane::history::View;
use crate::app::scroll::Motion;
use crate::app::table::TableView;
use crate::model::daily_sql::{DailySql, Dialect, key_columns, snapshot_column};
use crate::model::table::AsOf;

const ENTER: &[Key] = &[Key::new(KeyCode::Enter)];
const COPY: &[Key] = &[Key::char('y')];
const NEXT: &[Key] = &[Key::char('x')];
const TRAVEL: &[Key] = &[Key::char('v')];

/// Days that the template for rows past retention begins with; the user edits it.
const KEPT_DAYS: u32 = 30;

fn with(app: &mut App, ctx: &mut Ctx, run: impl FnOnce(&mut TableView, &mut Ctx)) {
    if let Some(table) = app.table_mut() {
        run(table, ctx);
    }
}

fn check(app: &App, test: impl FnOnce(&TableView) -> bool, reason: &'static str) -> Enabled {
    app.table().is_some_and(test).then_some(()).ok_or(reason)
}

fn has_commit(app: &App) -> Enabled {
    check(app, |t| t.history.commit_in_front().is_some(), "no commit is selected")
}

fn can_travel(app: &App) -> Enabled {
    has_commit(app)?;
    let history = app.table().map(|t| &t.history);
    match history.and_then(|h| h.unreadable(h.commit_in_front()?)) {
        Some(reason) => Err(reason),
        None => Ok(()),
    }
}

fn can_compare(app: &App) -> Enabled {
    check(app, |t| t.history.to_compare().is_some(), "mark a version with the space bar, then select another")
}

fn is_away(app: &App) -> Enabled {
    check(app, |t| t.history.looks.view != View::List, "the list is shown")
}

fn has_past(app: &App) -> Enabled {
    check(app, |t| t.history.looks.past.value.is_some(), "the log has not been walked through yet")
}

fn travel(app: &mut App, ctx: &mut Ctx) {
    with(app, ctx, |t, ctx| {
        if let Some(version) = t.history.commit_in_front().map(|c| c.version) {
            t.travel(AsOf::Version(version), ctx);
        }
    });
}

fn copy(app: &mut App, ctx: &mut Ctx) {
    with(app, ctx, |t, ctx| {
        if let Some(commit) = t.history.commit_in_front() {
            ctx.copy("version", commit.version.to_string());
        }
    });
}

fn look(app: &mut App, ctx: &mut Ctx, view: View) {
    with(app, ctx, |t, ctx| {
        t.history.looks.show(view);
        t.feed_looks(ctx);
    });
}

/// Opens the commit that many rows further on in the list.
fn step(app: &mut App, ctx: &mut Ctx, by: isize) {
    with(app, ctx, |t, ctx| {
        let history = &mut t.history;
        let before = history.scroll.selected;
        history.scroll.go(Motion::By(by), history.rows.len());
        while history.selected().is_none() && history.scroll.selected != before {
            let at = history.scroll.selected;
            history.scroll.go(Motion::By(by), history.rows.len());
            if history.scroll.selected == at {
                history.scroll.selected = before;
            }
        }
        t.open_commit(ctx);
        t.feed_history(ctx);
    });
}

fn snapshots(table: &TableView) -> Option<DailySql> {
    let table = table.table.value.as_ref()?;
    DailySql::new(Dialect::DataFusion, &["t"], snapshot_column(&table.metadata)?)
}

fn has_snapshots(app: &App) -> Enabled {
    check(app, |t| snapshots(t).is_some(), "no partition column holds a snapshot date")
}

fn has_keys(app: &App) -> Enabled {
    has_snapshots(app)?;
    let keys = |t: &TableView| t.table.value.as_ref().is_some_and(|t| !key_columns(&t.metadata).is_empty());
    check(app, keys, "no column looks like a key (…id, …key, …code)")
}

/// Puts a query for daily snapshots into the SQL console.
fn template(app: &mut App, ctx: &mut Ctx, text: impl FnOnce(&DailySql, &TableView) -> Option<String>) {
    let text = app.table().and_then(|t| text(&snapshots(t)?, t));
    if let (Some(text), Some(table)) = (text, app.table_mut()) {
        table.sql.add_statement(&text);
        ctx.note(Tone::Plain, "F5 runs the statement under the cursor");
        app.show(Pane::Sql, ctx);
    }
}

fn past_retention(sql: &DailySql, table: &TableView) -> Option<String> {
    // The time of the walk: the pane knows no clock.
    let now = table.history.looks.past.value.as_ref()?.now;
    sql.rows_past_retention(KEPT_DAYS, now)
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(
        Context::History,
        "history.open",
        ENTER,
        "Open the commit: its files and what it changed",
        |app, ctx| with(app, ctx, |t, ctx| t.open_commit(ctx)),
    )
    .hint("open")
    .when(has_commit),
    Command::new(
        Context::History,
        "history.travel",
        TRAVEL,
        "Look at the whole table as of this version",
        travel,
    )
    .hint("view")
    .when(can_travel),
    Command::new(
        Context::History,
        "history.mark",
        &[Key::char(' ')],
        "Mark the version, to compare two",
        |app, ctx| {
            with(app, ctx, |t, _| {
                t.history.toggle_mark();
                t.history.go(Motion::By(1));
            });
        },
    )
    .hint("mark")
    .when(has_commit),
    Command::new(
        Context::History,
        "history.diff",
        &[Key::char('d')],
        "Compare marked versions, or this and the one before",
        |app, ctx| with(app, ctx, |t, ctx| t.compare(ctx)),
    )
    .hint("diff")
    .when(can_compare),
    Command::new(Context::History, "history.unmark", &[Key::char('u')], "Take all marks away", |app, ctx| {
        with(app, ctx, |t, _| t.history.marks.clear());
    })
    .when(|app| check(app, |t| !t.history.marks.is_empty(), "no version is marked")),
    Command::new(Context::History, "history.copy", COPY, "Copy the version number", copy).when(has_commit),
    Command::new(
        Context::HistoryCommit,
        "commit.travel",
        TRAVEL,
        "Look at the whole table as of this version",
        travel,
    )
    .hint("view")
    .when(can_travel),
    Command::new(
        Context::HistoryCommit,
        "commit.older",
        &[Key::char('n')],
        "Open the commit before",
        |app, ctx| {
            step(app, ctx, 1);
        },
    )
    .hint("older"),
    Command::new(
        Context::HistoryCommit,
        "commit.newer",
        &[Key::char('N')],
        "Open the commit after",
        |app, ctx| {
            step(app, ctx, -1);
        },
    )
    .hint("newer"),
    Command::new(Context::HistoryCommit, "commit.copy", COPY, "Copy the version number", copy)
        .when(has_commit),
    Command::new(Context::HistoryDiff, "diff.swap", NEXT, "Compare the other way round", |app, ctx| {
        with(app, ctx, |t, ctx| {
            if let Some((from, to)) = t.history.looks.between {
                t.compare_between((to, from), ctx);
            }
        });
    })
    .hint("swap"),
    Command::new(
        Context::HistoryTrends,
        "trends.axis",
        NEXT,
        "Show the trends by version, hour, day or week",
        |app, ctx| with(app, ctx, |t, _| t.history.looks.next_axis()),
    )
    .hint("by time")
    .when(has_past),
    Command::new(
        Context::HistoryPeriods,
        "periods.length",
        NEXT,
        "Sum up by day, week or hour",
        |app, ctx| with(app, ctx, |t, _| t.history.looks.next_period()),
    )
    .hint("period")
    .when(has_past),
    Command::new(
        Context::HistoryPeriods,
        "periods.rows",
        &[Key::char('s')],
        "Query the rows of each snapshot date",
        |app, ctx| template(app, ctx, |sql, _| Some(sql.rows_per_day())),
    )
    .hint("SQL: rows")
    .when(has_snapshots),
    Command::new(
        Context::HistoryPeriods,
        "periods.duplicates",
        &[Key::char('u')],
        "Query the keys that a snapshot date has more than once",
        |app, ctx| {
            template(app, ctx, |sql, table| {
                sql.duplicates(&key_columns(&table.table.value.as_ref()?.metadata))
            });
        },
    )
    .hint("duplicates")
    .when(has_keys),
    Command::new(
        Context::HistoryPeriods,
        "periods.old",
        &[Key::char('p')],
        "Query the rows of snapshot dates more than 30 days back",
        |app, ctx| template(app, ctx, past_retention),
    )
    .hint("old rows")
    .when(|app| {
        has_snapshots(app)?;
        has_past(app)
    }),
    Command::new(
        Context::HistoryRetention,
        "retention.list",
        &[Key::char('f')],
        "Look whether the data files of old versions are still there",
        |app, ctx| with(app, ctx, |t, ctx| t.walk(true, ctx)),
    )
    .hint("find files")
    .when(|app| check(app, |t| !t.history.looks.looked_for_files, "the files have been looked for")),
    Command::new(
        Context::HistoryViews,
        "history.list",
        &[Key::new(KeyCode::Esc)],
        "Go back to the list",
        |app, ctx| {
            look(app, ctx, View::List);
        },
    )
    .hint("list")
    .when(is_away),
    Command::new(
        Context::HistoryViews,
        "history.trends",
        &[Key::char('t')],
        "Show how the table grew, and how it is written",
        |app, ctx| look(app, ctx, View::Trends),
    )
    .hint("trends"),
    Command::new(
        Context::HistoryViews,
        "history.periods",
        &[Key::char('D')],
        "Show the history by day, and queries for daily snapshots",
        |app, ctx| look(app, ctx, View::Periods),
    )
    .hint("days"),
    Command::new(
        Context::HistoryViews,
        "history.retention",
        &[Key::char('R')],
        "Show how far back one can go, and what would change that",
        |app, ctx| look(app, ctx, View::Retention),
    )
    .hint("retention"),
    Command::new(
        Context::HistoryViews,
        "history.zone",
        &[Key::char('z')],
        "Show times in UTC, or in the local time zone",
        |app, ctx| {
            app.zones.switch();
            ctx.note(Tone::Plain, format!("Times are in {}", app.zones.shown().name()));
        },
    ),
];
