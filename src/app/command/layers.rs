//! What can be done in what lies over a pane.

use super::{Command, Context};
use crate::app::App;
use crate::app::ctx::Ctx;
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::scroll::Motion;

const ESC: Key = Key::new(KeyCode::Esc);
const ENTER: Key = Key::new(KeyCode::Enter);

fn close(app: &mut App, _: &mut Ctx) {
    app.layers.pop();
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
    Command::new(Context::Filter, "filter.keep", &[ENTER], "Keep the filter", close).hint("keep"),
    Command::new(Context::Filter, "filter.revert", &[ESC], "Go back to the filter before", revert)
        .hint("undo"),
];
