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

/// A path, cut if it is wider than `columns`, so that what tells it from others stays: first its
/// folders are cut, then the end of the file's name that all files of a writer share, then the
/// folders are left out.
pub fn fit_path(path: &str, columns: usize) -> Cow<'_, str> {
    if width(path) <= columns {
        return Cow::Borrowed(path);
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let with_folders = |name: &str, least: usize| {
        let room = columns.checked_sub(width(name) + 2).filter(|room| *room >= least)?;
        let room = if room < 4 { 0 } else { room };
        Some(Cow::Owned(format!("{}…/{name}", head(folders, room))))
    };
    let whole = if folders.is_empty() { None } else { with_folders(name, 0) };
    // A few characters of a folder say nothing; those of the name say more.
    let short = || with_folders(&short_name(name)?, 6).filter(|_| !folders.is_empty());
    whole.or_else(short).unwrap_or_else(|| fit_name(name, columns))
}

/// A file's name, cut so that what tells it from others stays.
fn fit_name(name: &str, columns: usize) -> Cow<'_, str> {
    if width(name) <= columns {
        return Cow::Borrowed(name);
    }
    if let Some(at) = uuid(name) {
        // Spark and delta-rs: `part-00000-<uuid>-c000.snappy.parquet`.
        let told = &name[..at + UUID_HEAD];
        return match columns.checked_sub(2) {
            _ if width(told) < columns => Cow::Owned(format!("{}…", head(name, columns - 1))),
            Some(room) if room >= UUID_HEAD => Cow::Owned(format!("…{}…", tail(told, room))),
            _ => fit(&name[at..], columns),
        };
    }
    let stem = stem(name);
    if stem.len() < name.len() && width(stem) < columns {
        return Cow::Owned(format!("{stem}…"));
    }
    fit_middle(stem, columns)
}

/// The name up to where it no longer tells files apart; none if that is nearly all of it.
fn short_name(name: &str) -> Option<String> {
    let told = match uuid(name) {
        Some(at) => &name[..at + UUID_HEAD],
        None => stem(name),
    };
    (told.len() < name.len()).then(|| format!("{told}…"))
}

/// Characters of a UUID that tell files apart well enough.
const UUID_HEAD: usize = 8;

/// Where a UUID starts in a name, if it has one.
fn uuid(name: &str) -> Option<usize> {
    let is_uuid = |w: &[u8]| {
        w.iter().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
    };
    name.as_bytes().windows(36).position(is_uuid)
}

/// Without its endings, such as `.snappy.parquet`.
fn stem(name: &str) -> &str {
    let mut stem = name;
    for _ in 0..2 {
        match stem.rsplit_once('.') {
            Some((rest, end)) if !rest.is_empty() && (1..=8).contains(&end.len()) => stem = rest,
            _ => break,
        }
    }
    stem
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
        assert_eq!(fit_path("year=2024/part-1.parquet", 11), "part-1…");
        assert_eq!(fit_path("year=2024/part-1.parquet", 5), "pa…-1");
        assert_eq!(width(&fit_middle("日本語日本語日本語", 9)), 9);
        for columns in 0..30 {
            assert!(width(&fit_middle("a/b/日本語/c-日本語-d", columns)) <= columns);
        }
    }

    #[test]
    fn paths_keep_what_tells_them_apart() {
        let path = "year=2024/month=1/part-00003-0982c563-f24c-4d91-a0c8-2785ae0f1b2a-c000.snappy.parquet";
        for (columns, cut) in [
            (80, "year=2024/m…/part-00003-0982c563-f24c-4d91-a0c8-2785ae0f1b2a-c000.snappy.parquet"),
            (40, "year=2024/month=1…/part-00003-0982c563…"),
            (30, "year=202…/part-00003-0982c563…"),
            (27, "part-00003-0982c563-f24c-4…"),
            (20, "part-00003-0982c563…"),
            (18, "…t-00003-0982c563…"),
            (10, "…0982c563…"),
            (6, "0982c…"),
        ] {
            assert_eq!(fit_path(path, columns), cut, "{columns}");
        }
        for columns in 0..90 {
            assert!(width(&fit_path(path, columns)) <= columns, "{columns}");
            assert!(width(&fit_path("日本/語語語語語語語.snappy.parquet", columns)) <= columns, "{columns}");
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
