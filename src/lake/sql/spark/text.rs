//! Texts: patterns, digits, JSON.

use arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};

use super::rows::{Kind, Out, Patterns, RowFunction};

pub(super) const FUNCTIONS: &[RowFunction] = &[
    RowFunction { name: "split", least: 2, most: 3, gives: Kind::Texts, of: split },
    RowFunction { name: "regexp_extract", least: 2, most: 3, gives: Kind::Text, of: extract },
    RowFunction { name: "regexp_extract_all", least: 2, most: 3, gives: Kind::Texts, of: extract_all },
    RowFunction { name: "unhex", least: 1, most: 1, gives: Kind::Bytes, of: unhex },
    RowFunction { name: "sha1", least: 1, most: 1, gives: Kind::Text, of: sha1 },
    RowFunction { name: "get_json_object", least: 2, most: 2, gives: Kind::Text, of: json },
    RowFunction { name: "format_number", least: 2, most: 2, gives: Kind::Text, of: format_number },
    RowFunction { name: "bround", least: 1, most: 2, gives: Kind::Double, of: bround },
];

fn whole(text: &str) -> Result<i64> {
    text.parse().or_else(|_| exec_err!("\"{text}\" is no whole number"))
}

/// Empty pieces at the end stay, as in Spark's; with a limit the last piece is the rest.
fn split(row: &[&str], _: &DataType, patterns: &mut Patterns) -> Result<Option<Out>> {
    let pattern = patterns.get(row[1])?;
    let limit = row.get(2).map_or(Ok(-1), |t| whole(t))?;
    let pieces: Vec<String> = match usize::try_from(limit) {
        Ok(limit) if limit > 0 => pattern.splitn(row[0], limit).map(str::to_owned).collect(),
        _ => pattern.split(row[0]).map(str::to_owned).collect(),
    };
    // An empty pattern parts all characters, and has nothing before the first one.
    let pieces = if row[1].is_empty() {
        pieces.into_iter().filter(|piece| !piece.is_empty()).collect()
    } else {
        pieces
    };
    Ok(Some(Out::Texts(pieces)))
}

fn group(row: &[&str]) -> Result<usize> {
    let number = row.get(2).map_or(Ok(1), |t| whole(t))?;
    usize::try_from(number).or_else(|_| exec_err!("a pattern has no group {number}"))
}

/// The group of the first match; an empty text if there is none.
fn extract(row: &[&str], _: &DataType, patterns: &mut Patterns) -> Result<Option<Out>> {
    let (pattern, group) = (patterns.get(row[1])?, group(row)?);
    if group >= pattern.captures_len() {
        return exec_err!("the pattern \"{}\" has no group {group}", row[1]);
    }
    let found = pattern.captures(row[0]).and_then(|all| all.get(group));
    Ok(Some(Out::Text(found.map_or(String::new(), |m| m.as_str().to_owned()))))
}

fn extract_all(row: &[&str], _: &DataType, patterns: &mut Patterns) -> Result<Option<Out>> {
    let (pattern, group) = (patterns.get(row[1])?, group(row)?);
    if group >= pattern.captures_len() {
        return exec_err!("the pattern \"{}\" has no group {group}", row[1]);
    }
    let all = pattern.captures_iter(row[0]);
    Ok(Some(Out::Texts(all.map(|c| c.get(group).map_or("", |m| m.as_str()).to_owned()).collect())))
}

/// NULL for what are no such digits.
fn unhex(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let digits: Option<Vec<u8>> =
        row[0].chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
    let Some(mut digits) = digits else { return Ok(None) };
    if digits.len() % 2 == 1 {
        digits.insert(0, 0);
    }
    Ok(Some(Out::Bytes(digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, d| sum * 16 + d)).collect())))
}

fn sha1(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    use sha1::Digest;
    let digest = sha1::Sha1::digest(row[0].as_bytes());
    Ok(Some(Out::Text(digest.iter().map(|byte| format!("{byte:02x}")).collect())))
}

/// A path such as `$.a.b[0]['c']`; texts without quotes, all else as JSON; NULL where there is nothing.
fn json(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let found = || {
        let mut value: serde_json::Value = serde_json::from_str(row[0]).ok()?;
        for step in steps(row[1].strip_prefix('$')?)? {
            value = match (&mut value, step.parse::<usize>()) {
                (serde_json::Value::Array(all), Ok(at)) => all.get_mut(at)?.take(),
                (serde_json::Value::Object(all), _) => all.get_mut(&step)?.take(),
                _ => return None,
            };
        }
        match value {
            serde_json::Value::Null => None,
            serde_json::Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    };
    Ok(found().map(Out::Text))
}

/// The names and places of a path; none if it is none.
fn steps(path: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            out.push(after[..end].to_owned());
            rest = &after[end..];
        } else {
            let (step, after) = rest.strip_prefix('[')?.split_once(']')?;
            out.push(step.trim_matches('\'').to_owned());
            rest = after;
        }
    }
    Some(out)
}

/// Groups of three digits, and so many decimals.
fn format_number(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let (Ok(number), Ok(decimals)) = (row[0].parse::<f64>(), usize::try_from(whole(row[1])?)) else {
        return Ok(None);
    };
    let text = format!("{:.decimals$}", number.abs());
    let (digits, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    Ok(Some(Out::Text(format!("{sign}{out}{point}{fraction}"))))
}

/// Half goes to the even neighbour.
fn bround(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let Ok(number) = row[0].parse::<f64>() else { return Ok(None) };
    let digits = row.get(1).map_or(Ok(0), |t| whole(t))?;
    let scale = 10f64.powi(i32::try_from(digits).unwrap_or(0));
    Ok(Some(Out::Double((number * scale).round_ties_even() / scale)))
}
