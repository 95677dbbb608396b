//! Sums over files, and the partition tree. Every roll-up conserves files, bytes and rows.

use std::sync::Arc;

use super::files::{FileList, FileRef};

/// What a set of files amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measures {
    pub files: u64,
    pub bytes: u64,
    /// Σ of the live rows that are known.
    pub known_rows: u64,
    /// Files whose rows are unknown; if there are any, the rows as a whole are unknown.
    pub files_without_rows: u64,
    /// Bytes of the smallest file; meaningless without files.
    pub min: u64,
    /// Bytes of the largest file.
    pub max: u64,
    /// Files with a deletion vector.
    pub vectors: u64,
    /// Rows that deletion vectors delete.
    pub deleted_rows: u64,
}

impl Measures {
    pub fn add(&mut self, file: &FileRef<'_>) {
        self.min = if self.files == 0 { file.size } else { self.min.min(file.size) };
        self.max = self.max.max(file.size);
        self.files += 1;
        self.bytes = self.bytes.saturating_add(file.size);
        match file.live_records() {
            Some(n) => self.known_rows = self.known_rows.saturating_add(n),
            None => self.files_without_rows += 1,
        }
        if let Some(dv) = file.deletion_vector {
            self.vectors += 1;
            self.deleted_rows = self.deleted_rows.saturating_add(dv.cardinality);
        }
    }

    pub fn merge(&mut self, other: &Measures) {
        if other.files == 0 {
            return;
        }
        self.min = if self.files == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.files += other.files;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.known_rows = self.known_rows.saturating_add(other.known_rows);
        self.files_without_rows += other.files_without_rows;
        self.vectors += other.vectors;
        self.deleted_rows = self.deleted_rows.saturating_add(other.deleted_rows);
    }

    /// Live rows; none if a file lacks the figure.
    pub fn rows(&self) -> Option<u64> {
        (self.files_without_rows == 0).then_some(self.known_rows)
    }

    /// Mean file size in bytes; none without files.
    pub fn average(&self) -> Option<u64> {
        self.bytes.checked_div(self.files)
    }

    /// Sum over all files of a list.
    pub fn of(list: &FileList) -> Self {
        let mut sum = Measures::default();
        for file in list.iter() {
            sum.add(&file);
        }
        sum
    }
}

/// Median of file sizes in bytes: the middle one, or the mean of the two middle ones.
pub fn median(mut sizes: Vec<u64>) -> Option<f64> {
    let n = sizes.len();
    if n == 0 {
        return None;
    }
    let (below, upper, _) = sizes.select_nth_unstable(n / 2);
    let upper = *upper;
    if n % 2 == 1 {
        return Some(upper as f64);
    }
    let lower = below.iter().copied().max().unwrap_or(upper);
    Some(lower as f64 + (upper - lower) as f64 / 2.0)
}

/// A node of the partition tree: a value of one partition column under its parent's values.
#[derive(Debug, Clone)]
pub struct PartitionNode {
    /// 0 for the first partition column.
    pub depth: usize,
    pub value: Option<Arc<str>>,
    pub measures: Measures,
    /// Indexes in [`PartitionTree::nodes`], sorted by value, null first.
    pub children: Vec<usize>,
    /// The partition's id in the dictionary, at leaves.
    pub leaf: Option<u32>,
    pub parent: Option<usize>,
}

/// The partitions that hold active files, as a tree along the partition columns.
#[derive(Debug, Clone, Default)]
pub struct PartitionTree {
    pub columns: Arc<[String]>,
    pub nodes: Vec<PartitionNode>,
    pub roots: Vec<usize>,
    pub total: Measures,
}

impl PartitionTree {
    pub fn of(list: &FileList) -> Self {
        let dict = &list.partitions;
        let mut leaves = vec![Measures::default(); dict.len()];
        for file in list.iter() {
            if let Some(m) = leaves.get_mut(file.partition as usize) {
                m.add(&file);
            }
        }
        let mut ids: Vec<u32> = (0..dict.len() as u32).filter(|id| leaves[*id as usize].files > 0).collect();
        ids.sort_by(|a, b| dict.values(*a).cmp(dict.values(*b)));
        let mut tree = PartitionTree { columns: dict.columns().into(), ..PartitionTree::default() };
        let depth = tree.columns.len();
        let mut path: Vec<usize> = Vec::with_capacity(depth);
        for id in ids {
            let measures = leaves[id as usize];
            tree.total.merge(&measures);
            let values = dict.values(id);
            let same =
                path.iter().zip(values).take_while(|(node, v)| tree.nodes[**node].value == **v).count();
            path.truncate(same);
            for (level, value) in values.iter().enumerate().skip(same) {
                let node = tree.nodes.len();
                let parent = path.last().copied();
                tree.nodes.push(PartitionNode {
                    depth: level,
                    value: value.clone(),
                    measures: Measures::default(),
                    children: Vec::new(),
                    leaf: (level + 1 == depth).then_some(id),
                    parent,
                });
                match parent {
                    Some(p) => tree.nodes[p].children.push(node),
                    None => tree.roots.push(node),
                }
                path.push(node);
            }
            for node in &path {
                tree.nodes[*node].measures.merge(&measures);
            }
        }
        tree
    }

    /// The leaves, in the order of their values.
    pub fn leaves(&self) -> impl Iterator<Item = &PartitionNode> {
        self.nodes.iter().filter(|n| n.leaf.is_some())
    }

    /// The values from the first partition column down to `node`.
    pub fn values_of(&self, node: usize) -> Vec<Option<Arc<str>>> {
        let mut out = Vec::new();
        let mut at = Some(node);
        while let Some(i) = at {
            out.push(self.nodes[i].value.clone());
            at = self.nodes[i].parent;
        }
        out.reverse();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![5]), Some(5.0));
        assert_eq!(median(vec![9, 2]), Some(5.5));
        assert_eq!(median(vec![3, 9, 1]), Some(3.0));
    }
}
