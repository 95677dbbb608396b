//! Spark's functions with a pattern, a unit or a number that must be known while planning: dates as
//! text and back, months to add.

use datafusion::sql::sqlparser::ast::{Expr, Value};

use super::filled;

/// All names, for completion.
pub(super) const NAMES: &[&str] =
    &["date_format", "from_unixtime", "to_date", "to_timestamp", "trunc", "unix_timestamp"];

/// What a call stands for; none if it is not one of these.
pub(super) fn translate(name: &str, arguments: &[Expr]) -> Option<Expr> {
    match (name, arguments) {
        ("date_format", [_, pattern]) => with_pattern("to_char($1, $2)", arguments, pattern)
            .or_else(|| filled("time_by_pattern($1, $2)", arguments)),
        ("from_unixtime", [seconds]) => {
            filled("to_char(to_timestamp_seconds($1), '%Y-%m-%d %H:%M:%S')", std::slice::from_ref(seconds))
        }
        ("from_unixtime", [_, pattern]) => {
            with_pattern("to_char(to_timestamp_seconds($1), $2)", arguments, pattern)
                .or_else(|| filled("time_by_pattern(to_timestamp_seconds($1), $2)", arguments))
        }
        ("to_date", [_, pattern]) => with_pattern("to_date($1, $2)", arguments, pattern)
            .or_else(|| filled("date_by_pattern($1, $2)", arguments)),
        ("to_timestamp", [_, pattern]) => with_pattern("to_timestamp($1, $2)", arguments, pattern)
            .or_else(|| filled("CAST(date_by_pattern($1, $2) AS TIMESTAMP(6))", arguments)),
        ("trunc", [date, unit]) => {
            let unit = match text(unit)?.to_ascii_lowercase().as_str() {
                "year" | "yyyy" | "yy" => "year",
                "quarter" => "quarter",
                "month" | "mon" | "mm" => "month",
                "week" => "week",
                _ => return None,
            };
            let template = format!("CAST(date_trunc('{unit}', CAST($1 AS DATE)) AS DATE)");
            filled(&template, std::slice::from_ref(date))
        }
        ("unix_timestamp" | "to_unix_timestamp", [_, pattern]) => with_pattern(
            "CAST(floor(date_part('epoch', to_timestamp($1, $2))) AS BIGINT)",
            arguments,
            pattern,
        ),
        _ => None,
    }
}

fn with_pattern(template: &str, arguments: &[Expr], pattern: &Expr) -> Option<Expr> {
    let pattern = chrono_pattern(&text(pattern)?)?;
    let mut arguments = arguments.to_vec();
    *arguments.last_mut()? = Expr::Value(Value::SingleQuotedString(pattern).into());
    filled(template, &arguments)
}

/// A pattern of Java's `DateTimeFormatter` as one of `strftime`'s; none for letters that have no
/// counterpart. A text with `%` is taken as `strftime`'s already.
pub(super) fn chrono_pattern(java: &str) -> Option<String> {
    if java.contains('%') {
        return Some(java.to_owned());
    }
    let mut out = String::with_capacity(java.len() * 2);
    let mut rest = java;
    while let Some(first) = rest.chars().next() {
        let run: usize = rest.chars().take_while(|c| *c == first).map(char::len_utf8).sum();
        if first == '\'' {
            let end = rest[1..].find('\'')?;
            out.push_str(if end == 0 { "'" } else { &rest[1..=end] });
            rest = &rest[end + 2..];
            continue;
        }
        out.push_str(match (first, run) {
            ('y' | 'u', 4 | 1) => "%Y",
            ('y' | 'u', 2) => "%y",
            ('M' | 'L', 1) => "%-m",
            ('M' | 'L', 2) => "%m",
            ('M' | 'L', 3) => "%b",
            ('M' | 'L', 4) => "%B",
            ('d', 1) => "%-d",
            ('d', 2) => "%d",
            ('D', 3) => "%j",
            ('H', 1) => "%-H",
            ('H', 2) => "%H",
            ('h', 2) => "%I",
            ('h', 1) => "%-I",
            ('m', 2) => "%M",
            ('m', 1) => "%-M",
            ('s', 2) => "%S",
            ('s', 1) => "%-S",
            ('S', 3) => "%3f",
            ('S', 6) => "%6f",
            ('a', 1) => "%p",
            ('E', 1..=3) => "%a",
            ('E', 4) => "%A",
            (letter, _) if letter.is_ascii_alphabetic() => return None,
            _ => &rest[..run],
        });
        rest = &rest[run..];
    }
    Some(out)
}

pub(super) fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert_eq!(chrono_pattern("yyyy-MM-dd HH:mm:ss").as_deref(), Some("%Y-%m-%d %H:%M:%S"));
        assert_eq!(chrono_pattern("yyyy-MM").as_deref(), Some("%Y-%m"));
        assert_eq!(chrono_pattern("d MMM ''yy 'at' h a").as_deref(), Some("%-d %b '%y at %-I %p"));
        assert_eq!(chrono_pattern("%Y").as_deref(), Some("%Y"));
        assert_eq!(chrono_pattern("G"), None);
    }
}
