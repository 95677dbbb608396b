//! The list of tables in a folder.

use super::scroll::Scroll;
use crate::model::lakehouse::{Entry, EntryKind};

/// The list's state.
#[derive(Debug, Default)]
pub struct Home {
    pub location: String,
    pub entries: Vec<Entry>,
    pub scroll: Scroll,
}

impl Home {
    /// Tables first, then the rest, each by name.
    pub fn new(location: &str, mut entries: Vec<Entry>) -> Self {
        let is_table = |e: &Entry| matches!(e.kind, EntryKind::Table { .. });
        entries.sort_by(|a, b| (!is_table(a), &a.name).cmp(&(!is_table(b), &b.name)));
        Home { location: location.to_owned(), entries, scroll: Scroll::default() }
    }

    pub fn selected(&self) -> Option<&Entry> {
        self.entries.get(self.scroll.selected)
    }

    /// The same list, read again: the selection stays on its entry.
    pub fn replace(&mut self, entries: Vec<Entry>) {
        let name = self.selected().map(|e| e.name.clone());
        let scroll = self.scroll;
        *self = Home::new(&self.location, entries);
        self.scroll = scroll;
        if let Some(at) = self.entries.iter().position(|e| Some(&e.name) == name.as_ref()) {
            self.scroll.selected = at;
        }
        self.scroll.clamp(self.entries.len());
    }

    pub fn tables(&self) -> usize {
        self.entries.iter().filter(|e| matches!(e.kind, EntryKind::Table { .. })).count()
    }
}
