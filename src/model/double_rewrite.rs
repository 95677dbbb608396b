//! Commits that remove a file which was already removed: two rewrites of the same rows.
//!
//! A writer that compacts with a stale plan removes files that another compaction has removed
//! meanwhile, and adds their rows a second time. Writers whose conflict check ignores removes with
//! `dataChange=false` let that through (tried with delta-rs: ten files of 100 rows, two handles,
//! compact on both: the table reads 2,000 rows).

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// `commitInfo.operation` of a commit that repairs; its parameter `versions` holds, as a JSON text,
/// the second versions that it repaired.
pub const REPAIR: &str = "REPAIR";

/// The second versions that a commit says it repaired.
pub fn repaired_by(operation: Option<&str>, parameters: Option<&Map<String, Value>>) -> Vec<u64> {
    let versions = parameters.filter(|_| operation == Some(REPAIR)).and_then(|p| p.get("versions"));
    let text = versions.and_then(Value::as_str).unwrap_or_default();
    serde_json::from_str(text).unwrap_or_default()
}

/// What a commit does to files, as far as this matters. Commits may come in any order.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Percent-decoded, as in the file list.
    pub path: &'a str,
    pub kind: StepKind,
    /// `numRecords` that the action states; none if it states none.
    pub rows: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    Add,
    Remove,
}

/// How the rows of a file that was removed twice are wrong now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// Both commits wrote new files: the rows are there twice, or old ones live on beside their
    /// replacement.
    Doubled,
    /// The first only removed (a delete): the second brought its rows back.
    Returned,
    /// The first moved the rows to new files; the second, which only removes, did not reach them.
    Survived,
}

/// A pair of commits that removed the same files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubleRewrite {
    pub first_version: u64,
    pub second_version: u64,
    pub damage: Damage,
    /// Files removed by both.
    pub files: u64,
    /// Their rows; none if a file's rows are not stated by any action seen.
    pub rows: Option<u64>,
    /// Files that the second commit added: removing them repairs [`Damage::Doubled`].
    pub added_by_second: u64,
}

/// Collects commits, then finds what was removed twice.
#[derive(Debug, Default)]
pub struct Detector {
    ids: FxHashMap<Box<str>, u32>,
    /// By path id: rows that some action states.
    rows: Vec<Option<u64>>,
    commits: Vec<Seen>,
    /// Second versions whose damage a later commit says that it took away.
    repaired: Vec<u64>,
}

#[derive(Debug)]
struct Seen {
    version: u64,
    /// The version whose state the commit brought back (RESTORE).
    restored: Option<u64>,
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Detector {
    /// Takes a commit's file actions. `restored`: for a RESTORE, the version that it went back to.
    /// Change-data files are no steps.
    pub fn push<'a>(
        &mut self,
        version: u64,
        restored: Option<u64>,
        steps: impl IntoIterator<Item = Step<'a>>,
    ) {
        let mut seen = Seen { version, restored, added: Vec::new(), removed: Vec::new() };
        for step in steps {
            let id = match self.ids.get(step.path) {
                Some(id) => *id,
                None => {
                    let id = self.rows.len() as u32;
                    self.ids.insert(step.path.into(), id);
                    self.rows.push(None);
                    id
                }
            };
            if let Some(slot) = self.rows.get_mut(id as usize) {
                *slot = slot.or(step.rows);
            }
            match step.kind {
                StepKind::Add => seen.added.push(id),
                StepKind::Remove => seen.removed.push(id),
            }
        }
        self.commits.push(seen);
    }

    /// Some commit says that it repaired what this version did a second time.
    pub fn repaired(&mut self, second_version: u64) {
        self.repaired.push(second_version);
    }

    /// The pairs whose damage still stands, by version. A pair is settled once a later commit
    /// restores a version before its second commit, says that it repaired it, or only removes and so
    /// takes away every file that the second commit added.
    pub fn finish(mut self) -> Vec<DoubleRewrite> {
        self.commits.sort_by_key(|c| c.version);
        let mut removed_by: Vec<Option<u32>> = vec![None; self.rows.len()];
        let mut pairs: Vec<Pair> = Vec::new();
        let mut added_by: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, commit) in self.commits.iter().enumerate() {
            self.settle(commit, &mut pairs, &mut added_by);
            if commit.restored.is_none() {
                self.pair(at, &removed_by, &mut pairs, &mut added_by);
            }
            for id in &commit.removed {
                removed_by[*id as usize] = Some(at as u32);
            }
            for id in &commit.added {
                removed_by[*id as usize] = None;
            }
        }
        pairs.retain(|p| !p.settled && !self.repaired.contains(&p.found.second_version));
        pairs.into_iter().map(|p| p.found).collect()
    }

    fn pair(
        &self,
        at: usize,
        removed_by: &[Option<u32>],
        pairs: &mut Vec<Pair>,
        added_by: &mut FxHashMap<u32, usize>,
    ) {
        let second = &self.commits[at];
        let mut met: FxHashMap<u32, (u64, Option<u64>)> = FxHashMap::default();
        let mut removed = second.removed.clone();
        removed.sort_unstable();
        removed.dedup();
        for id in removed {
            if let Some(first) = removed_by[id as usize] {
                let (files, rows) = met.entry(first).or_insert((0, Some(0)));
                *files += 1;
                *rows = rows.zip(self.rows[id as usize]).map(|(a, b)| a.saturating_add(b));
            }
        }
        let mut met: Vec<_> = met.into_iter().collect();
        met.sort_unstable_by_key(|(first, _)| *first);
        for (first, (files, rows)) in met {
            let first = &self.commits[first as usize];
            let damage = match (first.added.is_empty(), second.added.is_empty()) {
                (false, false) => Damage::Doubled,
                (true, false) => Damage::Returned,
                (false, true) => Damage::Survived,
                // Deleted, and deleted again: nothing is left that should not be.
                (true, true) => continue,
            };
            for id in &second.added {
                added_by.insert(*id, pairs.len());
            }
            pairs.push(Pair {
                found: DoubleRewrite {
                    first_version: first.version,
                    second_version: second.version,
                    damage,
                    files,
                    rows,
                    added_by_second: second.added.len() as u64,
                },
                still_there: second.added.len() as u64,
                settled: false,
            });
        }
    }

    fn settle(&self, commit: &Seen, pairs: &mut [Pair], added_by: &mut FxHashMap<u32, usize>) {
        if let Some(restored) = commit.restored {
            let undone = |p: &Pair| p.found.second_version > restored;
            pairs.iter_mut().filter(|p| undone(p)).for_each(|p| p.settled = true);
        }
        if !commit.added.is_empty() {
            return;
        }
        let mut touched = Vec::new();
        for id in &commit.removed {
            if let Some(pair) = added_by.remove(id) {
                touched.push(pair);
            }
        }
        for pair in touched {
            // Pairs of one second commit share its files; the last one of them keeps the count.
            let Some(version) = pairs.get(pair).map(|p| p.found.second_version) else { continue };
            for p in pairs.iter_mut().filter(|p| p.found.second_version == version) {
                p.still_there = p.still_there.saturating_sub(1);
                p.settled |= p.still_there == 0;
            }
        }
    }
}

struct Pair {
    found: DoubleRewrite,
    /// Files of the second commit that no pure removal has taken away.
    still_there: u64,
    settled: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(path: &str) -> Step<'_> {
        Step { path, kind: StepKind::Add, rows: Some(100) }
    }

    fn remove(path: &str) -> Step<'_> {
        Step { path, kind: StepKind::Remove, rows: None }
    }

    type Commit<'a> = (u64, Option<u64>, Vec<Step<'a>>);

    fn found(commits: &[Commit<'_>]) -> Vec<DoubleRewrite> {
        let run = |commits: &mut dyn Iterator<Item = &Commit<'_>>| {
            let mut detector = Detector::default();
            for (version, restored, steps) in commits {
                detector.push(*version, *restored, steps.iter().copied());
            }
            detector.finish()
        };
        let forward = run(&mut commits.iter());
        assert_eq!(forward, run(&mut commits.iter().rev()), "the order of reading must not matter");
        forward
    }

    fn two_compactions() -> Vec<Commit<'static>> {
        vec![
            (0, None, vec![add("a"), add("b"), add("c")]),
            (1, None, vec![remove("a"), remove("b"), add("ab")]),
            (2, None, vec![remove("b"), remove("c"), add("bc")]),
        ]
    }

    #[test]
    fn two_compactions_double_what_both_removed() {
        let pairs = found(&two_compactions());
        assert_eq!(
            pairs,
            [DoubleRewrite {
                first_version: 1,
                second_version: 2,
                damage: Damage::Doubled,
                files: 1,
                rows: Some(100),
                added_by_second: 1
            }]
        );
    }

    #[test]
    fn a_re_add_in_between_is_fine() {
        let commits = [
            (0, None, vec![add("a"), add("b")]),
            (1, None, vec![remove("a"), add("x")]),
            (2, None, vec![remove("x"), add("a")]),
            (3, None, vec![remove("a"), add("y")]),
            // A deletion vector: the same path, removed and added in one commit.
            (4, None, vec![add("b"), remove("b")]),
            (5, None, vec![add("b"), remove("b")]),
        ];
        assert!(found(&commits).is_empty());
    }

    #[test]
    fn deletes_and_rewrites() {
        let twice = |first: Vec<Step<'static>>, second: Vec<Step<'static>>| {
            let commits = [(5, None, first), (6, None, second)];
            found(&commits).first().map(|d| (d.damage, d.rows))
        };
        assert_eq!(twice(vec![remove("a")], vec![remove("a")]), None);
        assert_eq!(twice(vec![remove("a")], vec![remove("a"), add("b")]), Some((Damage::Returned, None)));
        assert_eq!(twice(vec![remove("a"), add("b")], vec![remove("a")]), Some((Damage::Survived, None)));
    }

    #[test]
    fn a_repair_says_what_it_repaired() {
        let parameters = serde_json::json!({"versions": "[2,5]"});
        assert_eq!(repaired_by(Some(REPAIR), parameters.as_object()), [2, 5]);
        assert_eq!(repaired_by(Some("DELETE"), parameters.as_object()), [0; 0]);
        let mut detector = Detector::default();
        for (version, restored, steps) in two_compactions() {
            detector.push(version, restored, steps);
        }
        detector.repaired(2);
        assert!(detector.finish().is_empty());
    }

    #[test]
    fn repairs_settle_it() {
        let mut commits = two_compactions();
        commits.push((3, Some(1), vec![remove("bc"), add("c")]));
        assert!(found(&commits).is_empty());
        let mut commits = two_compactions();
        commits.push((3, Some(2), vec![]));
        assert_eq!(found(&commits).len(), 1);
        let mut commits = two_compactions();
        commits.push((3, None, vec![remove("bc")]));
        assert!(found(&commits).is_empty());
        let mut commits = two_compactions();
        commits.push((3, None, vec![remove("bc"), add("bc2")]));
        assert_eq!(found(&commits).len(), 1);
    }
}
