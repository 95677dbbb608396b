//! The list of tables in a folder.

use super::scroll::Scroll;
use crate::model::lakehouse::{Entry, EntryKind};

/// The list's state.
#[derive(Debug, Default)]
pub struct Home {
    pub location: String,
    pub entries: Vec<Entry>,
    /// Only entries whose name has this in it are shown, whatever its case.
    pub filter: String,
    /// Indexes of the entries that are shown.
    pub shown: Vec<usize>,
    pub scroll: Scroll,
}

impl Home {
    /// Tables first, then the rest, each by name.
    pub fn new(location: &str, entries: Vec<Entry>) -> Self {
        let mut home = Home { location: location.to_owned(), ..Home::default() };
        home.replace(entries);
        home
    }

    pub fn selected(&self) -> Option<&Entry> {
        self.entries.get(*self.shown.get(self.scroll.selected)?)
    }

    /// The same list, read again: the selection stays on its entry.
    pub fn replace(&mut self, mut entries: Vec<Entry>) {
        let name = self.selected().map(|e| e.name.clone());
        entries.sort_by(|a, b| (!is_table(a), &a.name).cmp(&(!is_table(b), &b.name)));
        self.entries = entries;
        self.narrow(name.as_deref());
    }

    pub fn set_filter(&mut self, filter: &str) {
        if self.filter != filter {
            self.filter = filter.to_owned();
            self.narrow(None);
        }
    }

    pub fn tables(&self) -> usize {
        self.entries.iter().filter(|e| is_table(e)).count()
    }

    /// Lists what passes the filter; the selection goes to the entry of that name.
    fn narrow(&mut self, name: Option<&str>) {
        let word = self.filter.trim().to_lowercase();
        let passes = |at: &usize| self.entries[*at].name.to_lowercase().contains(&word);
        self.shown = (0..self.entries.len()).filter(passes).collect();
        let at = self.shown.iter().position(|at| Some(self.entries[*at].name.as_str()) == name);
        self.scroll.selected = at.unwrap_or(0);
    }
}

fn is_table(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Table { .. })
}
