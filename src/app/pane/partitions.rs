//! The partition tree, folded and unfolded.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use crate::app::scroll::Scroll;
use crate::app::summary::Summary;
use crate::model::partition::{PartitionValues, value_key};
use crate::model::rollup::{PartitionNode, PartitionTree};
use crate::model::skew::Oddity;

/// What siblings are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PartitionSort {
    #[default]
    Value,
    Files,
    Bytes,
    Rows,
    Average,
    Smallest,
}

impl PartitionSort {
    pub const ALL: [PartitionSort; 6] = [
        PartitionSort::Value,
        PartitionSort::Files,
        PartitionSort::Bytes,
        PartitionSort::Rows,
        PartitionSort::Average,
        PartitionSort::Smallest,
    ];

    pub fn title(self) -> &'static str {
        match self {
            PartitionSort::Value => "value",
            PartitionSort::Files => "files",
            PartitionSort::Bytes => "bytes",
            PartitionSort::Rows => "rows",
            PartitionSort::Average => "average",
            PartitionSort::Smallest => "smallest",
        }
    }

    fn figure(self, node: &PartitionNode) -> Option<u64> {
        match self {
            PartitionSort::Value => None,
            PartitionSort::Files => Some(node.measures.files),
            PartitionSort::Bytes => Some(node.measures.bytes),
            PartitionSort::Rows => node.measures.rows(),
            PartitionSort::Average => node.measures.average(),
            PartitionSort::Smallest => Some(node.measures.min),
        }
    }
}

/// The tree's state. `visible` holds node indexes of the summary's tree.
#[derive(Debug, Default)]
pub struct PartitionsPane {
    pub scroll: Scroll,
    pub sort: PartitionSort,
    pub descending: bool,
    pub visible: Vec<usize>,
    /// By values, so that unfolded nodes stay so when a new list comes.
    unfolded: HashSet<PartitionValues>,
    summary: Option<Arc<Summary>>,
    /// Until the user folds anything, a small tree is shown unfolded.
    touched: bool,
}

/// A tree with at most this many nodes starts unfolded.
const UNFOLD_BELOW: usize = 40;

impl PartitionsPane {
    pub fn set(&mut self, summary: Arc<Summary>) {
        let selected = self.selected_values();
        if !self.touched && summary.tree.nodes.len() <= UNFOLD_BELOW {
            self.unfolded = inner(&summary.tree).collect();
        }
        self.summary = Some(summary);
        self.flatten(selected);
    }

    pub fn tree(&self) -> Option<&PartitionTree> {
        self.summary.as_deref().map(|s| &s.tree)
    }

    pub fn selected_node(&self) -> Option<(usize, &PartitionNode)> {
        let at = *self.visible.get(self.scroll.selected)?;
        Some((at, self.tree()?.nodes.get(at)?))
    }

    /// Why a node's value looks like a mistake, if it does.
    pub fn oddity(&self, node: usize) -> Option<Oddity> {
        let summary = self.summary.as_deref()?;
        let node = summary.tree.nodes.get(node)?;
        summary.odd.get(&(node.depth, node.value.clone())).copied()
    }

    pub fn is_unfolded(&self, node: usize) -> bool {
        self.tree().is_some_and(|t| self.unfolded.contains(&key(t, node)))
    }

    /// Unfolds the selected node; if it is unfolded, goes to its first child.
    pub fn unfold(&mut self) {
        let Some((at, node)) = self.selected_node() else { return };
        if node.children.is_empty() {
            return;
        }
        if self.is_unfolded(at) {
            self.scroll.selected += 1;
        } else {
            self.set_fold(at, false);
        }
    }

    /// Folds the selected node; if it is folded, goes to its parent.
    pub fn fold(&mut self) {
        let Some((at, node)) = self.selected_node() else { return };
        if self.is_unfolded(at) && !node.children.is_empty() {
            self.set_fold(at, true);
        } else if let Some(parent) = node.parent {
            self.scroll.selected = self.visible.iter().position(|n| *n == parent).unwrap_or(0);
        }
    }

    pub fn toggle(&mut self) {
        if let Some((at, _)) = self.selected_node() {
            self.set_fold(at, self.is_unfolded(at));
        }
    }

    /// Unfolds everything, or folds everything if nothing is left to unfold.
    pub fn toggle_all(&mut self) {
        let Some(tree) = self.tree() else { return };
        let all: HashSet<_> = inner(tree).collect();
        let selected = self.selected_values();
        self.touched = true;
        self.unfolded = if all.is_subset(&self.unfolded) { HashSet::new() } else { all };
        self.flatten(selected);
    }

    /// Goes to the next value that looks like a mistake, around the end; unfolds everything if none
    /// is visible.
    pub fn find_odd(&mut self, forward: bool) {
        if !self.visible.iter().any(|node| self.oddity(*node).is_some()) {
            let Some(tree) = self.tree() else { return };
            self.unfolded = inner(tree).collect();
            self.touched = true;
            self.flatten(self.selected_values());
        }
        let (len, at) = (self.visible.len(), self.scroll.selected);
        let step = |n: usize| if forward { (at + n) % len } else { (at + len - n) % len };
        let odd = |at: &usize| self.visible.get(*at).is_some_and(|node| self.oddity(*node).is_some());
        self.scroll.selected = (1..=len).map(step).find(odd).unwrap_or(at);
    }

    /// Whether anything can be unfolded.
    pub fn is_nested(&self) -> bool {
        self.tree().is_some_and(|t| t.columns.len() > 1)
    }

    /// Whether a value looks like a mistake.
    pub fn has_odd(&self) -> bool {
        self.summary.as_ref().is_some_and(|s| !s.odd.is_empty())
    }

    pub fn set_sort(&mut self, sort: PartitionSort) {
        self.descending = if self.sort == sort { !self.descending } else { sort != PartitionSort::Value };
        self.sort = sort;
        self.flatten(self.selected_values());
    }

    pub fn next_sort(&mut self) {
        let at = PartitionSort::ALL.iter().position(|s| *s == self.sort).unwrap_or(0);
        self.set_sort(PartitionSort::ALL[(at + 1) % PartitionSort::ALL.len()]);
    }

    pub fn reverse(&mut self) {
        self.descending = !self.descending;
        self.flatten(self.selected_values());
    }

    /// `a=1/b=null` of the selected node.
    pub fn selected_label(&self) -> Option<String> {
        let (at, _) = self.selected_node()?;
        let tree = self.tree()?;
        let part = |(c, v): (&String, &Option<Arc<str>>)| format!("{c}={}", v.as_deref().unwrap_or("null"));
        let parts: Vec<String> = tree.columns.iter().zip(&tree.values_of(at)).map(part).collect();
        Some(parts.join("/"))
    }

    fn set_fold(&mut self, node: usize, fold: bool) {
        let Some(key) = self.tree().map(|t| key(t, node)) else { return };
        self.touched = true;
        if fold {
            self.unfolded.remove(&key);
        } else {
            self.unfolded.insert(key.clone());
        }
        self.flatten(Some(key));
    }

    /// From the first partition column down to the selected node.
    pub fn selected_values(&self) -> Option<PartitionValues> {
        let (at, _) = self.selected_node()?;
        Some(key(self.tree()?, at))
    }

    /// Lists the visible nodes anew and puts the selection back on the node with these values.
    fn flatten(&mut self, selected: Option<PartitionValues>) {
        let Some(summary) = self.summary.clone() else { return };
        let tree = &summary.tree;
        let mut visible = Vec::new();
        let mut pending = self.sorted(tree, &tree.roots);
        pending.reverse();
        while let Some(at) = pending.pop() {
            visible.push(at);
            let node = &tree.nodes[at];
            if !node.children.is_empty() && self.unfolded.contains(&key(tree, at)) {
                pending.extend(self.sorted(tree, &node.children).into_iter().rev());
            }
        }
        if let Some(values) = selected
            && let Some(node) = find(tree, &values)
            && let Some(at) = visible.iter().position(|n| *n == node)
        {
            self.scroll.selected = at;
        }
        self.visible = visible;
        self.scroll.clamp(self.visible.len());
    }

    /// Siblings in the wanted order; those with an unknown figure last.
    fn sorted(&self, tree: &PartitionTree, nodes: &[usize]) -> Vec<usize> {
        let mut nodes = nodes.to_vec();
        let figure = |n: &usize| self.sort.figure(&tree.nodes[*n]);
        match (self.sort, self.descending) {
            (PartitionSort::Value, descending) => {
                nodes.sort_by_cached_key(|n| value_key(tree.nodes[*n].value.as_deref()));
                if descending {
                    nodes.reverse();
                }
            }
            (_, false) => nodes.sort_by_key(|n| figure(n).map_or((1, 0), |f| (0, f))),
            (_, true) => nodes.sort_by_key(|n| figure(n).map_or((1, Reverse(0)), |f| (0, Reverse(f)))),
        }
        nodes
    }
}

fn key(tree: &PartitionTree, node: usize) -> PartitionValues {
    tree.values_of(node).into()
}

/// The node with these values.
fn find(tree: &PartitionTree, values: &[Option<Arc<str>>]) -> Option<usize> {
    let mut level = &tree.roots;
    let mut found = None;
    for value in values {
        let node = *level.iter().find(|n| tree.nodes[**n].value == *value)?;
        level = &tree.nodes[node].children;
        found = Some(node);
    }
    found
}

fn inner(tree: &PartitionTree) -> impl Iterator<Item = PartitionValues> {
    (0..tree.nodes.len()).filter(|n| !tree.nodes[*n].children.is_empty()).map(|n| key(tree, n))
}
