//! What can be done everywhere.

use super::{Command, Context};
use crate::app::App;
use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::layer::Layer;
use crate::app::layer::help::HelpLayer;
use crate::app::layer::palette::PaletteLayer;
use crate::app::msg::Effect;
use crate::app::scroll::Motion;

const fn motion(
    id: &'static str,
    keys: &'static [Key],
    doc: &'static str,
    run: fn(&mut App, &mut Ctx),
) -> Command {
    Command::new(Context::List, id, keys, doc, run).motion()
}

pub(super) static COMMANDS: &[Command] = &[
    Command::new(Context::Global, "app.palette", &[Key::char(':')], "Find a command", |app, _| {
        let contexts = app.contexts();
        app.layers.push(Layer::Palette(PaletteLayer::new(&contexts)));
    }),
    Command::new(
        Context::Global,
        "app.help",
        &[Key::char('?'), Key::new(KeyCode::F(1))],
        "Show the keys of this place",
        |app, _| {
            let contexts = app.contexts();
            app.layers.push(Layer::Help(HelpLayer::new(contexts)));
        },
    ),
    Command::new(
        Context::Global,
        "app.zoom",
        &[Key::char('+')],
        "Give the pane the whole screen, or back",
        |app, _| {
            app.zoom = !app.zoom;
        },
    ),
    Command::new(Context::Global, "app.mouse", &[Key::char('m')], "Turn the mouse on or off", |app, ctx| {
        app.mouse = !app.mouse;
        ctx.effects.push(Effect::Mouse { capture: app.mouse });
        let text = if app.mouse {
            "Mouse on: click, double-click, wheel"
        } else {
            "Mouse off: the terminal selects text again"
        };
        ctx.note(Tone::Plain, text);
    }),
    Command::new(Context::Global, "app.error", &[Key::char('e')], "Show all of the error", |app, _| {
        app.open_fault();
    })
    .hint("error")
    .when(|app| app.fault_in_front().map(|_| ()).ok_or("nothing failed here")),
    Command::new(Context::Global, "app.quit", &[Key::char('q')], "Quit", |app, ctx| app.quit(ctx)),
    Command::new(
        Context::Always,
        "app.cancel",
        &[Key::ctrl('c')],
        "Cancel what is running here",
        |app, ctx| {
            app.cancel_running(ctx);
        },
    )
    .hint("cancel")
    .when(|app| app.something_runs().then_some(()).ok_or("nothing is running; q quits")),
    Command::new(Context::Always, "app.suspend", &[Key::ctrl('z')], "Suspend to the shell", |_, ctx| {
        ctx.effects.push(Effect::Suspend);
    }),
    Command::new(
        Context::Always,
        "app.quit-anywhere",
        &[Key::ctrl('q')],
        "Quit, also while typing",
        |app, ctx| app.quit(ctx),
    ),
    motion("list.down", &[Key::char('j'), Key::new(KeyCode::Down)], "Go down", |app, ctx| {
        app.go(Motion::By(1), ctx)
    }),
    motion("list.up", &[Key::char('k'), Key::new(KeyCode::Up)], "Go up", |app, ctx| {
        app.go(Motion::By(-1), ctx)
    }),
    motion("list.half-down", &[Key::ctrl('d')], "Go down half a page", |app, ctx| {
        app.go(Motion::HalfPages(1), ctx)
    }),
    motion("list.half-up", &[Key::ctrl('u')], "Go up half a page", |app, ctx| {
        app.go(Motion::HalfPages(-1), ctx)
    }),
    motion("list.page-down", &[Key::new(KeyCode::PageDown), Key::ctrl('f')], "Go down a page", |app, ctx| {
        app.go(Motion::Pages(1), ctx)
    }),
    motion("list.page-up", &[Key::new(KeyCode::PageUp), Key::ctrl('b')], "Go up a page", |app, ctx| {
        app.go(Motion::Pages(-1), ctx)
    }),
    motion("list.first", &[Key::char('g'), Key::new(KeyCode::Home)], "Go to the start", |app, ctx| {
        app.go(Motion::First, ctx)
    }),
    motion("list.last", &[Key::char('G'), Key::new(KeyCode::End)], "Go to the end", |app, ctx| {
        app.go(Motion::Last, ctx)
    }),
];
