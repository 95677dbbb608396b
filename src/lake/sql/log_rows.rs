//! Rows that come from the log alone. delta-rs' step for them says that it takes a limit, and takes none:
//! `SELECT region FROM t LIMIT 1` would give all rows. Behind this step a limit stays where it is.

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
pub(super) struct LogRowsExec {
    input: Arc<dyn ExecutionPlan>,
}

impl LogRowsExec {
    /// The plan as it is, or behind this step if it is delta-rs' step.
    pub(super) fn around(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let passes_limits_over = plan.supports_limit_pushdown()
            && plan.children().is_empty()
            && plan.with_fetch(Some(1)).is_none();
        if passes_limits_over { Arc::new(LogRowsExec { input: plan }) } else { plan }
    }
}

impl DisplayAs for LogRowsExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogRowsExec")
    }
}

impl ExecutionPlan for LogRowsExec {
    fn name(&self) -> &str {
        "LogRowsExec"
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
            (Some(input), true) => Ok(Arc::new(LogRowsExec { input })),
            _ => plan_err!("LogRowsExec has one input"),
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
            None => plan_err!("LogRowsExec has one input"),
        }
    }
}
