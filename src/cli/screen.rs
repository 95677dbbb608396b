//! Opens the screen.

use std::io::{self, IsTerminal};

use super::args::Common;
use super::call::storage_options;
use crate::app::Startup;
use crate::model::Outcome;
use crate::runtime::settings::Settings;
use crate::runtime::{logging, screen, terminal};

/// Whether there is a terminal on both sides.
pub fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs the screen on a location or configured name; gives the exit status.
pub fn open(location: &str, common: &Common, settings: Settings) -> Outcome<u8> {
    let (location, options) = settings.resolve(location, &storage_options(common)?);
    logging::redact(&options);
    let look = terminal::look(common.no_color, common.ascii, &settings);
    let startup = Startup {
        location,
        as_of: common.as_of.unwrap_or_default(),
        allow_writes: common.allow_writes,
        // The screen fills these in, from the terminal and the settings.
        width: 0,
        height: 0,
        mouse: false,
        max_rows: 0,
        interval: common.interval.unwrap_or(settings.interval),
    };
    let limits = settings.thresholds(common.profile)?;
    screen::run(startup, options, settings, limits, look)
}
