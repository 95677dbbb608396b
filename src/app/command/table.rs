//! What can be done with a location, a list of tables, an open table.

use super::{Command, Context, Enabled};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::filter::FilterLayer;
use crate::app::layer::prune::PruneLayer;
use crate::app::pane::Pane;
use crate::app::{App, Scene};
use crate::model::table::AsOf;

const ESC: Key = Key::new(KeyCode::Esc);
const ENTER: Key = Key::new(KeyCode::Enter);
const BACKSPACE: Key = Key::new(KeyCode::Backspace);

fn has_home(app: &App) -> Enabled {
    app.home.as_ref().map(|_| ()).ok_or("already at the start; q quits")
}

fn is_past(app: &App) -> Enabled {
    let past = app.table().is_some_and(|t| t.as_of != AsOf::Latest);
    past.then_some(()).ok_or("this is the latest version already")
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(Context::Place, "place.retry", &[Key::char('r')], "Look again", |app, ctx| app.look(ctx))
        .hint("retry"),
    Command::new(
        Context::Place,
        "place.back",
        &[ESC, BACKSPACE],
        "Go back to the list of tables",
        |app, ctx| app.leave(ctx),
    )
    .when(has_home),
    Command::new(
        Context::Home,
        "home.open",
        &[ENTER, Key::char('l'), Key::new(KeyCode::Right)],
        "Open the table",
        |app, ctx| app.open_selected(ctx),
    )
    .hint("open"),
    Command::new(Context::Home, "home.filter", &[Key::char('/')], "Filter by name", |app, _| {
        let filter = app.home.as_ref().map(|h| FilterLayer::new(&h.filter));
        app.layers.extend(filter.map(Layer::Filter));
    })
    .hint("filter"),
    Command::new(Context::Home, "home.clear", &[ESC], "Show all tables again", |app, _| {
        app.home.iter_mut().for_each(|h| h.set_filter(""));
    })
    .hint("all tables")
    .when(|app| {
        let narrowed = app.home.as_ref().is_some_and(|h| !h.filter.is_empty());
        narrowed.then_some(()).ok_or("nothing is filtered; q quits")
    }),
    Command::new(Context::Home, "home.refresh", &[Key::char('r')], "List the tables anew", |app, ctx| {
        app.look(ctx)
    })
    .hint("refresh"),
    Command::new(Context::Home, "home.copy", &[Key::char('y')], "Copy the location", |app, ctx| {
        if let Some(entry) = app.home.as_ref().and_then(|h| h.selected()) {
            ctx.copy("location", entry.location.clone());
        }
    })
    .hint("copy"),
    Command::new(Context::Table, "table.refresh", &[Key::char('r')], "Look for what is new", |app, ctx| {
        if let Scene::Table(table) = &mut app.scene {
            table.refresh(ctx);
        }
    })
    .hint("refresh"),
    Command::new(
        Context::Table,
        "table.follow",
        &[Key::char('F')],
        "Follow new commits, or pause",
        |app, ctx| {
            if let Scene::Table(table) = &mut app.scene {
                table.toggle_live(ctx);
            }
        },
    )
    .when(|app| {
        let latest = app.table().is_some_and(|t| t.as_of == AsOf::Latest);
        latest.then_some(()).ok_or("an older version does not move; L goes to the latest")
    }),
    Command::new(
        Context::Table,
        "table.latest",
        &[Key::char('L')],
        "Go back to the latest version",
        |app, ctx| {
            if let Scene::Table(table) = &mut app.scene {
                table.travel(AsOf::Latest, ctx);
            }
        },
    )
    .when(is_past),
    Command::new(
        Context::Table,
        "table.readable",
        &[Key::char('v')],
        "Open the last version that can be read",
        |app, ctx| {
            if let Scene::Table(table) = &mut app.scene
                && let Some(version) = table.readable_version()
            {
                table.travel(AsOf::Version(version), ctx);
            }
        },
    )
    .hint("older")
    .when(|app| {
        let version = app.table().and_then(|t| t.readable_version());
        version.map(|_| ()).ok_or("no other version is known to open")
    }),
    Command::new(
        Context::Table,
        "table.leave",
        &[ESC, BACKSPACE],
        "Go back to the list of tables",
        |app, ctx| app.leave(ctx),
    )
    .hint("tables")
    .when(has_home),
    Command::new(
        Context::Table,
        "table.prune",
        &[Key::char('w')],
        "Show which files a condition would read",
        |app, _| app.layers.push(Layer::Prune(Box::new(PruneLayer::new()))),
    )
    .hint("prune")
    .early(2)
    .when(|app| {
        let open = app.table().is_some_and(|t| t.table.value.is_some());
        open.then_some(()).ok_or("the table is not open yet")
    }),
    pane("pane.overview", &[Key::char('1'), Key::alt('1')], "Show the Overview", |app, ctx| {
        app.show(Pane::Overview, ctx)
    }),
    pane("pane.files", &[Key::char('2'), Key::alt('2')], "Show the Files", |app, ctx| {
        app.show(Pane::Files, ctx)
    }),
    pane("pane.partitions", &[Key::char('3'), Key::alt('3')], "Show the Partitions", |app, ctx| {
        app.show(Pane::Partitions, ctx)
    }),
    pane("pane.columns", &[Key::char('4'), Key::alt('4')], "Show the Columns", |app, ctx| {
        app.show(Pane::Columns, ctx)
    }),
    pane("pane.history", &[Key::char('5'), Key::alt('5')], "Show the History", |app, ctx| {
        app.show(Pane::History, ctx)
    }),
    pane("pane.sql", &[Key::char('6'), Key::alt('6')], "Show the SQL console", |app, ctx| {
        app.show(Pane::Sql, ctx)
    }),
    pane("pane.tune", &[Key::char('7'), Key::alt('7')], "Show the Tune pane", |app, ctx| {
        app.show(Pane::Tune, ctx)
    }),
    pane("pane.next", &[Key::new(KeyCode::Tab)], "Show the next pane", |app, ctx| app.step_pane(1, ctx)),
    pane("pane.previous", &[Key::new(KeyCode::BackTab)], "Show the previous pane", |app, ctx| {
        app.step_pane(Pane::ALL.len() - 1, ctx)
    }),
];

const fn pane(
    id: &'static str,
    keys: &'static [Key],
    doc: &'static str,
    run: fn(&mut App, &mut crate::app::ctx::Ctx),
) -> Command {
    Command::new(Context::Panes, id, keys, doc, run).when(App::can_choose_pane)
}
