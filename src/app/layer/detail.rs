//! All that is known of one thing: labels and values in a window.

use crate::app::scroll::Scroll;

/// A line of the window; texts as they are in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DetailRow {
    Heading(String),
    /// A label and its value; none is null.
    Value(String, Option<String>),
    /// A value that needs attention.
    Warning(String, String),
}

/// The window's content and scroll position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DetailLayer {
    pub title: String,
    pub rows: Vec<DetailRow>,
    pub scroll: Scroll,
}

impl DetailLayer {
    pub fn new(title: &str) -> Self {
        DetailLayer { title: title.to_owned(), ..DetailLayer::default() }
    }

    pub fn row(&mut self, label: &str, value: impl Into<String>) {
        self.rows.push(DetailRow::Value(label.to_owned(), Some(value.into())));
    }

    /// A value that can be null.
    pub fn value(&mut self, label: &str, value: Option<&str>) {
        self.rows.push(DetailRow::Value(label.to_owned(), value.map(str::to_owned)));
    }

    pub fn warn(&mut self, label: &str, value: impl Into<String>) {
        self.rows.push(DetailRow::Warning(label.to_owned(), value.into()));
    }

    pub fn heading(&mut self, text: &str) {
        self.rows.push(DetailRow::Heading(text.to_owned()));
    }

    /// As text for the clipboard.
    pub fn to_text(&self) -> String {
        let line = |row: &DetailRow| match row {
            DetailRow::Heading(text) => format!("\n{text}\n"),
            DetailRow::Value(label, value) => format!("{label}: {}\n", value.as_deref().unwrap_or("NULL")),
            DetailRow::Warning(label, value) => format!("{label}: {value}\n"),
        };
        self.rows.iter().map(line).collect()
    }
}
