//! Text in a given number of terminal columns. Expects text that went through
//! [`super::text::clean`]: a control character has no width here.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text takes on the screen: two for most of the East Asian characters and emoji.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text, its end cut off and marked with `…` if it is wider than `columns`.
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    match columns {
        0 => Cow::Borrowed(""),
        _ => Cow::Owned(format!("{}…", head(text, columns - 1))),
    }
}

/// The text, cut in its middle if it is wider than `columns`, so that both ends stay visible.
pub fn fit_middle(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns < 4 {
        return fit(text, columns);
    }
    let front = (columns - 1) / 2;
    Cow::Owned(format!("{}…{}", head(text, front), tail(text, columns - 1 - front)))
}

/// A path, cut if it is wider than `columns`: first its folders, and when the file's name alone
/// is too wide, the middle of that.
pub fn fit_path(path: &str, columns: usize) -> Cow<'_, str> {
    if width(path) <= columns {
        return Cow::Borrowed(path);
    }
    let Some((folders, name)) = path.rsplit_once('/') else { return fit_middle(path, columns) };
    match columns.checked_sub(width(name) + 2) {
        Some(room) => Cow::Owned(format!("{}…/{name}", head(folders, room))),
        None => fit_middle(name, columns),
    }
}

/// As much of the start as fits.
pub fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

/// As much of the end as fits.
pub fn tail(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &text[at + c.len_utf8()..];
        }
    }
    text
}

/// Breaks a text into lines of at most `columns`, at spaces where there are any; keeps its own
/// line breaks. Never empty: an empty text is one empty line.
pub fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let columns = columns.max(2);
    let mut out = Vec::new();
    for line in text.split('\n') {
        let mut rest = line;
        loop {
            // Never the width of all the rest: a text can have megabytes.
            let fits = head(rest, columns);
            if fits.len() == rest.len() {
                break;
            }
            // A blank just past the edge ends a line that fits exactly.
            let reach = if rest[fits.len()..].starts_with(' ') { fits.len() + 1 } else { fits.len() };
            let cut = rest[..reach].rfind(' ').filter(|at| *at > 0);
            let end = cut.unwrap_or(if fits.is_empty() { rest.len() } else { fits.len() });
            out.push(rest[..end].trim_end());
            rest = if cut.is_some() { rest[end..].trim_start_matches(' ') } else { &rest[end..] };
        }
        out.push(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_keep_to_the_columns() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_middle("part-0001.parquet", 12), "part-…arquet");
        assert_eq!(fit_path("year=2024/part-1.parquet", 20), "year…/part-1.parquet");
        assert_eq!(fit_path("year=2024/part-1.parquet", 11), "part-…rquet");
        assert_eq!(width(&fit_middle("日本語日本語日本語", 9)), 9);
        for columns in 0..30 {
            assert!(width(&fit_middle("a/b/日本語/c-日本語-d", columns)) <= columns);
        }
    }

    #[test]
    fn wraps_at_spaces_where_it_can() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("a\n\nb", 9), ["a", "", "b"]);
        assert_eq!(wrap("", 9), [""]);
        assert_eq!(wrap("日本語", 2), ["日", "本", "語"]);
    }

    #[test]
    fn megabytes_are_wrapped_in_one_go() {
        let text = "word ".repeat(400_000);
        let lines = wrap(&text, 50);
        assert_eq!(lines.len(), 40_000);
        assert!(lines.iter().all(|l| l.len() <= 50));
    }
}
