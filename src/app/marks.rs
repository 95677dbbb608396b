//! Partitions and files that the user marked, to scope an action.

use std::collections::BTreeSet;

use crate::model::partition::PartitionValues;
use crate::model::rollup::PartitionTree;

/// What is marked. A mark stays while the table is open, also when a new version is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Values from the first partition column down; all partitions that start with them are meant.
    pub partitions: BTreeSet<PartitionValues>,
    /// Paths as in the log.
    pub files: BTreeSet<String>,
}

/// The values of a partition with their columns, as a scope names them.
pub type NamedValues = Vec<(String, Option<String>)>;

impl Marks {
    /// Marks the partition, or takes its mark away.
    pub fn toggle_partition(&mut self, values: PartitionValues) {
        if !self.partitions.remove(&values) {
            self.partitions.insert(values);
        }
    }

    pub fn toggle_file(&mut self, path: &str) {
        if !self.files.remove(path) {
            self.files.insert(path.to_owned());
        }
    }

    /// The partitions of the tree that the marks mean, each once.
    pub fn leaves(&self, tree: &PartitionTree) -> Vec<NamedValues> {
        let mut out = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate() {
            if node.leaf.is_none() {
                continue;
            }
            let values = tree.values_of(at);
            if self.partitions.iter().any(|mark| values.starts_with(mark)) {
                out.push(named(tree, &values));
            }
        }
        out
    }
}

/// Values with the names of their columns.
pub fn named(tree: &PartitionTree, values: &[Option<std::sync::Arc<str>>]) -> NamedValues {
    let pairs = tree.columns.iter().zip(values);
    pairs.map(|(column, value)| (column.clone(), value.as_deref().map(str::to_owned))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::{ChunkBuilder, FileList, NewFile};
    use crate::model::partition::PartitionDict;
    use std::sync::Arc;

    #[test]
    fn a_mark_means_all_partitions_below_it() {
        let mut dict = PartitionDict::new(vec!["y".to_owned(), "m".to_owned()]);
        let mut chunk = ChunkBuilder::new(false, 3);
        for (y, m) in [("1", "1"), ("1", "2"), ("2", "1")] {
            let partition = dict.intern(&[Some(y.into()), Some(m.into())]);
            chunk.push(NewFile { path: "f", size: 1, partition, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(dict), false, false);
        list.push_chunk(Arc::new(chunk.finish()));
        let tree = PartitionTree::of(&list);
        let mut marks = Marks::default();
        marks.toggle_partition([Some("1".into())].into());
        marks.toggle_partition([Some("1".into()), Some("2".into())].into());
        let labels = |marks: &Marks| {
            let value = |(_, v): &(String, Option<String>)| v.clone().unwrap_or_default();
            let leaves = marks.leaves(&tree);
            leaves.iter().map(|l| l.iter().map(value).collect::<String>()).collect::<Vec<_>>()
        };
        assert_eq!(labels(&marks), ["11", "12"]);
        marks.toggle_partition([Some("1".into())].into());
        assert_eq!(labels(&marks), ["12"]);
    }
}
