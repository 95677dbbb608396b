//! A nested value, which is JSON text, as its parts with their names.

use serde_json::Value;

/// Parts of a value that are told at most.
const MOST: usize = 500;

/// The parts of a struct, list or map by their paths below `name`, such as `address.city` and
/// `tags[0]`; none is null. None if the text is no nested value, or an empty one.
pub fn parts(name: &str, text: &str) -> Option<Vec<(String, Option<String>)>> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    let mut out = Vec::new();
    put(name.to_owned(), &value, &mut out);
    let nested = out.len() > 1 || out.first().is_some_and(|(path, _)| path != name);
    nested.then(|| {
        if out.len() > MOST {
            out.truncate(MOST);
            out.push((format!("{name} …"), Some("more parts; y copies the whole value".to_owned())));
        }
        out
    })
}

fn put(path: String, value: &Value, out: &mut Vec<(String, Option<String>)>) {
    if out.len() > MOST {
        return;
    }
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| put(format!("{path}.{name}"), value, out));
        }
        Value::Array(values) if !values.is_empty() => {
            values.iter().enumerate().for_each(|(at, value)| put(format!("{path}[{at}]"), value, out));
        }
        Value::Null => out.push((path, None)),
        Value::String(text) => out.push((path, Some(text.clone()))),
        other => out.push((path, Some(other.to_string()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_paths() {
        let told = parts("a", r#"{"city":"Łódź","tags":["x",null,{"k":1}],"none":[],"empty":""}"#).unwrap();
        let told: Vec<_> = told.iter().map(|(path, value)| (path.as_str(), value.as_deref())).collect();
        let want = [
            ("a.city", Some("Łódź")),
            ("a.tags[0]", Some("x")),
            ("a.tags[1]", None),
            ("a.tags[2].k", Some("1")),
            ("a.none", Some("[]")),
            ("a.empty", Some("")),
        ];
        assert_eq!(told, want);
    }

    #[test]
    fn other_texts_have_none() {
        for text in ["", "plain", "{not json", "[]", "{}", "12"] {
            assert_eq!(parts("a", text), None, "{text}");
        }
        let long = format!("[{}1]", "1,".repeat(2 * MOST));
        assert_eq!(parts("a", &long).unwrap().len(), MOST + 1);
    }
}
