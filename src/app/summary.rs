//! Figures over all files of a list, computed once a list and kept.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::model::detail::num_partitions;
use crate::model::files::FileList;
use crate::model::histogram::Histogram;
use crate::model::rollup::{Measures, PartitionTree, median};
use crate::model::skew::{Oddity, Skew, odd_values};
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
    /// How unevenly the partitions are filled; none without partitions.
    pub skew: Option<Skew>,
    /// Partition values that look like mistakes, by depth in the tree and value.
    pub odd: FxHashMap<(usize, Option<Arc<str>>), Oddity>,
}

impl Summary {
    pub fn of(list: &FileList, metadata: &Metadata) -> Self {
        let tree = PartitionTree::of(list);
        let total = tree.total;
        let odd = odd_values(&tree).into_iter().filter_map(|odd| {
            let depth = tree.columns.iter().position(|c| *c == odd.column)?;
            Some(((depth, odd.value), odd.oddity))
        });
        Summary {
            total,
            median_size: median(list.sizes().collect()),
            by_size: Histogram::by_size(list, size_target(metadata, total.bytes)),
            by_rows: Histogram::by_rows(list),
            partitions: num_partitions(list),
            skew: Skew::of_leaves(&tree),
            odd: odd.collect(),
            tree,
        }
    }
}
