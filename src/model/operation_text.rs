//! Operation parameters as text: writers give lists and objects as JSON inside strings, as JSON, or
//! as plain words.

use serde_json::{Map, Value};

/// Longest text of one parameter, characters.
const PART: usize = 160;

/// Parameters with JSON inside strings decoded, in the log's order. What is taken is shown once.
pub(super) struct Decoded {
    left: Vec<(String, Value)>,
}

impl Decoded {
    pub(super) fn of(parameters: &Map<String, Value>) -> Self {
        Decoded { left: parameters.iter().map(|(k, v)| (k.clone(), decode(v))).collect() }
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        let at = self.left.iter().position(|(k, _)| k == key)?;
        Some(self.left.remove(at).1)
    }

    /// A value as text; none if it is absent, null or empty.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.take(key).map(|v| shorten(&items(&v), PART)).filter(|t| !t.is_empty())
    }

    /// A list as `a, b`; none if it is absent or empty.
    pub(super) fn list(&mut self, key: &str) -> Option<String> {
        self.text(key)
    }

    /// A condition: one expression, or a list of them that all must hold.
    pub(super) fn predicate(&mut self, key: &str) -> Option<String> {
        let value = self.take(key)?;
        let text = match &value {
            Value::Array(all) => all.iter().map(|v| tidy(&items(v))).collect::<Vec<_>>().join(" AND "),
            other => tidy(&items(other)),
        };
        Some(shorten(&text, PART)).filter(|t| !t.is_empty())
    }

    pub(super) fn is_empty_list(&self, key: &str) -> bool {
        self.left.iter().any(|(k, v)| k == key && v.as_array().is_some_and(Vec::is_empty))
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        match self.take(key)? {
            Value::Bool(b) => Some(b),
            Value::String(s) => s.trim().to_lowercase().parse().ok(),
            _ => None,
        }
    }

    /// `key = value` pairs of an object; none if it is absent or empty.
    pub(super) fn pairs(&mut self, key: &str) -> Option<String> {
        self.take(key).map(|v| shorten(&pairs(&v), 2 * PART)).filter(|t| !t.is_empty())
    }

    /// `name type` of added or changed columns, as Spark gives them: an object with `column`
    /// (a field or its JSON), or a list of such.
    pub(super) fn columns(&mut self, key: &str) -> Option<String> {
        let value = self.take(key)?;
        let list = object_list(&value);
        if list.is_empty() {
            return Some(shorten(&items(&value), PART)).filter(|t| !t.is_empty());
        }
        let names: Vec<String> = list.into_iter().map(column).collect();
        Some(shorten(&names.join(", "), PART))
    }

    /// Drops the parameter if it only repeats what goes without saying.
    pub(super) fn drop_plain(&mut self, key: &str, plain: &str) {
        self.left.retain(|(k, v)| k != key || items(v) != plain);
    }

    pub(super) fn forget(&mut self, key: &str) {
        self.left.retain(|(k, _)| k != key);
    }

    /// What nobody took, as `key: value`; empty values are left out.
    pub(super) fn rest(self) -> impl Iterator<Item = String> {
        let shown = self.left.into_iter().map(|(k, v)| (shorten(&k, 40), shorten(&pairs(&v), PART)));
        shown.filter(|(_, text)| !text.is_empty()).take(12).map(|(k, text)| format!("{k}: {text}"))
    }
}

/// JSON that a string holds, if it holds an object or a list; else the value itself.
fn decode(value: &Value) -> Value {
    match value {
        Value::String(text) if text.trim_start().starts_with(['[', '{']) => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}

/// The elements of a list, or the one object, that are objects; decoded again where they are strings.
pub(super) fn object_list(value: &Value) -> Vec<Map<String, Value>> {
    let one = |v: &Value| match decode(v) {
        Value::Object(map) => Some(map),
        _ => None,
    };
    match value {
        Value::Array(all) => all.iter().filter_map(one).collect(),
        other => one(other).into_iter().collect(),
    }
}

/// A scalar's text, a list as `a, b`, an object as JSON, nothing for null.
pub(super) fn items(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(all) => all.iter().map(items).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// As [`items`], but an object as `key = value` pairs, with what is nested in it as JSON.
fn pairs(value: &Value) -> String {
    let inner = |v: &Value| if v.is_array() || v.is_object() { v.to_string() } else { items(v) };
    match value {
        Value::Object(map) => {
            map.iter().map(|(k, v)| format!("{k} = {}", inner(v))).collect::<Vec<_>>().join(", ")
        }
        other => items(other),
    }
}

fn column(map: Map<String, Value>) -> String {
    let field = map.get("column").map(decode);
    let field = field.as_ref().and_then(Value::as_object).unwrap_or(&map);
    let get = |k: &str| field.get(k).map(items).unwrap_or_default();
    let place = map.get("position").map(items).filter(|p| !p.is_empty());
    let text = format!("{} {}", get("name"), get("type"));
    match (text.trim(), place) {
        ("", _) => items(&Value::Object(map.clone())),
        (text, None) => text.to_owned(),
        (text, Some(place)) => format!("{text} {place}"),
    }
}

/// An expression without Spark's attribute ids (`id#6739L` becomes `id`); quoted text is left alone.
pub(super) fn tidy(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len());
    let mut quote: Option<char> = None;
    let mut chars = expression.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(q) if c == q => quote = None,
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            _ => {}
        }
        let after_name = out.ends_with(|p: char| p.is_alphanumeric() || matches!(p, '_' | '`'));
        if c == '#' && quote.is_none() && after_name && chars.peek().is_some_and(char::is_ascii_digit) {
            while chars.next_if(char::is_ascii_digit).is_some() {}
            chars.next_if_eq(&'L');
            continue;
        }
        out.push(c);
    }
    out
}

/// At most `max` characters, the last one `…` if some were dropped.
pub(super) fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}
