//! All commands of where one is, found by a few letters.

use crate::app::command::{Command, Context};
use crate::app::fuzzy;
use crate::app::input::Input;
use crate::app::key::Key;
use crate::app::scroll::{Motion, Scroll};

/// The commands on offer, those that match the letters, the best first.
#[derive(Debug)]
pub struct PaletteLayer {
    pub input: Input,
    pub scroll: Scroll,
    pub matches: Vec<&'static Command>,
    all: Vec<&'static Command>,
}

impl PaletteLayer {
    /// `contexts`: innermost first; so are the commands while nothing is typed.
    pub fn new(contexts: &[Context]) -> Self {
        let all: Vec<_> = contexts.iter().flat_map(|c| Command::of(*c)).filter(|c| !c.is_motion).collect();
        PaletteLayer { input: Input::default(), scroll: Scroll::default(), matches: all.clone(), all }
    }

    pub fn key(&mut self, key: Key) {
        if self.input.key(key) {
            self.rank();
        }
    }

    pub fn paste(&mut self, text: &str) {
        self.input.paste(text);
        self.rank();
    }

    /// Ranks the commands anew after the letters have changed.
    fn rank(&mut self) {
        let docs = self.all.iter().map(|command| (*command, command.doc));
        self.matches = fuzzy::ranked(self.input.text(), docs);
        self.scroll.selected = 0;
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.matches.len());
    }

    pub fn selected(&self) -> Option<&'static Command> {
        self.matches.get(self.scroll.selected).copied()
    }
}
