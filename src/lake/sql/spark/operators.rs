//! Operators that mean something else in Spark than in the engine, by the types of what they stand
//! between: `/` of whole numbers is a double, of decimals keeps Spark's digits; a zero below gives
//! NULL; `DIV` is the whole part; `a[0]` is an array's first element.

use arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::functions::core::expr_fn::nullif;
use datafusion::functions_nested::expr_fn::array_element;
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr, RawFieldAccessExpr};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, GetFieldAccess, Operator, cast, lit, when};
use datafusion::sql::sqlparser::ast::BinaryOperator;

/// Plans these operators; leaves all others to the engine.
#[derive(Debug)]
pub(in crate::lake::sql) struct SparkOperators;

impl ExprPlanner for SparkOperators {
    fn plan_binary_op(&self, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let (Ok(left), Ok(right)) = (raw.left.get_type(schema), raw.right.get_type(schema)) else {
            return Ok(PlannerResult::Original(raw));
        };
        if !(is_number(&left) && is_number(&right)) {
            return Ok(PlannerResult::Original(raw));
        }
        let text = |of: &DataType| matches!(of, DataType::Utf8 | DataType::Utf8View);
        let planned = match raw.op {
            // A text beside a number is taken for one.
            BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply
                if text(&left) != text(&right) =>
            {
                let operator = match raw.op {
                    BinaryOperator::Plus => Operator::Plus,
                    BinaryOperator::Minus => Operator::Minus,
                    _ => Operator::Multiply,
                };
                binary(cast(raw.left, DataType::Float64), operator, cast(raw.right, DataType::Float64))
            }
            BinaryOperator::Divide => divided(&raw, &left, &right),
            BinaryOperator::Modulo => binary(raw.left, Operator::Modulo, without_zero(raw.right, &right)?),
            BinaryOperator::DuckIntegerDivide | BinaryOperator::MyIntegerDivide => {
                let quotient = binary(raw.left, Operator::Divide, without_zero(raw.right, &right)?);
                Ok(cast(quotient?, DataType::Int64))
            }
            _ => return Ok(PlannerResult::Original(raw)),
        };
        planned.map(PlannerResult::Planned)
    }

    fn plan_field_access(
        &self,
        raw: RawFieldAccessExpr,
        schema: &DFSchema,
    ) -> Result<PlannerResult<RawFieldAccessExpr>> {
        let GetFieldAccess::ListIndex { key } = &raw.field_access else {
            return Ok(PlannerResult::Original(raw));
        };
        if !matches!(raw.expr.get_type(schema)?, DataType::List(_) | DataType::LargeList(_)) {
            return Ok(PlannerResult::Original(raw));
        }
        // The engine counts from 1, takes negative places from the end, and has nothing at 0.
        let place = match key.as_ref() {
            Expr::Literal(ScalarValue::Int64(Some(n)), _) => {
                lit(if *n < 0 { 0 } else { n.saturating_add(1) })
            }
            other => when(other.clone().lt(lit(0_i64)), lit(0_i64)).otherwise(other.clone() + lit(1_i64))?,
        };
        Ok(PlannerResult::Planned(array_element(raw.expr, place)))
    }
}

fn is_number(of: &DataType) -> bool {
    of.is_numeric() || *of == DataType::Utf8 || *of == DataType::Utf8View
}

fn binary(left: Expr, op: Operator, right: Expr) -> Result<Expr> {
    Ok(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
}

/// The divisor, NULL where it is zero.
fn without_zero(right: Expr, of: &DataType) -> Result<Expr> {
    let Ok(zero) = ScalarValue::new_zero(of) else { return Ok(right) };
    match &right {
        Expr::Literal(value, _) if *value != zero => Ok(right),
        _ => Ok(nullif(right, lit(zero))),
    }
}

fn divided(raw: &RawBinaryExpr, left: &DataType, right: &DataType) -> Result<Expr> {
    let is_decimal = matches!(left, DataType::Decimal128(..)) || matches!(right, DataType::Decimal128(..));
    let exact = (decimal(&raw.left, left), decimal(&raw.right, right));
    let ((Some(a), Some(b)), true) = (exact, is_decimal) else {
        let divisor = cast(raw.right.clone(), DataType::Float64);
        let divisor = match &raw.right {
            Expr::Literal(value, _) => {
                without_zero(lit(value.cast_to(&DataType::Float64)?), &DataType::Float64)?
            }
            _ => without_zero(divisor, &DataType::Float64)?,
        };
        return binary(cast(raw.left.clone(), DataType::Float64), Operator::Divide, divisor);
    };
    let divisor = without_zero(raw.right.clone(), right)?;
    let (precision, scale) = quotient(a, b);
    let to = DataType::Decimal128(precision, scale);
    // The engine gives four digits more than the dividend has; as many as it takes are added first.
    let digits = (scale - 4).max(a.1);
    let whole = i16::from(a.0) - i16::from(a.1);
    if whole + i16::from(digits) > 38 {
        return Ok(cast(binary(raw.left.clone(), Operator::Divide, divisor)?, to));
    }
    let dividend = cast(raw.left.clone(), DataType::Decimal128((whole + i16::from(digits)) as u8, digits));
    Ok(cast(binary(dividend, Operator::Divide, cast(divisor, DataType::Decimal128(b.0, b.1)))?, to))
}

/// Precision and scale of a number in decimal arithmetic; none for doubles and texts. A whole number
/// that is written out has the digits that it has (Spark's `DecimalType.fromLiteral`).
fn decimal(expr: &Expr, of: &DataType) -> Option<(u8, i8)> {
    if let (Expr::Literal(value, _), true) = (expr, of.is_integer()) {
        return Some((value.to_string().trim_start_matches('-').len().clamp(1, 20) as u8, 0));
    }
    match of {
        DataType::Decimal128(precision, scale) => Some((*precision, *scale)),
        DataType::Int8 | DataType::UInt8 => Some((3, 0)),
        DataType::Int16 | DataType::UInt16 => Some((5, 0)),
        DataType::Int32 | DataType::UInt32 => Some((10, 0)),
        DataType::Int64 | DataType::UInt64 => Some((20, 0)),
        _ => None,
    }
}

/// Spark's type of a quotient of decimals (`DecimalPrecision`, division, and `adjustPrecisionScale`).
fn quotient((p1, s1): (u8, i8), (p2, s2): (u8, i8)) -> (u8, i8) {
    let (p1, s1, p2, s2) = (i16::from(p1), i16::from(s1), i16::from(p2), i16::from(s2));
    let whole = p1 - s1 + s2;
    let scale = (s1 + p2 + 1).max(6);
    let precision = whole + scale;
    if precision <= 38 {
        return (precision as u8, scale as i8);
    }
    (38, (38 - whole).max(scale.min(6)) as i8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The types are those that Spark's `DESCRIBE SELECT` tells.
    #[test]
    fn quotients_have_sparks_digits() {
        assert_eq!(quotient((10, 2), (1, 0)), (14, 6));
        assert_eq!(quotient((10, 2), (10, 2)), (23, 13));
        assert_eq!(quotient((38, 10), (38, 10)), (38, 6));
    }
}
