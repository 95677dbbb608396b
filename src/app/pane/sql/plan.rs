//! A plan that one walks through: each scan's funnel, then the steps as a tree that folds.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::layer::detail::DetailLayer;
use crate::model::query_plan::{Node, QueryPlan, Scan, short_time};
use crate::model::units::{bytes, count, percent};

/// A line that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// What a scan reads, in a sentence.
    Scan(usize),
    /// The condition of a scan.
    Condition(usize),
    /// A stage of a scan's funnel.
    Stage(usize, usize),
    /// Above the steps.
    Steps,
    Step(usize),
}

/// The plan, and what of it is folded away.
#[derive(Debug, Clone)]
pub struct PlanTree {
    pub plan: Arc<QueryPlan>,
    scans: BTreeSet<usize>,
    steps: BTreeSet<usize>,
    lines: Vec<Line>,
}

/// Files of a scan that are listed at most.
const LISTED: usize = 2_000;

impl PlanTree {
    pub fn new(plan: Arc<QueryPlan>) -> Self {
        let mut tree = PlanTree { plan, scans: BTreeSet::new(), steps: BTreeSet::new(), lines: Vec::new() };
        tree.arrange();
        tree
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub fn line(&self, at: usize) -> Option<Line> {
        self.lines.get(at).copied()
    }

    /// The first line of the step that took most of the time, if one stands out.
    pub fn slow_line(&self) -> Option<usize> {
        let slow = |line: &Line| matches!(line, Line::Step(at) if self.plan.nodes[*at].slow);
        self.lines.iter().position(slow)
    }

    fn arrange(&mut self) {
        let mut lines = Vec::new();
        for (at, scan) in self.plan.scans.iter().enumerate() {
            lines.push(Line::Scan(at));
            if !self.scans.contains(&at) {
                lines.extend(scan.predicate.as_ref().map(|_| Line::Condition(at)));
                lines.extend((0..scan.stages().len()).map(|stage| Line::Stage(at, stage)));
            }
        }
        lines.push(Line::Steps);
        let mut hidden_below = None;
        for (at, node) in self.plan.nodes.iter().enumerate() {
            if hidden_below.is_some_and(|depth| node.depth > depth) {
                continue;
            }
            hidden_below = self.steps.contains(&at).then_some(node.depth);
            lines.push(Line::Step(at));
        }
        self.lines = lines;
    }

    /// Whether there is something below a step.
    fn has_children(&self, step: usize) -> bool {
        let depth = |at: usize| self.plan.nodes.get(at).map(|n| n.depth);
        depth(step).zip(depth(step + 1)).is_some_and(|(own, next)| next > own)
    }

    /// Whether the line's folding can be changed, and whether it is folded.
    pub fn folded(&self, line: Line) -> Option<bool> {
        match line {
            Line::Scan(at) => Some(self.scans.contains(&at)),
            Line::Step(at) => self.has_children(at).then(|| self.steps.contains(&at)),
            _ => None,
        }
    }

    /// Folds or unfolds what is below a line; gives the line's new place.
    pub fn toggle(&mut self, at: usize) -> usize {
        let Some(line) = self.line(at) else { return at };
        match line {
            Line::Scan(scan) | Line::Condition(scan) | Line::Stage(scan, _) => flip(&mut self.scans, scan),
            Line::Step(step) if self.has_children(step) => flip(&mut self.steps, step),
            _ => return at,
        }
        self.arrange();
        let whole = match line {
            Line::Condition(scan) | Line::Stage(scan, _) => Line::Scan(scan),
            other => other,
        };
        self.lines.iter().position(|l| *l == whole).unwrap_or(at)
    }

    /// Folds what is below the line, or goes to what it is part of; gives the new place.
    pub fn fold(&mut self, at: usize) -> usize {
        let Some(line) = self.line(at) else { return at };
        if self.folded(line) == Some(false) {
            return self.toggle(at);
        }
        let parent = match line {
            Line::Condition(scan) | Line::Stage(scan, _) => Some(Line::Scan(scan)),
            Line::Step(step) => {
                let depth = self.plan.nodes[step].depth;
                (0..step).rev().find(|up| self.plan.nodes[*up].depth < depth).map(Line::Step)
            }
            Line::Scan(_) | Line::Steps => None,
        };
        parent.and_then(|up| self.lines.iter().position(|l| *l == up)).unwrap_or(at)
    }

    /// Unfolds what is below the line, or goes into it; gives the new place.
    pub fn unfold(&mut self, at: usize) -> usize {
        let Some(line) = self.line(at) else { return at };
        match self.folded(line) {
            Some(true) => self.toggle(at),
            Some(false) => (at + 1).min(self.lines.len().saturating_sub(1)),
            None => at,
        }
    }

    /// All of a line: the files of a scan, the figures of a step.
    pub fn detail(&self, at: usize) -> DetailLayer {
        match self.line(at) {
            Some(Line::Scan(scan) | Line::Condition(scan) | Line::Stage(scan, _)) => {
                let mut d = DetailLayer::new("What the query reads");
                self.plan.scans.get(scan).into_iter().for_each(|scan| files(&mut d, scan));
                d
            }
            Some(Line::Step(step)) => self.step(step),
            Some(Line::Steps) | None => self.whole(),
        }
    }

    fn whole(&self) -> DetailLayer {
        let mut d = DetailLayer::new("What the query reads");
        if let (Some(rows), Some(millis)) = (self.plan.rows, self.plan.millis) {
            d.row("rows", count(rows));
            d.row("time", crate::model::units::duration(millis));
        }
        self.plan.scans.iter().for_each(|scan| files(&mut d, scan));
        if self.plan.scans.is_empty() {
            d.row("files", "the query reads no table");
        }
        d
    }

    fn step(&self, at: usize) -> DetailLayer {
        let Some(node) = self.plan.nodes.get(at) else { return DetailLayer::default() };
        let mut d = DetailLayer::new(&node.name);
        if let Some(text) = meaning(&node.name) {
            d.row("what it does", text);
        }
        if !node.detail.is_empty() {
            d.row("with", node.detail.as_str());
        }
        if let Some(rows) = node.rows {
            d.row("rows given", count(rows));
        }
        if let Some(nanos) = node.nanos {
            let text = format!("{}, {} of all steps' time", short_time(nanos), self.share(node));
            if node.slow { d.warn("time", format!("{text}: the slow one")) } else { d.row("time", text) }
        }
        node.metrics.iter().for_each(|(name, value)| d.row(name, value.as_str()));
        if let Some(scan) = node.scan.and_then(|scan| self.plan.scans.get(scan)) {
            files(&mut d, scan);
        }
        d
    }

    /// A step's part of the time of all.
    pub fn share(&self, node: &Node) -> String {
        let all = self.plan.nodes.iter().filter_map(|n| n.nanos).fold(0, u64::saturating_add);
        percent(node.nanos.unwrap_or(0), all)
    }
}

fn flip(set: &mut BTreeSet<usize>, at: usize) {
    if !set.remove(&at) {
        set.insert(at);
    }
}

/// What a scan reads and leaves out, and what made it so.
fn files(d: &mut DetailLayer, scan: &Scan) {
    d.heading(&scan.sentence());
    if let Some(predicate) = &scan.predicate {
        d.row("condition", predicate.as_str());
    }
    for (name, share, why) in scan.stages() {
        d.row(name, format!("{}   {why}", share.trim()).trim_end());
    }
    let fates = [
        (None, "read", "Read"),
        (Some("partition"), "not: partition", "Dropped: the condition excludes their partition"),
        (Some("statistics"), "not: statistics", "Dropped: their statistics exclude the condition"),
    ];
    for (reason, word, heading) in fates {
        let of = || scan.files.iter().filter(move |f| f.reason == reason);
        let (number, size) = of().fold((0u64, 0u64), |(n, size), f| (n + 1, size.saturating_add(f.bytes)));
        if number == 0 {
            continue;
        }
        let s = if number == 1 { "" } else { "s" };
        d.heading(&format!("{heading} ({} file{s}, {})", count(number), bytes(size)));
        for file in of().take(LISTED) {
            d.row(word, format!("{}   {}", file.path, bytes(file.bytes)));
        }
        if number > LISTED as u64 {
            d.row("…", format!("{} more files", count(number - LISTED as u64)));
        }
    }
}

/// The engine's steps in plain words; none for those that say it themselves.
fn meaning(name: &str) -> Option<&'static str> {
    Some(match name {
        "AggregateExec" => "groups rows and works out sums, counts and the like",
        "CoalescePartitionsExec" => "brings the rows of all threads together",
        "CoalesceBatchesExec" => "joins small batches of rows to larger ones",
        "CrossJoinExec" => "pairs each row of one side with each of the other",
        "DataSourceExec" => "reads files",
        "DeltaScanExec" => "gives the table's rows: deleted ones left out, partition values put in",
        "DeltaScanMetaExec" => "counts the table's rows from its log",
        "EmptyExec" => "gives no row",
        "FilterExec" => "keeps the rows for which a condition holds",
        "GlobalLimitExec" | "LocalLimitExec" => "ends after so many rows",
        "HashJoinExec" => "joins: keeps one side in memory, looks up the rows of the other",
        "NestedLoopJoinExec" => "joins: tries each row of one side with each of the other",
        "PlaceholderRowExec" => "gives one row without a table",
        "ProjectionExec" => "works out the columns",
        "RepartitionExec" => "spreads the rows over threads",
        "SortExec" => "sorts",
        "SortMergeJoinExec" => "joins two sorted sides",
        "SortPreservingMergeExec" => "brings sorted rows of all threads together",
        "UnionExec" => "gives the rows of one side after the other's",
        "WindowAggExec" | "BoundedWindowAggExec" => "works out window functions",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::query_plan::{FileFate, Share};

    fn tree() -> PlanTree {
        let node = |depth, name: &str, scan| Node { depth, name: name.into(), scan, ..Node::default() };
        let fate = |path: &str, reason| FileFate {
            path: path.into(),
            bytes: 1024,
            kept: Option::is_none(&reason),
            reason,
            row_groups: None,
        };
        let scan = Scan {
            table: "t".into(),
            predicate: Some("p = 1".into()),
            total: Share { files: 3, bytes: 3072 },
            after_partitions: Some(Share { files: 2, bytes: 2048 }),
            after_statistics: Share { files: 1, bytes: 1024 },
            files: vec![fate("a", Some("partition")), fate("b", None), fate("c", Some("statistics"))],
            ..Scan::default()
        };
        let nodes = vec![
            node(0, "SortExec", None),
            node(1, "HashJoinExec", None),
            node(2, "DataSourceExec", Some(0)),
            node(2, "EmptyExec", None),
            node(1, "Last", None),
        ];
        PlanTree::new(Arc::new(QueryPlan { scans: vec![scan], nodes, ..QueryPlan::default() }))
    }

    #[test]
    fn folds_and_goes_to_what_a_line_is_part_of() {
        use Line::{Condition, Scan, Stage, Step, Steps};
        let mut tree = tree();
        let all = [
            Scan(0),
            Condition(0),
            Stage(0, 0),
            Stage(0, 1),
            Stage(0, 2),
            Steps,
            Step(0),
            Step(1),
            Step(2),
            Step(3),
            Step(4),
        ];
        assert_eq!(tree.lines(), all);
        assert_eq!(tree.fold(8), 7, "from a leaf to its parent");
        assert_eq!(tree.fold(7), 7);
        assert_eq!(tree.lines()[7..], [Step(1), Step(4)]);
        assert_eq!(tree.folded(Step(1)), Some(true));
        assert_eq!(tree.unfold(7), 7);
        assert_eq!(tree.lines(), all);
        assert_eq!(tree.unfold(7), 8, "into it");
        assert_eq!(tree.toggle(3), 0, "a stage folds its scan");
        assert_eq!(tree.lines()[..2], [Scan(0), Steps]);
        assert_eq!(tree.fold(1), 1);
        assert_eq!(tree.toggle(99), 99);
    }

    #[test]
    fn files_are_listed_by_what_became_of_them() {
        let tree = tree();
        let text = tree.detail(0).to_text();
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in {text}"));
        assert!(at("Read (1 file, 1.00 KiB)") < at("read: b"));
        assert!(at("read: b") < at("their partition") && at("their partition") < at("not: partition: a"));
        assert!(at("not: partition: a") < at("not: statistics: c"));
        assert!(tree.detail(8).to_text().contains("not: statistics: c"), "a scan's step lists them too");
        assert!(!tree.detail(6).to_text().contains("read: b"));
    }
}
