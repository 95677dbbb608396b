//! What a query cost, for comparing it with another one: the files that it read, and what its steps
//! took.

use super::query_plan::{Node, QueryPlan, Share};

/// What one reading of a table chose to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    pub table: String,
    /// The files that were chosen, whole.
    pub files: Share,
    /// The rows were counted from the log; no file is read.
    pub from_log: bool,
}

/// Of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFacts {
    pub reads: Vec<Read>,
    /// Bytes that the readers fetched; none if they did not count them, or nothing ran.
    pub bytes_read: Option<u64>,
    /// From the top down, each before what it reads from.
    pub nodes: Vec<Node>,
}

impl RunFacts {
    /// Those of a plan that was explained.
    pub fn of(plan: &QueryPlan) -> RunFacts {
        let reads = plan.scans.iter().map(|scan| Read {
            table: scan.table.clone(),
            files: if scan.from_log { Share::default() } else { scan.after_statistics },
            from_log: scan.from_log,
        });
        let bytes = plan.scans.iter().filter_map(|scan| scan.bytes_read);
        RunFacts {
            reads: reads.collect(),
            bytes_read: bytes.reduce(u64::saturating_add),
            nodes: plan.nodes.clone(),
        }
    }

    /// Files that were chosen to be read, of all tables.
    pub fn files(&self) -> Share {
        self.reads.iter().fold(Share::default(), |sum, read| Share {
            files: sum.files.saturating_add(read.files.files),
            bytes: sum.bytes.saturating_add(read.files.bytes),
        })
    }
}

/// A step of one plan, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// In both: its places in the one and the other.
    Both(usize, usize),
    First(usize),
    Second(usize),
}

/// Steps that are compared at most; of larger plans the rest is told as different.
const COMPARED: usize = 400;

/// The steps of two plans side by side: those of the same name and depth, in order, are the same
/// step (the longest common sequence).
pub fn side_by_side(first: &[Node], second: &[Node]) -> Vec<Step> {
    let (a, b) = (&first[..first.len().min(COMPARED)], &second[..second.len().min(COMPARED)]);
    let same = |i: usize, j: usize| a[i].name == b[j].name && a[i].depth == b[j].depth;
    // lengths[i][j]: of what is common to a[i..] and b[j..].
    let mut lengths = vec![vec![0u16; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i][j] = match same(i, j) {
                true => lengths[i + 1][j + 1] + 1,
                false => lengths[i + 1][j].max(lengths[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if same(i, j) {
            out.push(Step::Both(i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            out.push(Step::First(i));
            i += 1;
        } else {
            out.push(Step::Second(j));
            j += 1;
        }
    }
    out.extend((i..first.len()).map(Step::First));
    out.extend((j..second.len()).map(Step::Second));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::query_plan::Scan;

    fn nodes(names: &[(usize, &str)]) -> Vec<Node> {
        let node =
            |(depth, name): &(usize, &str)| Node { depth: *depth, name: (*name).into(), ..Node::default() };
        names.iter().map(node).collect()
    }

    #[test]
    fn the_same_steps_stand_side_by_side() {
        use Step::{Both, First, Second};
        let a = nodes(&[(0, "Sort"), (1, "Filter"), (2, "Scan")]);
        let b = nodes(&[(0, "Sort"), (1, "Scan")]);
        assert_eq!(side_by_side(&a, &b), [Both(0, 0), First(1), First(2), Second(1)]);
        let c = nodes(&[(0, "Sort"), (1, "Join"), (2, "Scan")]);
        assert_eq!(side_by_side(&a, &c), [Both(0, 0), First(1), Second(1), Both(2, 2)]);
        assert_eq!(side_by_side(&[], &b), [Second(0), Second(1)]);
        let large = nodes(&vec![(0, "x"); COMPARED + 3]);
        assert_eq!(side_by_side(&large, &large).len(), COMPARED + 6);
    }

    #[test]
    fn figures_are_sums_over_tables() {
        let scan = |files, from_log, bytes_read| Scan {
            after_statistics: Share { files, bytes: files * 10 },
            from_log,
            bytes_read,
            ..Scan::default()
        };
        let plan =
            QueryPlan { scans: vec![scan(3, false, Some(7)), scan(9, true, None)], ..QueryPlan::default() };
        let facts = RunFacts::of(&plan);
        assert_eq!((facts.files(), facts.bytes_read), (Share { files: 3, bytes: 30 }, Some(7)));
        assert_eq!(RunFacts::of(&QueryPlan::default()).bytes_read, None);
    }
}
