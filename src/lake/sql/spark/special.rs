//! Calls whose meaning hangs on what is written: a literal that picks the function, names of columns.

use datafusion::sql::sqlparser::ast::{Expr, LambdaFunction, UnaryOperator, Value};

use super::format::text;
use super::{filled, units};

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
    "encode",
    "decode",
    "elt",
    "forall",
    "exists",
    "filter",
    "timestampdiff",
    "timestampadd",
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
        ("percentile_approx" | "approx_percentile", [of, shares, ..]) => return several(of, shares),
        ("encode", [_, charset]) if is_utf8(charset) => "CAST($1 AS BYTEA)",
        ("decode", [_, charset]) if is_utf8(charset) => "CAST(CAST($1 AS BYTEA) AS STRING)",
        ("decode", [expr, rest @ ..]) if rest.len() > 1 => return cases(expr, rest),
        ("elt", [at, texts @ ..]) => return chosen(at, texts),
        ("forall", [array, Expr::Lambda(lambda)]) => return for_all(array, lambda),
        ("datediff" | "date_diff" | "timestampdiff", [unit, from, to]) => {
            return units::between(unit, from, to);
        }
        ("dateadd" | "date_add" | "timestampadd", [unit, number, to]) => {
            return units::added(unit, number, to);
        }
        ("date_part" | "datepart", [field, _]) => match units::weekday(&text(field)?) {
            Some(template) => return filled(template, &arguments[1..]),
            None => return None,
        },
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

/// Fields are called as they are named (`1 AS a`), as their columns, or by their place.
pub(super) fn structure(arguments: &[Expr]) -> Option<Expr> {
    let name = |(at, expr): (usize, &Expr)| match expr {
        Expr::Identifier(name) | Expr::Named { name, .. } => name.value.clone(),
        Expr::CompoundIdentifier(names) => names.last().map_or(String::new(), |n| n.value.clone()),
        _ => format!("col{}", at + 1),
    };
    let mut all = Vec::with_capacity(arguments.len() * 2);
    for (at, expr) in arguments.iter().enumerate() {
        all.push(Expr::Value(Value::SingleQuotedString(name((at, expr))).into()));
        all.push(match expr {
            Expr::Named { expr, .. } => (**expr).clone(),
            other => other.clone(),
        });
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

/// `percentile_approx(x, array(0.25, 0.5))`: an array of them.
fn several(of: &Expr, shares: &Expr) -> Option<Expr> {
    let shares: Vec<Expr> = match shares {
        Expr::Array(array) => array.elem.clone(),
        Expr::Function(f) if f.name.to_string() == "make_array" => super::plain_arguments(f)?,
        _ => return None,
    };
    let mut all = vec![of.clone()];
    all.extend(shares);
    let one = |n: usize| format!("approx_percentile_cont($1, ${n})");
    let each: Vec<String> = (2..=all.len()).map(one).collect();
    filled(&format!("make_array({})", each.join(", ")), &all)
}

fn is_utf8(charset: &Expr) -> bool {
    text(charset).is_some_and(|name| matches!(name.to_ascii_lowercase().as_str(), "utf-8" | "utf8"))
}

/// `decode(expr, search, result, …, default)`; NULL equals NULL.
fn cases(expr: &Expr, rest: &[Expr]) -> Option<Expr> {
    let mut all = vec![expr.clone()];
    all.extend_from_slice(rest);
    let mut template = String::from("CASE");
    for pair in 0..rest.len() / 2 {
        let (search, result) = (2 * pair + 2, 2 * pair + 3);
        template.push_str(&format!(" WHEN ($1) IS NOT DISTINCT FROM (${search}) THEN ${result}"));
    }
    if rest.len() % 2 == 1 {
        template.push_str(&format!(" ELSE ${}", all.len()));
    }
    filled(&(template + " END"), &all)
}

/// `elt(2, 'a', 'b')`
fn chosen(at: &Expr, texts: &[Expr]) -> Option<Expr> {
    let mut all = vec![at.clone()];
    all.extend_from_slice(texts);
    let cases: String = (1..=texts.len()).map(|n| format!(" WHEN {n} THEN ${}", n + 1)).collect();
    if texts.is_empty() { None } else { filled(&format!("CASE $1{cases} END"), &all) }
}

/// Of all that is so for each there is none for which it is not.
fn for_all(array: &Expr, lambda: &LambdaFunction) -> Option<Expr> {
    let mut opposite = lambda.clone();
    *opposite.body = filled("NOT ($1)", &[(*lambda.body).clone()])?;
    filled("NOT array_any_match($1, $2)", &[array.clone(), Expr::Lambda(opposite)])
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
