//! The screen from start to end: takes the terminal, runs the loop, gives the terminal back.

use std::io::{self, IsTerminal};

use futures::stream;

use crate::advice::Thresholds;
use crate::app::zones::Zones;
use crate::app::{App, Startup};
use crate::lake::place::StorageOptions;
use crate::model::calendar::Zone;
use crate::model::{Fault, Outcome};
use crate::ui::Look;

use super::guard::{self, Guard};
use super::jobs::{Jobs, Powers};
use super::settings::Settings;
use super::surface::{Surface, Terminal};
use super::{event_loop, input, logging, notebook, signals};

/// Runs the screen; gives the exit status. `startup`'s size, mouse and row limit are filled in
/// here, from the terminal and the settings. `limits`: what findings go by.
///
/// # Errors
/// `no-terminal` if standard input or output is not a terminal; `terminal` if it cannot be taken.
pub fn run(
    startup: Startup,
    options: StorageOptions,
    settings: Settings,
    limits: Thresholds,
    look: Look,
) -> Outcome<u8> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Fault::usage("no-terminal", "The screen needs a terminal")
            .because("standard input or output is not one")
            .hint("Headless commands work everywhere, such as: deltop detail LOCATION --json"));
    }
    let no_terminal = |e: io::Error| Fault::read("terminal", "Cannot use the terminal").because(e);
    let (width, height) = Terminal::size();
    let startup =
        Startup { width, height, mouse: settings.mouse, max_rows: settings.sql_max_rows, ..startup };

    guard::install_panic_hook(logging::file());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(no_terminal)?;
    runtime.block_on(async {
        // Signals first: from here on none of them leaves the terminal taken.
        let signals = signals::signals().map_err(no_terminal)?;
        let _guard = Guard::take().map_err(no_terminal)?;
        let keyboard = input::Keyboard::default();
        let mut surface = Terminal::new((width, height), look, keyboard.clone());
        if settings.mouse {
            surface.mouse(true).map_err(no_terminal)?;
        }
        let inputs =
            stream::select(input::terminal_events(keyboard), stream::select(signals, input::hang_up()));
        let powers = Powers {
            allow_writes: startup.allow_writes,
            limits,
            memory: settings.tune_memory,
            sql: settings.sql_limits,
            data_folder: logging::folders().map(|folders| folders.data_dir().to_owned()),
        };
        let (mut app, effects) = App::new(startup);
        app.remember(notebook::folder().map(|folder| notebook::read(&folder)).unwrap_or_default());
        app.zones = Zones::new(local_zone());
        Ok(event_loop::run(app, effects, surface, inputs, Jobs::new(options, powers)?).await)
    })
}

/// The machine's time zone, as far from UTC as it is now.
fn local_zone() -> Zone {
    let seconds = chrono::Local::now().offset().local_minus_utc();
    Zone::minutes_east(seconds / 60).unwrap_or_default()
}
