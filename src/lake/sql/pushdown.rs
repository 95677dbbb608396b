//! Which conditions the provider of a table is trusted with.
//!
//! delta-rs' provider says of each condition on partition columns that it keeps exactly the rows for
//! which it holds. It does for a column beside a value; for `a OR NULL`, `CASE`, `coalesce` and
//! their like it keeps the rows for which the condition is NULL, too. Those are checked once more
//! by the engine.
//!
//! Least and greatest values of floats and doubles, in the log as in footers, leave out NaN, which is
//! above every number. So they tell nothing of conditions that hold for NaN, such as `x > 5` or `x <> 5`:
//! no file is to be skipped by these.

use arrow::datatypes::{DataType, Schema};
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown, lit};

/// What the provider's word on a condition is worth.
pub(super) fn trusted(
    filter: &Expr,
    schema: &Schema,
    says: TableProviderFilterPushDown,
) -> TableProviderFilterPushDown {
    use TableProviderFilterPushDown as P;
    match says {
        P::Exact if !is_plain(filter) || names_float(filter, schema) => P::Inexact,
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
        Expr::BinaryExpr(both) => compares(both.op) && is_column(&both.left) && is_value(&both.right),
        Expr::InList(list) => is_column(&list.expr) && list.list.iter().all(is_value),
        Expr::Between(between) => {
            is_column(&between.expr) && is_value(&between.low) && is_value(&between.high)
        }
        Expr::IsNull(inner) | Expr::IsNotNull(inner) => is_column(inner),
        _ => false,
    }
}

fn compares(operator: Operator) -> bool {
    use Operator as O;
    matches!(operator, O::Eq | O::NotEq | O::Lt | O::LtEq | O::Gt | O::GtEq)
}

fn is_column(expr: &Expr) -> bool {
    matches!(expr, Expr::Column(_))
}

fn is_value(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(value, _) if !value.is_null())
}

/// Those of the conditions, all of which must hold, by which files may be skipped.
pub(in crate::lake::sql) fn skipping(filters: &[Expr], schema: &Schema) -> Vec<Expr> {
    let parts = filters.iter().flat_map(split_conjunction);
    // `x < 9` leaves no NaN for `x > 5` to hold for.
    let numbers: Vec<&Expr> = parts.filter_map(never_nan).collect();
    let among = |side: &Expr, other: &Expr| is_finite(other) && numbers.contains(&bare(side));
    let beside = |filter: &Expr| match filter {
        Expr::BinaryExpr(both) => {
            compares(both.op) && (among(&both.left, &both.right) || among(&both.right, &both.left))
        }
        _ => false,
    };
    filters.iter().filter(|f| !may_hold_for_nan(f, schema) || beside(f)).cloned().map(both_zeros).collect()
}

/// 0.0 and -0.0 are equal; for bounds one is below the other. So the condition is put in terms of the one
/// that bounds have to reach.
fn both_zeros(filter: Expr) -> Expr {
    let rewritten = filter.clone().transform_up(|e| {
        let Expr::BinaryExpr(both) = &e else { return Ok(Transformed::no(e)) };
        let (column, op, zero) = match (zeros(&both.left), zeros(&both.right)) {
            (None, Some(zero)) => (&both.left, Some(both.op), zero),
            (Some(zero), None) => (&both.right, both.op.swap(), zero),
            _ => return Ok(Transformed::no(e)),
        };
        let column = column.as_ref().clone();
        let (below, above) = zero;
        Ok(match op {
            Some(Operator::Eq) => Transformed::yes(column.clone().gt_eq(below).and(column.lt_eq(above))),
            Some(Operator::LtEq) => Transformed::yes(column.lt_eq(above)),
            Some(Operator::GtEq) => Transformed::yes(column.gt_eq(below)),
            _ => Transformed::no(e),
        })
    });
    rewritten.map_or(filter, |changed| changed.data)
}

/// For a zero -0.0 and 0.0.
fn zeros(expr: &Expr) -> Option<(Expr, Expr)> {
    match expr {
        Expr::Literal(ScalarValue::Float32(Some(n)), _) => (*n == 0.0).then(|| (lit(-0.0_f32), lit(0.0_f32))),
        Expr::Literal(ScalarValue::Float64(Some(n)), _) => (*n == 0.0).then(|| (lit(-0.0_f64), lit(0.0_f64))),
        _ => None,
    }
}

/// The column that is no NaN where the condition holds.
fn never_nan(filter: &Expr) -> Option<&Expr> {
    let of = |expr, bounded: bool| (bounded && is_number_of_row(expr)).then(|| bare(expr));
    match filter {
        Expr::BinaryExpr(both) => match both.op {
            Operator::Lt | Operator::LtEq => of(&both.left, is_finite(&both.right)),
            Operator::Gt | Operator::GtEq => of(&both.right, is_finite(&both.left)),
            Operator::Eq if is_finite(&both.left) => of(&both.right, true),
            Operator::Eq => of(&both.left, is_finite(&both.right)),
            _ => None,
        },
        Expr::Between(between) => of(&between.expr, !between.negated && is_finite(&between.high)),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::ScalarFunction(call) if call.name() == "isnan" => of(call.args.first()?, true),
            _ => None,
        },
        _ => None,
    }
}

/// Without casts to wider floats.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast(cast) => bare(&cast.expr),
        other => other,
    }
}

/// Whether no file may be skipped for the condition: it can hold for NaN in a column of floats or
/// doubles, or is not plain enough to tell.
fn may_hold_for_nan(filter: &Expr, schema: &Schema) -> bool {
    if !names_float(filter, schema) {
        return false;
    }
    match filter {
        Expr::BinaryExpr(both) => {
            let (left, right) = (both.left.as_ref(), both.right.as_ref());
            match both.op {
                Operator::And | Operator::Or => {
                    may_hold_for_nan(left, schema) || may_hold_for_nan(right, schema)
                }
                Operator::Lt | Operator::LtEq => !(is_number_of_row(left) && is_finite(right)),
                Operator::Gt | Operator::GtEq => !(is_finite(left) && is_number_of_row(right)),
                Operator::Eq => {
                    let either = |a, b| is_number_of_row(a) && is_finite(b);
                    !(either(left, right) || either(right, left))
                }
                _ => true,
            }
        }
        Expr::InList(list) => {
            let plain = |e: &Expr| is_finite(e) && zeros(e).is_none();
            list.negated || !is_number_of_row(&list.expr) || !list.list.iter().all(plain)
        }
        Expr::Between(between) => {
            let bounds = is_finite(&between.low) && is_finite(&between.high);
            between.negated || !is_number_of_row(&between.expr) || !bounds
        }
        Expr::IsNull(inner) | Expr::IsNotNull(inner) => !is_number_of_row(inner),
        _ => true,
    }
}

/// A column or a field of one, also as a wider float.
fn is_number_of_row(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) => true,
        Expr::Cast(cast) => cast.field.data_type().is_floating() && is_number_of_row(&cast.expr),
        Expr::ScalarFunction(call) if call.name() == "get_field" => {
            call.args.first().is_some_and(is_number_of_row)
        }
        _ => false,
    }
}

fn is_finite(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(ScalarValue::Float32(Some(n)), _) => n.is_finite(),
        Expr::Literal(ScalarValue::Float64(Some(n)), _) => n.is_finite(),
        _ => false,
    }
}

/// Whether a column of the condition is of floats or doubles, or has such in it.
fn names_float(filter: &Expr, schema: &Schema) -> bool {
    let mut found = false;
    // Nothing in it fails.
    let _ = filter.apply(|e| {
        if let Expr::Column(column) = e {
            found |= schema.field_with_name(&column.name).is_ok_and(|f| has_float(f.data_type()));
        }
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found
}

/// Whether values of the type are floats or doubles, or have such in them.
pub(super) fn has_float(of: &DataType) -> bool {
    match of {
        DataType::Struct(fields) => fields.iter().any(|f| has_float(f.data_type())),
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => {
            has_float(item.data_type())
        }
        other => other.is_floating(),
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Field;
    use datafusion::logical_expr::col;

    use super::*;

    /// Longs `a` and `b`, a double `x`, a float `y`.
    fn schema() -> Schema {
        let of = [
            ("a", DataType::Int64),
            ("b", DataType::Int64),
            ("x", DataType::Float64),
            ("y", DataType::Float32),
        ];
        Schema::new(of.map(|(name, of)| Field::new(name, of, true)).to_vec())
    }

    #[test]
    fn bounds_tell_nothing_of_what_holds_for_nan() {
        let (x, five) = (|| col("x"), || lit(5.0));
        for safe in [
            x().lt(five()),
            five().gt_eq(x()),
            col("y").eq(lit(5.0_f32)),
            x().in_list(vec![five(), lit(6.0)], false),
            x().between(lit(1.0), five()),
            x().is_null(),
            x().lt(five()).or(col("a").gt(lit(1))),
            col("a").not_eq(lit(1)),
        ] {
            assert!(!may_hold_for_nan(&safe, &schema()), "{safe}");
        }
        for unsafe_ in [
            x().gt(five()),
            five().lt(x()),
            col("y").not_eq(lit(5.0_f32)),
            x().in_list(vec![five()], true),
            x().lt(lit(f64::INFINITY)),
            x().eq(lit(f64::NAN)),
            x().lt_eq(col("y")),
            x().lt(five()).is_not_true(),
            x().lt(five()).or(x().gt(lit(9.0))),
            (x() + lit(1.0)).lt(five()),
        ] {
            assert!(may_hold_for_nan(&unsafe_, &schema()), "{unsafe_}");
        }
    }

    #[test]
    fn what_leaves_no_nan_helps_the_others() {
        let above = || col("x").gt(lit(5.0));
        let left = |filters: &[Expr]| skipping(filters, &schema()).len();
        assert_eq!(left(&[above()]), 0);
        assert_eq!(left(&[above(), col("x").lt(lit(9.0))]), 2);
        assert_eq!(left(&[above(), col("x").eq(lit(9.0))]), 2);
        assert_eq!(left(&[above(), col("y").lt(lit(9.0))]), 1);
        assert_eq!(left(&[above(), col("x").lt(lit(9.0)).or(col("a").is_null())]), 1);
        assert_eq!(left(&[above(), col("x").lt(lit(f64::NAN))]), 0);
    }

    #[test]
    fn zeros_are_equal() {
        let x = || col("x");
        let either = || x().gt_eq(lit(-0.0)).and(x().lt_eq(lit(0.0)));
        for (filter, want) in [
            (x().eq(lit(0.0)), either()),
            (lit(-0.0).eq(x()).or(x().is_null()), either().or(x().is_null())),
            (x().lt_eq(lit(-0.0)), x().lt_eq(lit(0.0))),
            (x().lt(lit(0.0)), x().lt(lit(0.0))),
            (x().eq(lit(1.0)), x().eq(lit(1.0))),
        ] {
            assert_eq!(skipping(&[filter], &schema()), [want]);
        }
        assert!(skipping(&[x().in_list(vec![lit(0.0), lit(1.0)], false)], &schema()).is_empty());
    }

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
            (col("x").lt(lit(1.0)), P::Inexact),
            (col("y").is_null(), P::Inexact),
        ] {
            assert_eq!(trusted(&filter, &schema(), P::Exact), want, "{filter}");
        }
        assert_eq!(trusted(&col("a").eq(lit(1)), &schema(), P::Inexact), P::Inexact);
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
