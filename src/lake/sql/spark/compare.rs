//! Comparisons between types, as Spark makes them: a double with `1.5` as doubles (the engine would
//! take both for decimals, which NaN is none of), a span of time with an interval by its length.

use arrow::datatypes::{DataType, IntervalMonthDayNano, TimeUnit};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Between, InList};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator, cast, lit};

/// The comparison in other types; none where the engine's are Spark's.
pub(super) fn meant(expr: &Expr, schema: &DFSchema) -> Option<Expr> {
    let of = |e: &Expr| e.get_type(schema).ok();
    match expr {
        Expr::BinaryExpr(both) if compares(both.op) => {
            let (left, right) = (of(&both.left)?, of(&both.right)?);
            let (a, b) = match (&left, &right) {
                (l, r) if l.is_floating() && is_decimal(r) => (None, Some(double(&both.right)?)),
                (l, r) if is_decimal(l) && r.is_floating() => (Some(double(&both.left)?), None),
                (DataType::Duration(unit), DataType::Interval(_)) => {
                    (None, Some(length(&both.right, *unit)?))
                }
                (DataType::Interval(_), DataType::Duration(unit)) => (Some(length(&both.left, *unit)?), None),
                _ => return None,
            };
            let left = a.map_or_else(|| both.left.clone(), Box::new);
            let right = b.map_or_else(|| both.right.clone(), Box::new);
            Some(Expr::BinaryExpr(BinaryExpr::new(left, both.op, right)))
        }
        Expr::Between(between) if of(&between.expr)?.is_floating() => {
            let low = doubles(&between.low, of(&between.low)?);
            let high = doubles(&between.high, of(&between.high)?);
            if low.is_none() && high.is_none() {
                return None;
            }
            Some(Expr::Between(Between {
                expr: between.expr.clone(),
                negated: between.negated,
                low: low.map_or_else(|| between.low.clone(), Box::new),
                high: high.map_or_else(|| between.high.clone(), Box::new),
            }))
        }
        Expr::InList(list) if of(&list.expr)?.is_floating() => {
            let each: Vec<Option<Expr>> =
                list.list.iter().map(|e| of(e).and_then(|of| doubles(e, of))).collect();
            if each.iter().all(Option::is_none) {
                return None;
            }
            let all = each.into_iter().zip(&list.list).map(|(new, old)| new.unwrap_or_else(|| old.clone()));
            Some(Expr::InList(InList::new(list.expr.clone(), all.collect(), list.negated)))
        }
        _ => None,
    }
}

fn compares(operator: Operator) -> bool {
    use Operator as O;
    matches!(operator, O::Eq | O::NotEq | O::Lt | O::LtEq | O::Gt | O::GtEq)
        || matches!(operator, O::IsDistinctFrom | O::IsNotDistinctFrom)
}

fn is_decimal(of: &DataType) -> bool {
    matches!(of, DataType::Decimal128(..) | DataType::Decimal256(..))
}

fn doubles(expr: &Expr, of: DataType) -> Option<Expr> {
    if is_decimal(&of) { double(expr) } else { None }
}

fn double(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Literal(value, _) => Some(lit(value.cast_to(&DataType::Float64).ok()?)),
        other => Some(cast(other.clone(), DataType::Float64)),
    }
}

/// An interval that is written out, of days and less, as a length of time.
fn length(expr: &Expr, unit: TimeUnit) -> Option<Expr> {
    let Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(interval)), _) = expr else { return None };
    let IntervalMonthDayNano { months: 0, days, nanoseconds } = *interval else { return None };
    let nanos = i128::from(days) * 86_400_000_000_000 + i128::from(nanoseconds);
    let of = |per: i128| i64::try_from(nanos / per).ok();
    Some(lit(match unit {
        TimeUnit::Second => ScalarValue::DurationSecond(of(1_000_000_000)),
        TimeUnit::Millisecond => ScalarValue::DurationMillisecond(of(1_000_000)),
        TimeUnit::Microsecond => ScalarValue::DurationMicrosecond(of(1_000)),
        TimeUnit::Nanosecond => ScalarValue::DurationNanosecond(of(1)),
    }))
}
