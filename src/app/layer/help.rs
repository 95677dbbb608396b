//! The keys of where one is, from the command table.

use crate::app::command::{Command, Context};
use crate::app::scroll::Scroll;

/// What it explains was in focus when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpLayer {
    pub contexts: Vec<Context>,
    pub scroll: Scroll,
}

impl HelpLayer {
    /// `contexts`: innermost first.
    pub fn new(contexts: Vec<Context>) -> Self {
        HelpLayer { contexts, scroll: Scroll::default() }
    }

    /// Each context with its commands.
    pub fn sections(&self) -> impl Iterator<Item = (Context, Vec<&'static Command>)> {
        self.contexts.iter().map(|c| (*c, Command::of(*c).collect()))
    }
}
