//! Partitions by a measure.

use std::cmp::Reverse;

use super::rollup::{Measures, PartitionTree};

/// What partitions can be ordered by; figures from the largest down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PartitionKey {
    /// Their values.
    #[default]
    Value,
    Bytes,
    Files,
    /// Partitions whose rows are unknown come last.
    Rows,
    Average,
    Smallest,
    Largest,
}

impl PartitionKey {
    /// None where the figure is unknown; the same for all by value.
    fn of(self, m: &Measures) -> Option<u64> {
        match self {
            PartitionKey::Value => Some(0),
            PartitionKey::Bytes => Some(m.bytes),
            PartitionKey::Files => Some(m.files),
            PartitionKey::Rows => m.rows(),
            PartitionKey::Average => m.average(),
            PartitionKey::Smallest => Some(m.min),
            PartitionKey::Largest => Some(m.max),
        }
    }
}

impl PartitionTree {
    /// Nodes of the first `depth` levels, parents before their children, brothers by the key; equal ones
    /// by their values.
    pub fn ordered(&self, key: PartitionKey, reverse: bool, depth: usize) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.nodes.len());
        let mut next = self.roots.clone();
        self.sort(&mut next, key, reverse);
        next.reverse();
        while let Some(at) = next.pop() {
            let Some(node) = self.nodes.get(at).filter(|n| n.depth < depth) else { continue };
            out.push(at);
            let mut children = node.children.clone();
            self.sort(&mut children, key, reverse);
            next.extend(children.into_iter().rev());
        }
        out
    }

    /// The nodes of one level by the key, whatever their parents; equal ones by their values.
    pub fn level(&self, key: PartitionKey, reverse: bool, level: usize) -> Vec<usize> {
        let mut out: Vec<usize> = (0..self.nodes.len()).filter(|at| self.nodes[*at].depth == level).collect();
        self.sort(&mut out, key, reverse);
        out
    }

    fn sort(&self, nodes: &mut [usize], key: PartitionKey, reverse: bool) {
        let figure = |at: &usize| self.nodes.get(*at).and_then(|n| key.of(&n.measures));
        if key == PartitionKey::Value && reverse {
            nodes.reverse();
        } else if reverse {
            nodes.sort_by_key(|at| (figure(at).is_none(), figure(at)));
        } else {
            nodes.sort_by_key(|at| (figure(at).is_none(), Reverse(figure(at))));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::files::{ChunkBuilder, FileList, NewFile};
    use crate::model::partition::PartitionDict;

    fn tree() -> PartitionTree {
        let mut dict = PartitionDict::new(vec!["a".to_owned(), "b".to_owned()]);
        let mut chunk = ChunkBuilder::new(true, 8);
        let files =
            [("1", "x", 10, Some(1)), ("1", "y", 50, None), ("2", "x", 70, Some(5)), ("2", "y", 30, Some(9))];
        for (a, b, size, records) in files {
            let partition = dict.intern(&[Some(a.into()), Some(b.into())]);
            chunk.push(NewFile { path: "f", size, records, partition, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(dict), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        PartitionTree::of(&list)
    }

    fn names(tree: &PartitionTree, nodes: &[usize]) -> Vec<String> {
        let name = |at: &usize| {
            tree.values_of(*at).iter().map(|v| v.as_deref().unwrap_or("null")).collect::<Vec<_>>().join("/")
        };
        nodes.iter().map(name).collect()
    }

    #[test]
    fn brothers_are_ordered_below_their_parents() {
        let t = tree();
        let by = |key, reverse, depth| names(&t, &t.ordered(key, reverse, depth));
        assert_eq!(by(PartitionKey::Value, false, 2), ["1", "1/x", "1/y", "2", "2/x", "2/y"]);
        assert_eq!(by(PartitionKey::Bytes, false, 2), ["2", "2/x", "2/y", "1", "1/y", "1/x"]);
        assert_eq!(by(PartitionKey::Bytes, true, 1), ["1", "2"]);
        let level = |key, reverse| names(&t, &t.level(key, reverse, 1));
        assert_eq!(level(PartitionKey::Rows, false), ["2/y", "2/x", "1/x", "1/y"]);
        assert_eq!(level(PartitionKey::Rows, true), ["1/x", "2/x", "2/y", "1/y"]);
        assert_eq!(level(PartitionKey::Value, true), ["2/y", "2/x", "1/y", "1/x"]);
    }
}
