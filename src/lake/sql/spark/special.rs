//! Calls whose meaning hangs on what is written: a literal that picks the function, names of columns.

use datafusion::sql::sqlparser::ast::{Expr, UnaryOperator, Value};

use super::filled;
use super::format::text;

/// All names, for completion.
pub(super) const NAMES: &[&str] = &[
    "substr",
    "substring",
    "sha2",
    "struct",
    "sequence",
    "element_at",
    "sort_array",
    "locate",
    "date_trunc",
    "concat_ws",
    "first",
    "last",
    "first_value",
    "last_value",
];

/// What a call stands for; none if it is not one of these.
pub(super) fn translate(name: &str, arguments: &[Expr]) -> Option<Expr> {
    let template = match (name, arguments) {
        ("substr" | "substring", [_, _] | [_, _, _]) => return substring(arguments),
        ("sha2", [_, bits]) => match number(bits)? {
            0 | 256 => "encode(sha256($1), 'hex')",
            224 => "encode(sha224($1), 'hex')",
            384 => "encode(sha384($1), 'hex')",
            512 => "encode(sha512($1), 'hex')",
            _ => return None,
        },
        ("struct", [_, ..]) => return structure(arguments),
        ("sequence", [_, _, _]) => "generate_series($1, $2, $3)",
        ("sequence", [from, _]) if is_date(from) => "generate_series($1, $2, INTERVAL '1 day')",
        ("sequence", [_, _]) => "generate_series($1, $2, CASE WHEN $1 <= $2 THEN 1 ELSE -1 END)",
        ("element_at", [map, key]) if text(key).is_some() => {
            return filled("map_extract($1, $2)[0]", &[map.clone(), key.clone()]);
        }
        ("sort_array", [_, Expr::Value(value)]) => match value.value {
            Value::Boolean(true) => "array_sort($1, 'ASC', 'NULLS FIRST')",
            Value::Boolean(false) => "array_sort($1, 'DESC', 'NULLS LAST')",
            _ => return None,
        },
        ("locate" | "position", [_, _, _]) => {
            "CASE WHEN strpos(substr($2, $3), $1) = 0 THEN 0 ELSE strpos(substr($2, $3), $1) + $3 - 1 END"
        }
        ("first" | "first_value", [_, Expr::Value(value)]) if value.value == Value::Boolean(true) => {
            "first_value($1) IGNORE NULLS"
        }
        ("last" | "last_value", [_, Expr::Value(value)]) if value.value == Value::Boolean(true) => {
            "last_value($1) IGNORE NULLS"
        }
        ("date_trunc", [unit, _]) => {
            let unit = match text(unit)?.to_ascii_lowercase().as_str() {
                "yyyy" | "yy" => "year",
                "mm" | "mon" => "month",
                "dd" => "day",
                _ => return None,
            };
            return filled(&format!("date_trunc('{unit}', $2)"), arguments);
        }
        ("concat_ws", [separator, rest @ ..]) if rest.iter().any(is_array) => {
            let join = |a: &Expr| filled("array_to_string($1, $2)", &[a.clone(), separator.clone()]);
            let texts = rest.iter().map(|a| if is_array(a) { join(a) } else { Some(a.clone()) });
            let mut all = vec![separator.clone()];
            all.extend(texts.collect::<Option<Vec<_>>>()?);
            return filled("concat_ws($*)", &all);
        }
        _ => return None,
    };
    filled(template, arguments)
}

/// A start below zero counts from the end, zero is the first place.
pub(super) fn substring(arguments: &[Expr]) -> Option<Expr> {
    let start = match number(arguments.get(1)?) {
        Some(0) => "1",
        Some(n) if n > 0 => "$2",
        Some(_) => "character_length(CAST($1 AS STRING)) + $2 + 1",
        None => {
            "CASE WHEN $2 < 0 THEN character_length(CAST($1 AS STRING)) + $2 + 1 WHEN $2 = 0 THEN 1 ELSE $2 END"
        }
    };
    match arguments.get(2).map(number) {
        None => filled(&format!("substr(CAST($1 AS STRING), {start})"), arguments),
        Some(Some(n)) if n >= 0 => filled(&format!("substr(CAST($1 AS STRING), {start}, $3)"), arguments),
        Some(_) => filled(&format!("substr(CAST($1 AS STRING), {start}, greatest($3, 0))"), arguments),
    }
}

/// Fields are called as their columns, others by their place.
pub(super) fn structure(arguments: &[Expr]) -> Option<Expr> {
    let name = |(at, expr): (usize, &Expr)| match expr {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(names) => names.last().map_or(String::new(), |n| n.value.clone()),
        _ => format!("col{}", at + 1),
    };
    let mut all = Vec::with_capacity(arguments.len() * 2);
    for (at, expr) in arguments.iter().enumerate() {
        all.push(Expr::Value(Value::SingleQuotedString(name((at, expr))).into()));
        all.push(expr.clone());
    }
    filled("named_struct($*)", &all)
}

fn is_date(expr: &Expr) -> bool {
    match expr {
        Expr::TypedString(_) | Expr::Cast { .. } => true,
        Expr::Function(f) => f.name.to_string().contains("date"),
        _ => false,
    }
}

fn is_array(expr: &Expr) -> bool {
    const GIVE: &[&str] =
        &["make_array", "split", "array_agg", "array_sort", "array_distinct", "array_union"];
    match expr {
        Expr::Array(_) => true,
        Expr::Function(f) => GIVE.contains(&f.name.to_string().as_str()),
        _ => false,
    }
}

/// A whole number that is written out.
fn number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) => text.parse().ok(),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => number(expr)?.checked_neg(),
        Expr::Nested(inner) => number(inner),
        _ => None,
    }
}
