//! Units of time that stand as a word in a call: `datediff(MONTH, a, b)`, `extract(DAYOFWEEK FROM d)`.

use datafusion::sql::sqlparser::ast::Expr;

use super::filled;
use super::format::text;

/// A unit's name, written as a word or as a text; none for other expressions.
fn unit(expr: &Expr) -> Option<String> {
    let name = match expr {
        Expr::Identifier(name) => name.value.clone(),
        other => text(other)?,
    };
    Some(name.to_ascii_lowercase())
}

/// Whole units from one moment to another.
pub(super) fn between(of: &Expr, from: &Expr, to: &Expr) -> Option<Expr> {
    let months = |n: u32| format!("CAST(trunc(months_between($2, $1) / {n}) AS BIGINT)");
    let seconds = |n: &str| {
        format!(
            "CAST(trunc((date_part('epoch', CAST($2 AS TIMESTAMP(6))) \
             - date_part('epoch', CAST($1 AS TIMESTAMP(6)))) {n}) AS BIGINT)"
        )
    };
    let template = match unit(of)?.as_str() {
        "year" => months(12),
        "quarter" => months(3),
        "month" => months(1),
        "week" => seconds("/ 604800"),
        "day" => seconds("/ 86400"),
        "hour" => seconds("/ 3600"),
        "minute" => seconds("/ 60"),
        "second" => seconds("/ 1"),
        "millisecond" => seconds("* 1000"),
        _ => return None,
    };
    filled(&template, &[from.clone(), to.clone()])
}

/// A moment so many units later. A month's last day stays one.
pub(super) fn added(of: &Expr, number: &Expr, to: &Expr) -> Option<Expr> {
    let template = match unit(of)?.as_str() {
        "year" => "add_months($2, ($1) * 12)".to_owned(),
        "quarter" => "add_months($2, ($1) * 3)".to_owned(),
        "month" => "add_months($2, $1)".to_owned(),
        "week" => "CAST(CAST(CAST($2 AS DATE) AS INT) + CAST($1 AS INT) * 7 AS DATE)".to_owned(),
        "day" => "CAST(CAST(CAST($2 AS DATE) AS INT) + CAST($1 AS INT) AS DATE)".to_owned(),
        unit @ ("hour" | "minute" | "second") => {
            let seconds = match unit {
                "hour" => 3600,
                "minute" => 60,
                _ => 1,
            };
            format!(
                "to_timestamp_micros(CAST(round(date_part('epoch', CAST($2 AS TIMESTAMP(6))) * 1000000) AS BIGINT) \
                 + CAST($1 AS BIGINT) * {seconds} * 1000000)"
            )
        }
        _ => return None,
    };
    filled(&template, &[number.clone(), to.clone()])
}

/// A day's number in its week, where Spark's differs from the engine's; `$1` is the day.
pub(super) fn weekday(field: &str) -> Option<&'static str> {
    match field.to_ascii_lowercase().as_str() {
        "dayofweek" | "dow" => Some("CAST(date_part('dow', $1) AS INT) + 1"),
        "dayofweek_iso" | "dow_iso" => Some("(CAST(date_part('dow', $1) AS INT) + 6) % 7 + 1"),
        _ => None,
    }
}
