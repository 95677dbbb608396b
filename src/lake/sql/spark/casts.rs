//! `CAST(timestamp AS BIGINT)`: whole seconds since 1970, as in Spark; the engine gives the number
//! that it keeps, in whatever unit.

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::functions::datetime::expr_fn::date_part;
use datafusion::functions::math::expr_fn::floor;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast, lit};
use datafusion::optimizer::AnalyzerRule;

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
            Expr::Cast(inner)
                if matches!(inner.expr.get_type(&schema), Ok(DataType::Timestamp(..)))
                    && (inner.field.data_type().is_integer() || inner.field.data_type().is_floating()) =>
            {
                let to = inner.field.data_type().clone();
                let seconds = date_part(lit("epoch"), *inner.expr);
                let seconds = if to.is_integer() { floor(seconds) } else { seconds };
                Ok(Transformed::yes(cast(seconds, to)))
            }
            other => Ok(Transformed::no(other)),
        })?;
        Ok(changed.update_data(|e| name.restore(e)))
    })
}
