//! Figures over all files of a list, computed once a list and kept.

use crate::model::detail::num_partitions;
use crate::model::files::FileList;
use crate::model::histogram::Histogram;
use crate::model::rollup::{Measures, PartitionTree, median};
use crate::model::table::Metadata;
use crate::model::target::size_target;

/// What the panes show of a file list as a whole.
#[derive(Debug, Clone)]
pub struct Summary {
    pub total: Measures,
    /// Bytes; none without files.
    pub median_size: Option<f64>,
    pub by_size: Histogram,
    pub by_rows: Histogram,
    pub tree: PartitionTree,
    /// Combinations of partition values with active files; 0 for a table without partition columns.
    pub partitions: u64,
}

impl Summary {
    pub fn of(list: &FileList, metadata: &Metadata) -> Self {
        let tree = PartitionTree::of(list);
        let total = tree.total;
        Summary {
            total,
            median_size: median(list.sizes().collect()),
            by_size: Histogram::by_size(list, size_target(metadata, total.bytes)),
            by_rows: Histogram::by_rows(list),
            partitions: num_partitions(list),
            tree,
        }
    }
}
