//! Least and greatest values of floats and doubles, taken from what a reader of files knows of them.
//!
//! Where the two are the same, the engine's reader takes every row to be of that value and reads none.
//! But they leave out NaN: of 1.5 and NaN, both rows would be 1.5.

use std::sync::Arc;

use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;

use super::explain::reader;

/// The plan with readers that hold such bounds for estimates only.
pub(super) fn of_floats_are_estimates(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let changed = plan.transform_up(|node| {
        let known = reader(&node).filter(|config| {
            let mut files = config.file_groups.iter().flat_map(FileGroup::iter);
            files.any(|file| file.statistics.as_deref().is_some_and(bounds_floats))
        });
        let Some(config) = known else { return Ok(Transformed::no(node)) };
        let group = |group: &FileGroup| {
            let new = FileGroup::new(group.iter().map(estimated).collect());
            match group.file_statistics(None) {
                Some(whole) => new.with_statistics(Arc::new(loosened(whole))),
                None => new,
            }
        };
        let groups = config.file_groups.iter().map(group).collect();
        let config = FileScanConfigBuilder::from(config.clone()).with_file_groups(groups).build();
        Ok(Transformed::yes(DataSourceExec::from_data_source(config) as Arc<dyn ExecutionPlan>))
    });
    changed.map(|changed| changed.data)
}

fn estimated(file: &PartitionedFile) -> PartitionedFile {
    let mut file = file.clone();
    if let Some(statistics) = file.statistics.as_mut().filter(|s| bounds_floats(s)) {
        *statistics = Arc::new(loosened(statistics));
    }
    file
}

fn bounds_floats(statistics: &Statistics) -> bool {
    statistics.column_statistics.iter().any(|c| is_float(&c.min_value) || is_float(&c.max_value))
}

fn loosened(statistics: &Statistics) -> Statistics {
    let mut statistics = statistics.clone();
    for column in &mut statistics.column_statistics {
        for bound in [&mut column.min_value, &mut column.max_value] {
            if is_float(bound) {
                *bound = std::mem::take(bound).to_inexact();
            }
        }
    }
    statistics
}

fn is_float(bound: &Precision<ScalarValue>) -> bool {
    matches!(bound, Precision::Exact(value) if value.data_type().is_floating())
}
