//! What the parts of a text are, for colours, completion and formatting. Every text has parts, also
//! one that is no SQL: an open quote or comment goes on to the end.

use std::ops::Range;

use super::vocabulary::{is_function, is_keyword};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Keyword,
    Function,
    Name,
    /// In `"` or `` ` ``.
    QuotedName,
    Text,
    Number,
    Comment,
    Sign,
    Blank,
}

/// The parts of a text by their bytes, without gaps.
pub fn parts(text: &str) -> Vec<(Range<usize>, Part)> {
    let mut out: Vec<(Range<usize>, Part)> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        let (len, part) = next(rest);
        let len = len.clamp(1, rest.len());
        out.push((at..at + len, part));
        at += len;
    }
    // A word before a bracket is called.
    for n in 0..out.len() {
        let word = text.get(out[n].0.clone()).unwrap_or("");
        let follows = out.get(n + 1).is_some_and(|(range, _)| text.get(range.clone()) == Some("("));
        if follows && (out[n].1 == Part::Name || is_function(word)) && out[n].1 != Part::Text {
            out[n].1 = if is_function(word) { Part::Function } else { out[n].1 };
        }
    }
    out
}

fn next(rest: &str) -> (usize, Part) {
    let first = rest.chars().next().unwrap_or(' ');
    let until = |end: &str, from: usize| {
        rest.get(from..).and_then(|r| r.find(end)).map_or(rest.len(), |n| from + n + end.len())
    };
    let while_ = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    match first {
        '\'' => (until("'", 1), Part::Text),
        '"' => (until("\"", 1), Part::QuotedName),
        '`' => (until("`", 1), Part::QuotedName),
        '-' if rest.starts_with("--") => (rest.find('\n').unwrap_or(rest.len()), Part::Comment),
        '/' if rest.starts_with("/*") => (until("*/", 2), Part::Comment),
        c if c.is_whitespace() => (while_(char::is_whitespace), Part::Blank),
        c if c.is_ascii_digit() => {
            (while_(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_'), Part::Number)
        }
        c if in_word(c) => {
            let len = while_(in_word);
            let part = if is_keyword(rest.get(..len).unwrap_or("")) { Part::Keyword } else { Part::Name };
            (len, part)
        }
        c => (c.len_utf8(), Part::Sign),
    }
}

/// Whether a bare name can hold it.
pub fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(&str, Part)> {
        parts(text).into_iter().map(|(r, p)| (&text[r], p)).filter(|(_, p)| *p != Part::Blank).collect()
    }

    #[test]
    fn every_part_has_its_kind() {
        use Part::*;
        assert_eq!(
            told("SELECT count(x), `a b` -- c;\nFROM t@v3 WHERE y = 'it''s' AND z<1.5e3"),
            [
                ("SELECT", Keyword),
                ("count", Function),
                ("(", Sign),
                ("x", Name),
                (")", Sign),
                (",", Sign),
                ("`a b`", QuotedName),
                ("-- c;", Comment),
                ("FROM", Keyword),
                ("t@v3", Name),
                ("WHERE", Keyword),
                ("y", Name),
                ("=", Sign),
                ("'it'", Text),
                ("'s'", Text),
                ("AND", Keyword),
                ("z", Name),
                ("<", Sign),
                ("1.5e3", Number),
            ]
        );
        assert_eq!(told("/* open"), [("/* open", Comment)]);
        assert_eq!(told("'ação 日"), [("'ação 日", Text)]);
    }

    #[test]
    fn parts_leave_no_gap() {
        for text in ["", "é", "a'b\"c`d--\n/*", "日本;;\t\n  x"] {
            let mut at = 0;
            for (range, _) in parts(text) {
                assert_eq!(range.start, at);
                at = range.end;
            }
            assert_eq!(at, text.len());
        }
    }
}
