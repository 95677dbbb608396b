//! Newline-delimited JSON, leniently: also blank lines, `\r\n`, a byte-order mark, and values that
//! span lines.

use memchr::{memchr, memchr_iter, memmem};
use serde::Deserialize;

/// Where a file stops being JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Counted from 1.
    pub line: usize,
    pub why: String,
}

/// All values of a file that may matter, in its order, and where it broke off, if it did.
///
/// A line that starts with one of `skip` (such as `{"add"`) and is one whole value as far as a
/// quick look tells is not parsed.
pub fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8], skip: &[&str]) -> (Vec<T>, Option<BadLine>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut values = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |i| start + i);
        let line = bytes[start..end].trim_ascii();
        if !line.is_empty() && !skipped(line, skip) {
            match serde_json::from_slice(line) {
                Ok(value) => values.push(value),
                Err(error) => {
                    let bad = stream(bytes, start, &error, &mut values);
                    return (values, bad);
                }
            }
        }
        start = end + 1;
    }
    (values, None)
}

fn skipped(line: &[u8], skip: &[&str]) -> bool {
    skip.iter().any(|s| line.starts_with(s.as_bytes()))
        && line.ends_with(b"}}")
        && memmem::find(line, b"}{").is_none()
}

/// From the line that is no value by itself on, values may span lines.
fn stream<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    start: usize,
    first: &serde_json::Error,
    values: &mut Vec<T>,
) -> Option<BadLine> {
    let mut rest = serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<T>();
    let before = values.len();
    for value in &mut rest {
        match value {
            Ok(value) => values.push(value),
            Err(error) => {
                let at = if values.len() == before { start } else { start + rest.byte_offset() };
                let at = at + bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                let line = 1 + memchr_iter(b'\n', &bytes[..at]).count();
                let why = if values.len() == before { first } else { &error };
                return Some(BadLine { line, why: without_position(why) });
            }
        }
    }
    None
}

/// serde_json counts lines and columns within what it was given, not within the file.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().map_or_else(String::new, str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(text: &str, skip: &[&str]) -> (usize, Option<usize>) {
        let (values, bad) = parse::<Value>(text.as_bytes(), skip);
        (values.len(), bad.map(|b| b.line))
    }

    #[test]
    fn lenient() {
        assert_eq!(read("", &[]), (0, None));
        assert_eq!(read("{}\n{}", &[]), (2, None));
        assert_eq!(read("\u{feff}{}\r\n\r\n  {}\r\n\n", &[]), (2, None));
        assert_eq!(read("{}\n{\n \"a\":\n1}\n{}{}\n", &[]), (4, None));
        assert_eq!(read("{\"add\":{}}\n{\"b\":1}", &["{\"add\""]), (1, None));
        assert_eq!(read("{\"add\":{}}{\"b\":1}", &["{\"add\""]), (2, None));
    }

    #[test]
    fn the_bad_line_is_named() {
        assert_eq!(read("{}\n{}\nnonsense\n{}", &[]), (2, Some(3)));
        assert_eq!(read("{}\n\n{\"add\":{\"p", &["{\"add\""]), (1, Some(3)));
        assert_eq!(read("{}\n{\"add\":{\"p\":{}", &["{\"add\""]), (1, Some(2)));
        assert_eq!(read("{\n}\n{}\n{\"a\"", &[]), (2, Some(4)));
        let (_, bad) = parse::<Value>(b"{\"a\":tru", &[]);
        assert_eq!(bad.map(|b| b.why), Some("EOF while parsing a value".into()));
    }
}
