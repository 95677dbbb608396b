//! The queries that were run, here and in earlier sessions, and those that were saved.

use crate::app::fuzzy;
use crate::app::input::Input;
use crate::app::key::Key;
use crate::app::scroll::{Motion, Scroll};

/// Queries that are kept.
pub const KEPT: usize = 1000;

/// What is kept between sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notebook {
    /// Texts that were run, the newest last, none twice.
    pub history: Vec<String>,
    /// Texts that were saved, the newest last.
    pub saved: Vec<String>,
    /// Texts of editors that were not emptied, by location.
    pub drafts: std::collections::BTreeMap<String, String>,
}

impl Notebook {
    /// Takes a text as the newest of the history.
    pub fn ran(&mut self, text: &str) {
        self.history.retain(|known| known != text);
        self.history.push(text.to_owned());
        let surplus = self.history.len().saturating_sub(KEPT);
        self.history.drain(..surplus);
    }

    /// Saves a text, or no longer; says whether it is saved now.
    pub fn toggle(&mut self, text: &str) -> bool {
        let before = self.saved.len();
        self.saved.retain(|known| known != text);
        let saved = self.saved.len() == before;
        if saved {
            self.saved.push(text.to_owned());
        }
        saved
    }
}

/// A list of queries that is searched.
#[derive(Debug)]
pub struct Queries {
    pub input: Input,
    pub scroll: Scroll,
    /// Texts and whether they are saved: saved ones first, then the newest first.
    all: Vec<(String, bool)>,
    /// Those that match, as indexes.
    pub shown: Vec<usize>,
}

impl Queries {
    pub fn new(notebook: &Notebook) -> Self {
        let saved = notebook.saved.iter().rev().map(|t| (t.clone(), true));
        let others =
            notebook.history.iter().rev().filter(|t| !notebook.saved.contains(t)).map(|t| (t.clone(), false));
        let all: Vec<_> = saved.chain(others).collect();
        let shown = (0..all.len()).collect();
        Queries { input: Input::default(), scroll: Scroll::default(), all, shown }
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

    fn rank(&mut self) {
        let texts = self.all.iter().enumerate().map(|(at, (text, _))| (at, text.as_str()));
        self.shown = fuzzy::ranked(self.input.text(), texts);
        self.scroll.selected = 0;
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.shown.len());
    }

    /// The text in a place of the list, and whether it is saved.
    pub fn get(&self, place: usize) -> Option<(&str, bool)> {
        self.shown.get(place).and_then(|at| self.all.get(*at)).map(|(text, saved)| (text.as_str(), *saved))
    }

    pub fn selected(&self) -> Option<&str> {
        self.get(self.scroll.selected).map(|(text, _)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_comes_first_and_none_twice() {
        let mut book = Notebook::default();
        ["a", "b", "a", "select c"].iter().for_each(|t| book.ran(t));
        assert_eq!(book.history, ["b", "a", "select c"]);
        assert!(book.toggle("b"));
        let mut list = Queries::new(&book);
        assert_eq!(list.get(0), Some(("b", true)));
        assert_eq!(list.get(1), Some(("select c", false)));
        list.paste("slc");
        assert_eq!(list.selected(), Some("select c"));
        assert!(!book.toggle("b"));
    }
}
