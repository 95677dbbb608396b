//! The physical plan as steps with their figures.

use std::sync::Arc;

use datafusion::physical_plan::metrics::{MetricValue, MetricsSet};
use datafusion::physical_plan::{ExecutionPlan, displayable};

use crate::lake::sql::yielding::only_yields;
use crate::model::query_plan::{Node, Pruned};

/// The steps from the top down; with their figures if the plan has run.
pub(super) fn nodes(plan: &Arc<dyn ExecutionPlan>, ran: bool) -> Vec<Node> {
    let mut out = Vec::new();
    push(plan, 0, ran, &mut out);
    out
}

fn push(plan: &Arc<dyn ExecutionPlan>, depth: usize, ran: bool, out: &mut Vec<Node>) {
    if only_yields(plan) {
        return plan.children().into_iter().for_each(|child| push(child, depth, ran, out));
    }
    let line = displayable(plan.as_ref()).one_line().to_string();
    let line = line.trim();
    let (name, detail) = line.split_once(": ").unwrap_or((line, ""));
    let mut node = Node { depth, name: name.to_owned(), detail: detail.to_owned(), ..Node::default() };
    if let Some(metrics) = plan.metrics().filter(|_| ran) {
        let metrics = metrics.aggregate_by_name();
        node.rows = metrics.output_rows().map(|n| n as u64);
        node.nanos = nanos(&metrics);
        node.metrics = figures(&metrics);
    }
    out.push(node);
    for child in plan.children() {
        push(child, depth + 1, ran, out);
    }
}

/// A step's own time. Readers of files do not know it; they know how long they were busy.
fn nanos(metrics: &MetricsSet) -> Option<u64> {
    let busy = || metrics.sum_by_name("time_elapsed_processing").map(|m| m.as_usize());
    metrics.elapsed_compute().filter(|n| *n > 1).or_else(busy).map(|n| n as u64)
}

/// The other figures, those that are zero left out.
fn figures(metrics: &MetricsSet) -> Vec<(String, String)> {
    let own = |value: &MetricValue| {
        matches!(value, MetricValue::OutputRows(_) | MetricValue::ElapsedCompute(_))
            || matches!(value, MetricValue::StartTimestamp(_) | MetricValue::EndTimestamp(_))
    };
    let all = metrics.iter().map(|m| m.value()).filter(|v| !own(v) && v.as_usize() > 0);
    all.map(|v| (v.name().to_owned(), v.to_string())).collect()
}

/// The sum of a pruning figure; none if nobody counted it.
pub(super) fn pruned(metrics: &MetricsSet, names: &[&str]) -> Option<Pruned> {
    let mut out: Option<Pruned> = None;
    for metric in metrics.iter() {
        let MetricValue::PruningMetrics { name, pruning_metrics } = metric.value() else { continue };
        if names.contains(&name.as_ref()) {
            let sum = out.get_or_insert_default();
            // What a first check leaves goes to the next one: the sum of the first is the whole.
            if names.first() == Some(&name.as_ref()) {
                sum.total += (pruning_metrics.pruned() + pruning_metrics.matched()) as u64;
            }
            sum.pruned += pruning_metrics.pruned() as u64;
        }
    }
    out
}
