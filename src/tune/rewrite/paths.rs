//! Names of new files, as other writers give them.

use std::fmt::Write as _;

use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use crate::lake::log::key::IN_URI;
use crate::model::table::Metadata;

/// A decoded path as the log writes it: a relative URI.
pub fn encoded(path: &str) -> String {
    let text = utf8_percent_encode(path, IN_URI).to_string();
    // `a:b/c` would read as a URI with the scheme `a`.
    let first = text.split('/').next().unwrap_or_default();
    if first.contains(':') { text.replacen(first, &first.replace(':', "%3A"), 1) } else { text }
}

/// The folder of a group's new files, relative to the table, decoded: that of its inputs if they
/// share one; else partition folders as Hive names them; a random one where the table asks for it
/// (`delta.randomizeFilePrefixes`).
pub fn folder(inputs: &[&str], values: &Map<String, Value>, metadata: &Metadata, random: &str) -> String {
    if metadata.is_on("delta.randomizeFilePrefixes") {
        let length = metadata.configuration.get("delta.randomPrefixLength");
        let length = length.and_then(|n| n.parse().ok()).unwrap_or(2);
        return random.chars().filter(char::is_ascii_alphanumeric).take(length).collect();
    }
    let parent = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let is_absolute = |path: &str| path.starts_with('/') || path.contains(":/");
    let mut parents = inputs.iter().map(|p| (!is_absolute(p)).then(|| parent(p)));
    if let Some(Some(first)) = parents.next()
        && parents.all(|p| p.as_ref() == Some(&first))
    {
        return first;
    }
    let parts = values.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) if !text.is_empty() => hive(text),
            _ => "__HIVE_DEFAULT_PARTITION__".to_owned(),
        };
        format!("{}={value}", hive(name))
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The name of a new file.
pub fn file_name(number: usize, uuid: &str, suffix: &str) -> String {
    format!("part-{number:05}-{uuid}-c000{suffix}.parquet")
}

/// Escaped as Hive escapes partition folders.
fn hive(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let special = c.is_ascii_control() || "\"#%'*/:=?\\{[]^\u{7f}".contains(c);
        if special {
            // All of these are ASCII.
            let _ = write!(out, "%{:02X}", c as u32);
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn folder_of(inputs: &[&str], values: Value) -> String {
        folder(inputs, values.as_object().unwrap(), &Metadata::default(), "abcd")
    }

    #[test]
    fn files_stay_where_they_are() {
        assert_eq!(folder_of(&["a.parquet", "b.parquet"], json!({})), "");
        assert_eq!(folder_of(&["p=a%20b/x", "p=a%20b/y"], json!({"p": "a b"})), "p=a%20b");
        assert_eq!(
            folder_of(&["Xy/x", "Zz/y"], json!({"p": "a/b", "q": null})),
            "p=a%2Fb/q=__HIVE_DEFAULT_PARTITION__"
        );
        assert_eq!(folder_of(&["s3://other/x"], json!({"p": "1"})), "p=1");
    }

    #[test]
    fn paths_decode_to_what_they_were() {
        for path in ["p=a%20b/x y#1.parquet", "ä/ü.parquet", "10:30/x.parquet", "a?b", "[x]"] {
            let text = encoded(path);
            assert_eq!(crate::lake::log::key::decode_path(&text), path);
            assert!(url::Url::parse(&text).is_err(), "{text} has a scheme");
        }
    }
}
