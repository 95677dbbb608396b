//! Casts between times, numbers and texts. A number stands for seconds since 1970, as in Spark; for the
//! engine it is what it keeps, in whatever unit. As text a time has a space between date and time.

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::functions::datetime::expr_fn::date_part;
use datafusion::functions::math::expr_fn::floor;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast, lit};
use datafusion::optimizer::AnalyzerRule;

use super::compare;
use super::typed::time_as_text;

/// Runs before the engine adds casts of its own.
#[derive(Debug)]
pub(in crate::lake::sql) struct SecondsOfTimes;

impl AnalyzerRule for SecondsOfTimes {
    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(rewrite).map(|changed| changed.data)
    }

    fn name(&self) -> &str {
        "seconds_of_times"
    }
}

fn rewrite(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = merge_schema(&plan.inputs());
    let names = NamePreserver::new(&plan);
    plan.map_expressions(|expr| {
        let name = names.save(&expr);
        let changed = expr.transform_up(|e| match e {
            Expr::Cast(inner) => {
                let of = inner.expr.get_type(&schema);
                let to = inner.field.data_type().clone();
                match of.ok().and_then(|of| meant(&inner.expr, &of, &to)) {
                    Some(other) => Ok(Transformed::yes(other)),
                    None => Ok(Transformed::no(Expr::Cast(inner))),
                }
            }
            other => match compare::meant(&other, &schema) {
                Some(new) => Ok(Transformed::yes(new)),
                None => Ok(Transformed::no(other)),
            },
        })?;
        Ok(changed.update_data(|e| name.restore(e)))
    })
}

/// What Spark's cast stands for; none where the engine's does the same.
fn meant(expr: &Expr, of: &DataType, to: &DataType) -> Option<Expr> {
    use DataType as D;
    let is_whole = |t: &D| t.is_integer();
    match (of, to) {
        (D::Timestamp(..), to) if is_whole(to) || to.is_floating() => {
            let seconds = date_part(lit("epoch"), expr.clone());
            Some(cast(if is_whole(to) { floor(seconds) } else { seconds }, to.clone()))
        }
        (D::Timestamp(..), D::Utf8 | D::LargeUtf8 | D::Utf8View) => {
            Some(time_as_text()?.call(vec![expr.clone()]))
        }
        (of, D::Timestamp(..)) if is_whole(of) => {
            let micros = cast(expr.clone(), D::Int64) * lit(1_000_000_i64);
            Some(cast(cast(micros, D::Timestamp(TimeUnit::Microsecond, None)), to.clone()))
        }
        (of, D::Timestamp(..)) if of.is_floating() || matches!(of, D::Decimal128(..)) => {
            let micros = cast(expr.clone(), D::Float64) * lit(1e6);
            let micros = cast(micros, D::Int64);
            Some(cast(cast(micros, D::Timestamp(TimeUnit::Microsecond, None)), to.clone()))
        }
        _ => None,
    }
}
