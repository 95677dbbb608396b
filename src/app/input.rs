//! A line of text that is being typed.

use super::key::{Key, KeyCode};

/// The text and the cursor's place in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    text: String,
    /// A byte offset at a character's boundary.
    cursor: usize,
}

impl Input {
    pub fn new(text: &str) -> Self {
        Input { text: text.to_owned(), cursor: text.len() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text up to the cursor.
    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Takes a key; says whether the text changed.
    pub fn key(&mut self, key: Key) -> bool {
        let len = self.text.len();
        match key {
            Key { code: KeyCode::Char(c), ctrl: false, alt: false, .. } => self.insert(c),
            Key { code: KeyCode::Backspace, alt: false, ctrl: false, .. } => self.erase(self.previous()),
            Key { code: KeyCode::Char('w'), ctrl: true, .. } | Key { code: KeyCode::Backspace, .. } => {
                self.erase(self.word_start());
            }
            Key { code: KeyCode::Char('u'), ctrl: true, .. } => self.erase(0),
            Key { code: KeyCode::Delete, .. } if self.cursor < len => {
                let end = self.next();
                self.text.drain(self.cursor..end);
            }
            Key { code: KeyCode::Left, .. } => self.cursor = self.previous(),
            Key { code: KeyCode::Right, .. } => self.cursor = self.next(),
            Key { code: KeyCode::Home, .. } | Key { code: KeyCode::Char('a'), ctrl: true, .. } => {
                self.cursor = 0;
            }
            Key { code: KeyCode::End, .. } | Key { code: KeyCode::Char('e'), ctrl: true, .. } => {
                self.cursor = len;
            }
            _ => {}
        }
        self.text.len() != len
    }

    /// Line breaks and control characters of a pasted text are left out.
    pub fn paste(&mut self, text: &str) {
        text.chars().filter(|c| !c.is_control()).for_each(|c| self.insert(c));
    }

    fn insert(&mut self, c: char) {
        self.text.insert(self.cursor, c);
        self.cursor += c.len_utf8();
    }

    fn erase(&mut self, from: usize) {
        self.text.drain(from..self.cursor);
        self.cursor = from;
    }

    fn previous(&self) -> usize {
        self.before_cursor().char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn next(&self) -> usize {
        self.cursor + self.text[self.cursor..].chars().next().map_or(0, char::len_utf8)
    }

    fn word_start(&self) -> usize {
        let trimmed = self.before_cursor().trim_end();
        trimmed
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + trimmed[at..].chars().next().map_or(0, char::len_utf8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_at_the_cursor() {
        let mut i = Input::new("日本 parquet");
        assert!(i.key(Key::ctrl('w')));
        assert_eq!(i.text(), "日本 ");
        i.key(Key::new(KeyCode::Backspace));
        i.key(Key::new(KeyCode::Left));
        i.paste("a\n\x1bb");
        assert_eq!((i.text(), i.before_cursor()), ("日ab本", "日ab"));
        i.key(Key::new(KeyCode::Delete));
        assert!(!i.key(Key::new(KeyCode::Delete)));
        assert!(i.key(Key::ctrl('u')));
        assert_eq!(i.text(), "");
    }
}
