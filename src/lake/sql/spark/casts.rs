//! Casts between times, numbers and texts. A number stands for seconds since 1970, as in Spark; for the
//! engine it is what it keeps, in whatever unit. As text a time has a space between date and time.

use std::sync::Arc;

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::functions::datetime::expr_fn::date_part;
use datafusion::functions::math::expr_fn::floor;
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Union, cast, lit};
use datafusion::optimizer::AnalyzerRule;

use super::compare::{self, double, is_decimal};
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
    // What is below may give other types by now.
    let plan = queries(plan)?.recompute_schema()?;
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
            Expr::InSubquery(inside) => of_doubles(inside, &schema),
            other => match compare::meant(&other, &schema) {
                Some(new) => Ok(Transformed::yes(new)),
                None => Ok(Transformed::no(other)),
            },
        })?;
        Ok(changed.update_data(|e| name.restore(e)))
    })
}

/// `x IN (SELECT …)` of a double and decimals: as doubles.
fn of_doubles(mut inside: InSubquery, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let floats = inside.expr.get_type(schema).is_ok_and(|of| of.is_floating());
    let found = inside.subquery.subquery.schema().fields().first().map(|f| f.data_type().clone());
    match found {
        Some(of) if floats && is_decimal(&of) => {
            let plan = Arc::unwrap_or_clone(inside.subquery.subquery);
            inside.subquery.subquery = Arc::new(with_doubles(plan, &[true])?);
            Ok(Transformed::yes(Expr::InSubquery(inside)))
        }
        Some(of) if of.is_floating() && inside.expr.get_type(schema).is_ok_and(|of| is_decimal(&of)) => {
            *inside.expr = double(&inside.expr);
            Ok(Transformed::yes(Expr::InSubquery(inside)))
        }
        _ => Ok(Transformed::no(Expr::InSubquery(inside))),
    }
}

/// Of queries one after the other, the columns that are doubles in one and decimals in another.
fn queries(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Union(mut union) = plan else { return Ok(plan) };
    let columns = union.inputs.iter().map(|i| i.schema().fields().len()).min().unwrap_or(0);
    let any = |at: usize, is: fn(&DataType) -> bool| {
        union.inputs.iter().any(|i| i.schema().fields().get(at).is_some_and(|f| is(f.data_type())))
    };
    let mixed: Vec<bool> =
        (0..columns).map(|at| any(at, DataType::is_floating) && any(at, is_decimal)).collect();
    if mixed.contains(&true) {
        let inputs = union.inputs.into_iter();
        let inputs = inputs.map(|i| with_doubles(Arc::unwrap_or_clone(i), &mixed).map(Arc::new));
        union = Union::try_new_with_loose_types(inputs.collect::<Result<_>>()?)?;
    }
    Ok(LogicalPlan::Union(union))
}

/// The query with these of its columns as doubles, under the same names.
fn with_doubles(plan: LogicalPlan, which: &[bool]) -> Result<LogicalPlan> {
    let all = plan.schema().iter().enumerate().map(|(at, (table, field))| {
        let column = Expr::Column(Column::new(table.cloned(), field.name()));
        match which.get(at) {
            Some(true) if is_decimal(field.data_type()) => {
                cast(column, DataType::Float64).alias_qualified(table.cloned(), field.name())
            }
            _ => column,
        }
    });
    let all: Vec<Expr> = all.collect();
    LogicalPlanBuilder::from(plan).project(all)?.build()
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
