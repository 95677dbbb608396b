//! Counts in words, and texts broken into lines so that a figure and its unit stay together.

use crate::model::{fit, units};

/// `1 file`, `1,200 files`.
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", units::count(n), if n == 1 { "" } else { "s" })
}

/// Every digit up to seven of them, else shortened.
pub fn figure(n: u64) -> String {
    if n < 10_000_000 { units::count(n) } else { units::short_count(n) }
}

/// As [`fit::wrap`], but never between a figure and its unit.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let glued = glue(text);
    fit::wrap(&glued, columns).into_iter().map(|line| line.replace(GLUE, " ")).collect()
}

/// As [`wrap`], in at most so many lines; the last one ends in `…` if there is more.
pub fn wrap_within(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = wrap(text, columns);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = format!("{} …", fit::head(last, columns.saturating_sub(2)).trim_end());
        }
    }
    lines
}

const GLUE: char = '\u{a0}';

const UNITS: [&str; 17] =
    ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "k", "M", "G", "T", "P", "E", "%", "ms", "s", "min"];

/// The blank between a figure and a unit becomes one that does not break.
fn glue(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // A mark stays with what it marks, however long that is.
    let mut rest = match text.strip_prefix("▲ ") {
        Some(marked) => {
            out.push('▲');
            out.push(GLUE);
            marked
        }
        None => text,
    };
    while let Some((before, after)) = rest.split_once(' ') {
        out.push_str(before);
        let word = after.split(|c: char| !c.is_alphabetic() && c != '%').next().unwrap_or("");
        let joins = before.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&word);
        out.push(if joins { GLUE } else { ' ' });
        rest = after;
    }
    out + rest
}

/// Partition values for a place of `columns`: the names are shortened first, then left out; the
/// values only where they have no room even so.
pub fn partition(names: &[&str], values: &[&str], columns: usize) -> String {
    let label = |length: usize| {
        let part = |(name, value): (&&str, &&str)| match length {
            0 => (*value).to_owned(),
            _ => format!("{}={value}", fit::fit(name, length)),
        };
        names.iter().zip(values).map(part).collect::<Vec<_>>().join("/")
    };
    let longest = names.iter().map(|n| fit::width(n)).max().unwrap_or(0);
    // A name of one character says no more than none.
    let lengths = (3..=longest.clamp(3, 40)).rev().chain([0]);
    let fitting = lengths.map(label).find(|l| fit::width(l) <= columns);
    fitting.unwrap_or_else(|| fit::fit_middle(&label(0), columns).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_keeps_its_unit() {
        assert_eq!(wrap("in all 503 KiB of 3 files", 10), ["in all", "503 KiB of", "3 files"]);
        assert_eq!(wrap("share 0.7 %, all", 9), ["share", "0.7 %,", "all"]);
        assert_eq!(wrap("▲ longer-than-that", 9), ["▲ longer-", "than-that"]);
    }

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(wrap_within("one two three four", 9, 2), ["one two", "three …"]);
        assert_eq!(wrap_within("one two three", 9, 2), ["one two", "three"]);
        assert_eq!(wrap_within("abcdefghijklmno", 5, 2), ["abcde", "fgh …"]);
    }

    #[test]
    fn counts_in_words() {
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(1200, "file"), "1,200 files");
        assert_eq!(figure(9_999_999), "9,999,999");
        assert_eq!(figure(10_000_000), "10.0 M");
    }

    #[test]
    fn names_give_way_to_values() {
        let label = |columns| partition(&["date", "country"], &["2024-01-31", "CA"], columns);
        assert_eq!(label(40), "date=2024-01-31/country=CA");
        assert_eq!(label(23), "date=2024-01-31/cou…=CA");
        assert_eq!(label(15), "2024-01-31/CA");
        assert_eq!(label(9), "2024…1/CA");
    }
}
