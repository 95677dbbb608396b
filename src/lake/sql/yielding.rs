//! Plans that can be broken off while they compute: a join makes many rows of few, so that it may
//! work for hours without waiting for a file. Its steps are made to give way now and then, which is
//! when a task that was dropped ends, and when others get their turn.

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;

/// Steps that give more rows than they take. The engine sees to those that read.
const MULTIPLY: [&str; 6] = [
    "CrossJoinExec",
    "HashJoinExec",
    "NestedLoopJoinExec",
    "PiecewiseMergeJoinExec",
    "SortMergeJoinExec",
    "UnnestExec",
];

pub(super) fn yielding(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let made = plan.transform_up(|node| {
        Ok(match MULTIPLY.contains(&node.name()) {
            true => Transformed::yes(Arc::new(CooperativeExec::new(node)) as Arc<dyn ExecutionPlan>),
            false => Transformed::no(node),
        })
    });
    made.map(|made| made.data)
}

/// Whether a step gives all rows as they come: it is no part of what a plan tells.
pub(super) fn only_yields(node: &Arc<dyn ExecutionPlan>) -> bool {
    matches!(node.name(), "CooperativeExec" | "BoundaryExec")
}
