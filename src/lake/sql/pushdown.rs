//! Which conditions the provider of a table is trusted with.
//!
//! delta-rs' provider says of each condition on partition columns that it keeps exactly the rows for
//! which it holds. It does for a column beside a value; for `a OR NULL`, `CASE`, `coalesce` and
//! their like it keeps the rows for which the condition is NULL, too. Those are checked once more
//! by the engine.

use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown};

/// What the provider's word on a condition is worth.
pub(super) fn trusted(filter: &Expr, says: TableProviderFilterPushDown) -> TableProviderFilterPushDown {
    use TableProviderFilterPushDown as P;
    match says {
        P::Exact if !is_plain(filter) || names_nan(filter) => P::Inexact,
        says => says,
    }
}

/// Whether a part of the condition, all of whose parts must hold, is NULL or false for every row.
pub(super) fn never_holds(filter: &Expr) -> bool {
    match filter {
        Expr::Literal(value, _) => value.is_null() || *value == ScalarValue::Boolean(Some(false)),
        Expr::BinaryExpr(both) if both.op == Operator::And => {
            never_holds(&both.left) || never_holds(&both.right)
        }
        _ => false,
    }
}

/// The condition without the branches that never hold: where rows are chosen, NULL and false are the
/// same.
pub(super) fn settled(filter: Expr) -> Expr {
    match filter {
        Expr::BinaryExpr(both) if both.op == Operator::Or => {
            let (left, right) = (settled(*both.left), settled(*both.right));
            match (never_holds(&left), never_holds(&right)) {
                (true, _) => right,
                (false, true) => left,
                (false, false) => left.or(right),
            }
        }
        Expr::BinaryExpr(both) if both.op == Operator::And => settled(*both.left).and(settled(*both.right)),
        other => other,
    }
}

/// A column compared with values that are not NULL, or several such that must all hold.
fn is_plain(filter: &Expr) -> bool {
    match filter {
        Expr::BinaryExpr(both) if both.op == Operator::And => is_plain(&both.left) && is_plain(&both.right),
        Expr::BinaryExpr(both) => {
            let compares = matches!(
                both.op,
                Operator::Eq
                    | Operator::NotEq
                    | Operator::Lt
                    | Operator::LtEq
                    | Operator::Gt
                    | Operator::GtEq
            );
            compares && is_column(&both.left) && is_value(&both.right)
        }
        Expr::InList(list) => is_column(&list.expr) && list.list.iter().all(is_value),
        Expr::Between(between) => {
            is_column(&between.expr) && is_value(&between.low) && is_value(&between.high)
        }
        Expr::IsNull(inner) | Expr::IsNotNull(inner) => is_column(inner),
        _ => false,
    }
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Column(_))
}

fn is_value(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(value, _) if !value.is_null())
}

/// Whether NaN or an infinity stands in the condition. Statistics leave NaN out, so that no file is to be
/// skipped by such a condition.
pub(super) fn names_nan(filter: &Expr) -> bool {
    let mut found = false;
    // Nothing in it fails.
    let _ = filter.apply(|e| {
        found |= match e {
            Expr::Literal(ScalarValue::Float32(Some(n)), _) => !n.is_finite(),
            Expr::Literal(ScalarValue::Float64(Some(n)), _) => !n.is_finite(),
            _ => false,
        };
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

#[cfg(test)]
mod tests {
    use datafusion::logical_expr::{col, lit};

    use super::*;

    #[test]
    fn only_plain_conditions_are_exact() {
        use TableProviderFilterPushDown as P;
        let null = || lit(ScalarValue::Null);
        for (filter, want) in [
            (col("a").eq(lit(1)), P::Exact),
            (col("a").in_list(vec![lit(1), lit(2)], true).and(col("b").is_null()), P::Exact),
            (col("a").in_list(vec![lit(1), null()], false), P::Inexact),
            (col("a").eq(lit(1)).or(null()), P::Inexact),
            (col("a").eq(lit(1)).is_null(), P::Inexact),
            (col("a").eq(col("b")), P::Inexact),
            (col("a").gt(lit(f64::NAN)), P::Inexact),
            (col("a").gt(lit(f32::INFINITY)), P::Inexact),
        ] {
            assert_eq!(trusted(&filter, P::Exact), want, "{filter}");
        }
        assert_eq!(trusted(&col("a").eq(lit(1)), P::Inexact), P::Inexact);
    }

    #[test]
    fn branches_that_never_hold_are_left_out() {
        let null = || lit(ScalarValue::Boolean(None));
        let one = || col("a").eq(lit(1));
        assert_eq!(settled(one().or(null())), one());
        assert_eq!(settled(null().or(one()).and(col("b").is_null())), one().and(col("b").is_null()));
        assert_eq!(settled(one().or(null()).is_null()), one().or(null()).is_null());
        assert!(never_holds(&settled(null().or(lit(false)))));
    }
}
