//! What can be done in what lies over a pane.

use super::{Command, Context, Enabled};
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::compare::CompareLayer;
use crate::app::layer::finding::FindingLayer;
use crate::app::layer::sheet::Sheet;
use crate::app::pane::sql::SqlFocus;
use crate::app::pane::tune::mends;
use crate::app::scroll::Motion;
use crate::app::{App, Scene};

const ESC: Key = Key::new(KeyCode::Esc);
const ENTER: Key = Key::new(KeyCode::Enter);

fn close(app: &mut App, ctx: &mut Ctx) {
    if let Some(mut layer) = app.layers.pop() {
        layer.close(ctx);
    }
}

fn sheet(app: &App) -> Option<&Sheet> {
    match app.layers.last() {
        Some(Layer::Sheet(layer)) => layer.load.value.as_ref(),
        _ => None,
    }
}

fn has_sheet(app: &App) -> Enabled {
    sheet(app).map(|_| ()).ok_or("it is not there yet")
}

fn finding(app: &App) -> Option<&FindingLayer> {
    match app.layers.last() {
        Some(Layer::Finding(layer)) => Some(layer),
        _ => None,
    }
}

fn selected_run(app: &App) -> Option<usize> {
    match app.layers.last() {
        Some(Layer::Runs(layer)) => layer.selected(&app.table()?.sql),
        _ => None,
    }
}

fn compared(app: &App) -> Option<CompareLayer> {
    match app.layers.last() {
        Some(Layer::Runs(layer)) => layer.compare(&app.table()?.sql),
        _ => None,
    }
}

/// Gives the selected command as if its key had been pressed below the palette.
fn choose(app: &mut App, ctx: &mut Ctx) {
    let chosen = match app.layers.pop() {
        Some(Layer::Palette(palette)) => palette.selected(),
        _ => None,
    };
    if let Some(command) = chosen {
        command.give(app, ctx);
    }
}

fn revert(app: &mut App, ctx: &mut Ctx) {
    if let Some(Layer::Filter(filter)) = app.layers.pop() {
        app.set_filter(&filter.before, ctx);
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(Context::Help, "help.close", &[ESC, ENTER, Key::char('?')], "Close the help", close)
        .hint("close"),
    Command::new(Context::Detail, "detail.close", &[ESC, ENTER], "Close the details", close).hint("close"),
    Command::new(Context::Detail, "detail.copy", &[Key::char('y')], "Copy the details", |app, ctx| {
        if let Some(Layer::Detail(detail)) = app.layers.last() {
            ctx.copy("details", detail.to_text());
        }
    })
    .hint("copy"),
    Command::new(Context::Palette, "palette.choose", &[ENTER], "Give the selected command", choose)
        .hint("run"),
    Command::new(Context::Palette, "palette.close", &[ESC], "Close the list of commands", close)
        .hint("close"),
    Command::new(
        Context::Palette,
        "palette.down",
        &[Key::new(KeyCode::Down), Key::ctrl('n'), Key::new(KeyCode::Tab)],
        "Go down",
        |app, ctx| {
            app.go(Motion::By(1), ctx);
        },
    )
    .motion(),
    Command::new(
        Context::Palette,
        "palette.up",
        &[Key::new(KeyCode::Up), Key::ctrl('p'), Key::new(KeyCode::BackTab)],
        "Go up",
        |app, ctx| {
            app.go(Motion::By(-1), ctx);
        },
    )
    .motion(),
    Command::new(
        Context::Palette,
        "palette.page-down",
        &[Key::new(KeyCode::PageDown)],
        "Go down a page",
        |app, ctx| {
            app.go(Motion::Pages(1), ctx);
        },
    )
    .motion(),
    Command::new(
        Context::Palette,
        "palette.page-up",
        &[Key::new(KeyCode::PageUp)],
        "Go up a page",
        |app, ctx| {
            app.go(Motion::Pages(-1), ctx);
        },
    )
    .motion(),
    Command::new(
        Context::Finding,
        "finding.plan",
        &[ENTER, Key::char('t')],
        "Plan what mends it",
        |app, ctx| app.mend(ctx),
    )
    .hint("plan")
    .when(|app| {
        let mendable = finding(app).is_some_and(|l| mends(&l.finding).is_some());
        mendable.then_some(()).ok_or("no change of the Tune pane mends this")
    }),
    Command::new(Context::Finding, "finding.close", &[ESC], "Close the finding", close).hint("close"),
    Command::new(Context::Finding, "finding.copy", &[Key::char('y')], "Copy the command", |app, ctx| {
        if let Some(command) = finding(app).and_then(FindingLayer::command).map(str::to_owned) {
            ctx.copy("command", command);
        }
    })
    .hint("copy")
    .when(|app| finding(app).and_then(FindingLayer::command).map(|_| ()).ok_or("it has no command")),
    Command::new(
        Context::Sheet,
        "sheet.open",
        &[ENTER, Key::char('l'), Key::new(KeyCode::Right)],
        "Show all of the row",
        |app, _| {
            let layer = sheet(app).and_then(Sheet::open_row);
            app.layers.extend(layer);
        },
    )
    .hint("open")
    .when(|app| {
        let row = sheet(app).is_some_and(|s| s.scroll.selected < s.rows.len());
        row.then_some(()).ok_or("no row is selected")
    }),
    Command::new(Context::Sheet, "sheet.about", &[Key::char('i')], "Show all of the whole", |app, _| {
        let layer = sheet(app).map(|s| Layer::Detail(s.about()));
        app.layers.extend(layer);
    })
    .hint("all")
    .when(has_sheet),
    Command::new(
        Context::Sheet,
        "sheet.close",
        &[ESC, Key::char('h'), Key::new(KeyCode::Left)],
        "Close, and end what runs for it",
        close,
    )
    .hint("close"),
    Command::new(Context::Sheet, "sheet.retry", &[Key::char('r')], "Try again", |app, ctx| {
        if let Some(Layer::Sheet(layer)) = app.layers.last_mut() {
            layer.retry(ctx);
        }
    })
    .hint("again")
    .when(|app| match app.layers.last() {
        Some(Layer::Sheet(layer)) if layer.load.fault.is_some() => Ok(()),
        _ => Err("nothing failed"),
    }),
    Command::new(Context::Sheet, "sheet.copy", &[Key::char('y')], "Copy the figures", |app, ctx| {
        if let Some(text) = sheet(app).map(Sheet::to_text) {
            ctx.copy("figures", text);
        }
    })
    .hint("copy")
    .when(has_sheet),
    Command::new(Context::Histogram, "histogram.files", &[ENTER], "Show the files of the bar", |app, ctx| {
        app.show_bar(ctx);
    })
    .hint("its files"),
    Command::new(
        Context::Histogram,
        "histogram.switch",
        &[Key::char('b')],
        "Count by size or by rows",
        |app, _| {
            if let Some(Layer::Histogram(layer)) = app.layers.last_mut() {
                layer.switch();
            }
        },
    )
    .hint("rows/size"),
    Command::new(Context::Histogram, "histogram.close", &[ESC], "Close the histogram", close).hint("close"),
    Command::new(Context::PrunePrompt, "prune.ask", &[ENTER], "Show which files it reads", |app, ctx| {
        app.ask_prune(ctx);
    })
    .hint("show"),
    Command::new(Context::PrunePrompt, "prune.leave", &[ESC], "Close", close).hint("close"),
    Command::new(
        Context::Prune,
        "prune.detail",
        &[ENTER, Key::char('i'), Key::char('l'), Key::new(KeyCode::Right)],
        "Show what the condition does to the file, and why",
        |app, _| {
            let detail = match app.layers.last() {
                Some(Layer::Prune(layer)) => layer.detail(),
                _ => None,
            };
            app.layers.extend(detail.map(Layer::Detail));
        },
    )
    .hint("why")
    .when(|app| match app.layers.last() {
        Some(Layer::Prune(layer)) if layer.detail().is_some() => Ok(()),
        _ => Err("no file is selected"),
    }),
    Command::new(
        Context::Prune,
        "prune.edit",
        &[Key::char('/'), Key::char('w')],
        "Change the condition",
        |app, _| {
            if let Some(Layer::Prune(layer)) = app.layers.last_mut() {
                layer.typing = true;
            }
        },
    )
    .hint("edit"),
    Command::new(Context::Prune, "prune.close", &[ESC], "Close", close).hint("close"),
    Command::new(Context::Prune, "prune.copy", &[Key::char('y')], "Copy the condition", |app, ctx| {
        if let Some(Layer::Prune(layer)) = app.layers.last() {
            ctx.copy("condition", layer.input.text().to_owned());
        }
    })
    .hint("copy"),
    Command::new(Context::Runs, "runs.show", &[ENTER], "Show the result of the run", |app, ctx| {
        let Some(number) = selected_run(app) else { return };
        let shown = app.table_mut().is_some_and(|t| {
            let there = t.sql.run.as_ref().is_some_and(|run| run.number == number);
            there || t.sql.show_run(number)
        });
        if shown {
            app.layers.pop();
            if let Some(table) = app.table_mut() {
                table.sql.focus = SqlFocus::Result;
            }
        } else {
            ctx.note(Tone::Warning, "A query runs; its result comes first");
        }
    })
    .hint("result")
    .when(|app| selected_run(app).map(|_| ()).ok_or("it has not come to an end")),
    Command::new(Context::Runs, "runs.mark", &[Key::char(' ')], "Mark the run, or no longer", |app, _| {
        if let (Some(Layer::Runs(layer)), Scene::Table(table)) = (app.layers.last_mut(), &app.scene) {
            layer.mark(&table.sql);
        }
    })
    .hint("mark"),
    Command::new(
        Context::Runs,
        "runs.compare",
        &[Key::char('d')],
        "Compare two runs: those marked, or this one and the one before",
        |app, _| app.layers.extend(compared(app).map(|layer| Layer::Compare(Box::new(layer)))),
    )
    .hint("compare")
    .when(|app| compared(app).map(|_| ()).ok_or("there is only one run")),
    Command::new(Context::Runs, "runs.close", &[ESC], "Close", close).hint("close"),
    Command::new(Context::Compare, "compare.close", &[ESC, ENTER], "Close", close).hint("close"),
    Command::new(Context::Compare, "compare.copy", &[Key::char('y')], "Copy the comparison", |app, ctx| {
        if let Some(Layer::Compare(layer)) = app.layers.last() {
            ctx.copy("the comparison", layer.to_text());
        }
    })
    .hint("copy"),
    Command::new(Context::Export, "export.write", &[ENTER], "Write the rows there", |app, ctx| {
        app.start_export(ctx);
    })
    .hint("write"),
    Command::new(
        Context::Export,
        "export.form",
        &[Key::new(KeyCode::Tab)],
        "Take the next form",
        |app, _| {
            if let Some(Layer::Export(layer)) = app.layers.last_mut() {
                layer.next_form();
            }
        },
    )
    .hint("form"),
    Command::new(Context::Export, "export.close", &[ESC], "Go back", close).hint("go back"),
    Command::new(Context::Confirm, "confirm.yes", &[ENTER], "Do it", |app, ctx| app.confirmed(ctx))
        .hint("do it")
        .when(|app| match app.layers.last() {
            Some(Layer::Confirm(c)) if c.is_ready() => Ok(()),
            _ => Err("type the table's name first"),
        }),
    Command::new(Context::Confirm, "confirm.no", &[ESC], "Go back", close).hint("go back"),
    Command::new(Context::Filter, "filter.keep", &[ENTER], "Keep the filter", close).hint("keep"),
    Command::new(Context::Filter, "filter.revert", &[ESC], "Go back to the filter before", revert)
        .hint("undo"),
];
