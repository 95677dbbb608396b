//! The state machine of the screen: messages in, state and effects out. Pure: no I/O, no clock.

pub mod key;
pub mod msg;

use crate::model::table::AsOf;
pub use msg::{Effect, Job, JobEvent, JobId, Msg};

/// What the terminal can show, and what the user asked for at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Startup {
    pub location: String,
    pub as_of: AsOf,
    pub allow_writes: bool,
    pub width: u16,
    pub height: u16,
    /// Whether the terminal reports the mouse from the start.
    pub mouse: bool,
    /// Rows of a query's result that are fetched at most.
    pub max_rows: usize,
}

/// All that the screen shows.
#[derive(Debug)]
pub struct App;

impl App {
    /// The first state, and the effects that load what it shows.
    pub fn new(_startup: Startup) -> (App, Vec<Effect>) {
        todo!()
    }

    /// Whether something on the screen changes with time alone.
    pub fn wants_clock(&self) -> bool {
        todo!()
    }
}

/// Takes one event; says what to do. Never panics, whatever the event.
pub fn update(_app: &mut App, _msg: Msg) -> Vec<Effect> {
    todo!()
}
