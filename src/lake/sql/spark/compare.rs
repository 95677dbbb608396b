//! Comparisons between types, as Spark makes them: a double with `1.5` as doubles, so in `coalesce`, `CASE`
//! and their like (the engine would take both for decimals, which NaN is none of), a span of time with
//! an interval by its length.

use std::sync::Arc;

use arrow::datatypes::{DataType, IntervalMonthDayNano, TimeUnit};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Between, Case, InList, ScalarFunction};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator, cast, lit};

/// The expression in other types; none where the engine's are Spark's.
pub(super) fn meant(expr: &Expr, schema: &DFSchema) -> Option<Expr> {
    let of = |e: &Expr| e.get_type(schema).ok();
    match expr {
        Expr::BinaryExpr(both) if compares(both.op) => {
            let (left, right) = (of(&both.left)?, of(&both.right)?);
            let new = |left: Expr, op, right: Expr| {
                Some(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
            };
            if let Expr::Literal(value, _) = both.right.as_ref()
                && let Some((op, value)) = beside(&left, both.op, value)
            {
                return new((*both.left).clone(), op, lit(value));
            }
            if let Expr::Literal(value, _) = both.left.as_ref()
                && let Some((op, value)) = both.op.swap().and_then(|op| beside(&right, op, value))
            {
                return new((*both.right).clone(), op, lit(value));
            }
            match (&left, &right) {
                (l, r) if l.is_floating() && is_decimal(r) => {
                    new((*both.left).clone(), both.op, double(&both.right))
                }
                (l, r) if is_decimal(l) && r.is_floating() => {
                    new(double(&both.left), both.op, (*both.right).clone())
                }
                (DataType::Duration(unit), DataType::Interval(_)) => {
                    new((*both.left).clone(), both.op, length(&both.right, *unit)?)
                }
                (DataType::Interval(_), DataType::Duration(unit)) => {
                    new(length(&both.left, *unit)?, both.op, (*both.right).clone())
                }
                _ => None,
            }
        }
        Expr::Between(between) => {
            let column = of(&between.expr)?;
            let bound = |op, bound: &Expr| match bound {
                Expr::Literal(value, _) => {
                    beside(&column, op, value).filter(|(new, _)| *new == op).map(|(_, value)| lit(value))
                }
                _ => None,
            };
            let low = bound(Operator::GtEq, &between.low)
                .or_else(|| doubles(&column, &between.low, of(&between.low)));
            let high = bound(Operator::LtEq, &between.high)
                .or_else(|| doubles(&column, &between.high, of(&between.high)));
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
        Expr::InList(list) => {
            let column = of(&list.expr)?;
            let each = list.list.iter().map(|e| match e {
                Expr::Literal(value, _) => beside(&column, Operator::Eq, value)
                    .map(|(_, value)| lit(value))
                    .or_else(|| doubles(&column, e, of(e))),
                _ => doubles(&column, e, of(e)),
            });
            let each: Vec<Option<Expr>> = each.collect();
            if each.iter().all(Option::is_none) {
                return None;
            }
            let all = each.into_iter().zip(&list.list).map(|(new, old)| new.unwrap_or_else(|| old.clone()));
            Some(Expr::InList(InList::new(list.expr.clone(), all.collect(), list.negated)))
        }
        Expr::ScalarFunction(call) => {
            let arguments = alike(call.args.iter().collect(), of)?;
            Some(Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&call.func), arguments)))
        }
        Expr::Case(case) => cases(case, of),
        _ => None,
    }
}

/// The results of `CASE` in one type, and so what it compares.
fn cases(case: &Case, of: impl Fn(&Expr) -> Option<DataType>) -> Option<Expr> {
    let mut new = case.clone();
    let results = case.when_then_expr.iter().map(|(_, then)| then).chain(&case.else_expr);
    let results = alike(results.map(AsRef::as_ref).collect(), &of);
    let compared = case.expr.iter().chain(case.when_then_expr.iter().map(|(when, _)| when));
    let compared = case.expr.as_ref().and_then(|_| alike(compared.map(AsRef::as_ref).collect(), &of));
    if results.is_none() && compared.is_none() {
        return None;
    }
    if let Some(results) = results {
        let mut results = results.into_iter();
        for (pair, result) in new.when_then_expr.iter_mut().zip(results.by_ref()) {
            *pair.1 = result;
        }
        new.else_expr = results.next().map(Box::new);
    }
    if let Some(compared) = compared {
        let mut compared = compared.into_iter();
        new.expr = compared.next().map(Box::new);
        for (pair, when) in new.when_then_expr.iter_mut().zip(compared) {
            *pair.0 = when;
        }
    }
    Some(Expr::Case(new))
}

/// What stands side by side, with the decimals as doubles; none if there are not both.
fn alike(all: Vec<&Expr>, of: impl Fn(&Expr) -> Option<DataType>) -> Option<Vec<Expr>> {
    let types: Vec<Option<DataType>> = all.iter().map(|e| of(e)).collect();
    let any = |is: fn(&DataType) -> bool| types.iter().flatten().any(is);
    if !(any(DataType::is_floating) && any(is_decimal)) {
        return None;
    }
    let new = all.into_iter().zip(&types).map(|(e, of)| match of {
        Some(of) if is_decimal(of) => double(e),
        _ => e.clone(),
    });
    Some(new.collect())
}

/// A comparison with a number that is written out, in the type of what it is compared with, so that
/// statistics tell of it: `f > 85.5` of floats, `n > 85.5` of whole numbers is `n >= 86`. None where
/// there is no such number.
fn beside(of: &DataType, op: Operator, value: &ScalarValue) -> Option<(Operator, ScalarValue)> {
    use Operator as O;
    let up = matches!(op, O::Gt | O::GtEq);
    let down = matches!(op, O::Lt | O::LtEq);
    if of.is_integer() {
        let ScalarValue::Decimal128(Some(digits), _, scale) = value else { return None };
        let unit = 10_i128.checked_pow(u32::try_from(*scale).ok()?)?;
        let whole = digits.div_euclid(unit);
        let (op, whole) = match digits.rem_euclid(unit) == 0 {
            true => (op, whole),
            false if up => (O::GtEq, whole + 1),
            false if down => (O::LtEq, whole),
            false => return None,
        };
        let whole = ScalarValue::Int64(Some(i64::try_from(whole).ok()?));
        return whole.cast_to(of).ok().filter(|v| !v.is_null()).map(|whole| (op, whole));
    }
    let number = match value {
        ScalarValue::Float64(Some(number)) if *of == DataType::Float32 => *number,
        ScalarValue::Decimal128(..) if of.is_floating() => number(value)?,
        _ => return None,
    };
    if *of == DataType::Float64 {
        return Some((op, ScalarValue::Float64(Some(number))));
    }
    if *of != DataType::Float32 || number.is_nan() {
        return None;
    }
    // As doubles they are compared; a double between two floats is on the same side as one of them.
    let near = number as f32;
    let below = if f64::from(near) > number { near.next_down() } else { near };
    let (op, float) = match f64::from(near) == number {
        true => (op, near),
        false if up => (O::GtEq, below.next_up()),
        false if down => (O::LtEq, below),
        false => return None,
    };
    Some((op, ScalarValue::Float32(Some(float))))
}

/// The double next to a decimal.
fn number(value: &ScalarValue) -> Option<f64> {
    let ScalarValue::Decimal128(Some(digits), _, scale) = value else { return None };
    format!("{digits}e{}", -i16::from(*scale)).parse().ok()
}

fn compares(operator: Operator) -> bool {
    use Operator as O;
    matches!(operator, O::Eq | O::NotEq | O::Lt | O::LtEq | O::Gt | O::GtEq)
        || matches!(operator, O::IsDistinctFrom | O::IsNotDistinctFrom)
}

pub(super) fn is_decimal(of: &DataType) -> bool {
    matches!(of, DataType::Decimal128(..) | DataType::Decimal256(..))
}

/// A decimal as a double, if it is compared with one.
fn doubles(with: &DataType, expr: &Expr, of: Option<DataType>) -> Option<Expr> {
    (with.is_floating() && is_decimal(&of?)).then(|| double(expr))
}

pub(super) fn double(expr: &Expr) -> Expr {
    match expr {
        Expr::Literal(value, _) => number(value).map_or_else(|| cast(expr.clone(), DataType::Float64), lit),
        other => cast(other.clone(), DataType::Float64),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beside_columns_are_of_their_type() {
        use Operator::{Eq, Gt, GtEq, Lt, LtEq};
        let decimal = |digits, scale| ScalarValue::Decimal128(Some(digits), 20, scale);
        let int = |n| ScalarValue::Int32(Some(n));
        for (of, op, value, want) in [
            (DataType::Int32, Gt, decimal(855, 1), Some((GtEq, int(86)))),
            (DataType::Int32, LtEq, decimal(855, 1), Some((LtEq, int(85)))),
            (DataType::Int32, Lt, decimal(-855, 1), Some((LtEq, int(-86)))),
            (DataType::Int32, GtEq, decimal(850, 1), Some((GtEq, int(85)))),
            (DataType::Int32, Eq, decimal(855, 1), None),
            (DataType::Int32, Gt, decimal(30_000_000_005, 1), None),
            (DataType::Float64, Eq, decimal(999_995, 2), Some((Eq, ScalarValue::Float64(Some(9999.95))))),
            (DataType::Float32, Gt, decimal(855, 1), Some((Gt, ScalarValue::Float32(Some(85.5))))),
            // 0.1 as a float is above 0.1 as a double.
            (DataType::Float32, Gt, decimal(1, 1), Some((GtEq, ScalarValue::Float32(Some(0.1))))),
            (
                DataType::Float32,
                Lt,
                decimal(1, 1),
                Some((LtEq, ScalarValue::Float32(Some(0.1_f32.next_down())))),
            ),
            (DataType::Float32, Eq, decimal(1, 1), None),
        ] {
            assert_eq!(beside(&of, op, &value), want, "{of} {op} {value}");
        }
    }
}
