//! A step that neither limits nor conditions pass.
//!
//! delta-rs' step for rows that come from the log alone says that it takes a limit, and takes none:
//! `SELECT region FROM t LIMIT 1` would give all rows. And readers of files skip by statistics what a
//! condition with NaN is about. Behind this step both stay where they are.

use std::fmt;
use std::sync::Arc;

use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, plan_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};

/// Passes on what the step below gives.
#[derive(Debug, Clone)]
pub(super) struct Boundary {
    input: Arc<dyn ExecutionPlan>,
}

impl Boundary {
    /// The plan behind this step.
    pub(super) fn around(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(Boundary { input: plan })
    }

    /// The plan as it is, or behind this step if it would pass over limits.
    pub(super) fn where_needed(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let passes_over = plan.supports_limit_pushdown()
            && plan.children().is_empty()
            && plan.with_fetch(Some(1)).is_none();
        if passes_over { Boundary::around(plan) } else { plan }
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
            (Some(input), true) => Ok(Arc::new(Boundary { input })),
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
        match inputs.first() {
            Some(statistics) => Ok(Arc::clone(statistics)),
            None => plan_err!("BoundaryExec has one input"),
        }
    }
}
