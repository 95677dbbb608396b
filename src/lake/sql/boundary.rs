//! A step that holds back what the readers of a table's files would take wrongly.
//!
//! delta-rs' step for rows that come from the log alone says that it takes a limit, and takes none:
//! `SELECT region FROM t LIMIT 1` would give all rows. And readers of files skip by statistics, which
//! leave out NaN: neither a condition on floats or doubles nor the bound that a sort or a join finds while
//! it runs may reach them (those that may, [`super::pushdown`] has handed to the table before), and
//! the greatest value of such a column is not known.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::filter_pushdown::{
    ChildFilterDescription, FilterDescription, FilterPushdownPhase,
};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};

use super::pushdown::has_float;

/// Passes on what the step below gives.
#[derive(Debug, Clone)]
pub(super) struct Boundary {
    input: Arc<dyn ExecutionPlan>,
    /// Limits, and conditions without floats and doubles, go on to the step below.
    passes: bool,
}

impl Boundary {
    /// The plan as it is, or behind this step if it would pass over limits or gives floats.
    pub(super) fn where_needed(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let passes_over = plan.supports_limit_pushdown()
            && plan.children().is_empty()
            && plan.with_fetch(Some(1)).is_none();
        let floats = plan.schema().fields().iter().any(|f| has_float(f.data_type()));
        if passes_over || floats { Arc::new(Boundary { input: plan, passes: !passes_over }) } else { plan }
    }
}

impl DisplayAs for Boundary {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoundaryExec")
    }
}

impl ExecutionPlan for Boundary {
    fn name(&self) -> &str {
        "BoundaryExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(Boundary { input, passes: self.passes })),
            _ => plan_err!("BoundaryExec has one input"),
        }
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, context)
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let Some(statistics) = inputs.first() else { return plan_err!("BoundaryExec has one input") };
        let mut statistics = Statistics::clone(statistics);
        for (column, field) in statistics.column_statistics.iter_mut().zip(self.schema().fields()) {
            if has_float(field.data_type()) {
                column.min_value = Precision::Absent;
                column.max_value = Precision::Absent;
            }
        }
        Ok(Arc::new(statistics))
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }

    fn supports_limit_pushdown(&self) -> bool {
        self.passes && self.input.supports_limit_pushdown()
    }

    fn gather_filters_for_pushdown(
        &self,
        _: FilterPushdownPhase,
        conditions: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterDescription> {
        if !self.passes {
            return Ok(FilterDescription::all_unsupported(&conditions, &self.children()));
        }
        let schema = self.input.schema();
        let fields = schema.fields().iter().enumerate();
        let others = fields.filter(|(_, f)| !has_float(f.data_type())).map(|(at, _)| at).collect();
        let input = &self.input;
        let child = ChildFilterDescription::from_child_with_allowed_indices(&conditions, others, input)?;
        Ok(FilterDescription::new().with_child(child))
    }
}
