//! A file's statistics: their text, and `numRecords` out of it, without parsing the rest where that
//! can be avoided.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::loose::Text;

/// From the statistics' JSON text.
pub fn num_records(json: &str) -> Option<u64> {
    match json.strip_prefix("{\"numRecords\":").and_then(leading_number) {
        Some((n, b',' | b'}')) => known(n),
        _ => slow(json),
    }
}

/// From the statistics as a commit holds them: a JSON text in a JSON string, with its escapes.
pub fn num_records_escaped(raw: &str) -> Option<u64> {
    match raw.strip_prefix("\"{\\\"numRecords\\\":").and_then(leading_number) {
        Some((n, b',' | b'}')) => known(n),
        _ => {
            let text: Text<'_> = serde_json::from_str(raw).ok()?;
            slow(text.0?.as_ref())
        }
    }
}

/// The statistics' JSON text out of the add action; none if there is none. Statistics that are no
/// text are given as they stand: an object, as some writers have it, reads like the text of one.
pub fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    let raw = raw?.get();
    match raw.starts_with('"') {
        true => serde_json::from_str::<Text<'_>>(raw).ok()?.0,
        false => (raw != "null").then_some(Cow::Borrowed(raw)),
    }
}

/// A number of at most 18 digits and the byte after it.
fn leading_number(text: &str) -> Option<(i64, u8)> {
    let mut n = 0i64;
    for (i, byte) in text.bytes().enumerate().take(19) {
        match byte {
            b'0'..=b'9' => n = n.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?,
            _ if i > 0 => return Some((n, byte)),
            _ => return None,
        }
    }
    None
}

fn slow(json: &str) -> Option<u64> {
    #[derive(Deserialize, Default)]
    #[serde(default, rename_all = "camelCase")]
    struct Stats {
        num_records: serde_json::Value,
    }
    let stats: Stats = serde_json::from_str(json).ok()?;
    known(stats.num_records.as_i64()?)
}

/// No file has a negative number of rows, nor more than 2^53: such a figure is damage, and
/// nothing is known.
pub fn known(n: i64) -> Option<u64> {
    u64::try_from(n).ok().filter(|n| *n <= 1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        for (json, is) in [
            (r#"{"numRecords":12,"minValues":{"numRecords":5}}"#, Some(12)),
            (r#"{"numRecords":0}"#, Some(0)),
            (r#"{"minValues":{"numRecords":5},"numRecords": 7}"#, Some(7)),
            (r#"{"minValues":{"numRecords":5}}"#, None),
            (r#"{"numRecords":-3}"#, None),
            (r#"{"numRecords":1e400}"#, None),
            (r#"{"numRecords":9223372036854775807}"#, None),
            (r#"{"numRecords":99999999999999999999999}"#, None),
            (r#"{"numRecords":5.5}"#, None),
            (r#"{"numRecords":5.0}"#, None),
            (r#"{"numRecords":"5"}"#, None),
            (r#"{"numRecords":null}"#, None),
            (r#"{"numRecords":{}}"#, None),
            (r#"{"numRecords":"#, None),
            ("", None),
            ("null", None),
        ] {
            assert_eq!(num_records(json), is, "{json}");
            let escaped = serde_json::to_string(json).unwrap();
            assert_eq!(num_records_escaped(&escaped), is, "{json}");
        }
        assert_eq!(num_records_escaped("null"), None);
        assert_eq!(num_records_escaped("{\"numRecords\":5}"), None);
    }
}
