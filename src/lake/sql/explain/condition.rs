//! A condition as people write it: `note = 'alpha'`, not the engine's `note = Utf8View("alpha")`.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, Operator};

use crate::lake::sql::encode::text_of;

/// What it has no words for is shown as the engine shows it.
pub(super) fn in_sql(expr: &Expr) -> String {
    match expr {
        Expr::Column(column) => column.name.clone(),
        Expr::Literal(value, _) => literal(value),
        Expr::Alias(alias) => in_sql(&alias.expr),
        Expr::BinaryExpr(both) => {
            let side = |e: &Expr| match e {
                Expr::BinaryExpr(inner) if binds(inner.op) < binds(both.op) => format!("({})", in_sql(e)),
                other => in_sql(other),
            };
            format!("{} {} {}", side(&both.left), both.op, side(&both.right))
        }
        Expr::Not(inner) => format!("NOT ({})", in_sql(inner)),
        Expr::IsNull(inner) => format!("{} IS NULL", in_sql(inner)),
        Expr::IsNotNull(inner) => format!("{} IS NOT NULL", in_sql(inner)),
        Expr::Cast(cast) => in_sql(&cast.expr),
        Expr::Between(between) => format!(
            "{}{} BETWEEN {} AND {}",
            in_sql(&between.expr),
            not(between.negated),
            in_sql(&between.low),
            in_sql(&between.high)
        ),
        Expr::InList(list) => format!(
            "{}{} IN ({})",
            in_sql(&list.expr),
            not(list.negated),
            list.list.iter().map(in_sql).collect::<Vec<_>>().join(", ")
        ),
        Expr::Like(like) => {
            let word = if like.case_insensitive { "ILIKE" } else { "LIKE" };
            format!("{}{} {word} {}", in_sql(&like.expr), not(like.negated), in_sql(&like.pattern))
        }
        Expr::ScalarFunction(call) => {
            let arguments: Vec<String> = call.args.iter().map(in_sql).collect();
            format!("{}({})", call.name(), arguments.join(", "))
        }
        other => other.to_string(),
    }
}

fn not(negated: bool) -> &'static str {
    if negated { " NOT" } else { "" }
}

/// How close an operator holds its sides together.
fn binds(operator: Operator) -> u8 {
    match operator {
        Operator::Or => 1,
        Operator::And => 2,
        Operator::Plus | Operator::Minus => 4,
        Operator::Multiply | Operator::Divide | Operator::Modulo => 5,
        _ => 3,
    }
}

fn literal(value: &ScalarValue) -> String {
    let text = value.to_array().ok().and_then(|array| text_of(&array, 0));
    let Some(text) = text else { return "NULL".into() };
    if value.data_type().is_numeric() || matches!(value, ScalarValue::Boolean(_)) {
        return text;
    }
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use datafusion::logical_expr::{col, lit};

    use super::*;

    #[test]
    fn conditions() {
        let date = ScalarValue::Date32(Some(19_753));
        let dictionary =
            ScalarValue::Dictionary(Box::new(arrow::datatypes::DataType::UInt16), Box::new("it's".into()));
        let either = col("a").eq(lit(1)).or(col("b").is_null());
        for (expr, want) in [
            (col("d").gt(lit(date)), "d > '2024-01-31'"),
            (col("s").eq(lit(dictionary)).and(either), "s = 'it''s' AND (a = 1 OR b IS NULL)"),
            (col("a").in_list(vec![lit(1), lit(2.5)], true), "a NOT IN (1, 2.5)"),
            (col("a").like(lit("x%")), "a LIKE 'x%'"),
            (lit(ScalarValue::Null).eq(lit(true)), "NULL = true"),
        ] {
            assert_eq!(in_sql(&expr), want);
        }
    }
}
