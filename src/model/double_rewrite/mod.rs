//! Commits that remove a file which was already removed: two rewrites of the same rows.
//!
//! A writer that compacts with a stale plan removes files that another compaction has removed
//! meanwhile, and adds their rows a second time. Writers whose conflict check ignores removes with
//! `dataChange=false` let that through (tried with delta-rs: ten files of 100 rows, two handles,
//! compact on both: the table reads 2,000 rows).

#[cfg(test)]
mod tests;
mod told;

use rustc_hash::{FxHashMap, FxHashSet};

pub use told::{REPAIR, Told};

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
}

#[derive(Debug)]
struct Seen {
    version: u64,
    told: Told,
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Detector {
    /// Takes a commit's file actions, and what it says of itself. Change-data files are no steps.
    pub fn push<'a>(&mut self, version: u64, told: Told, steps: impl IntoIterator<Item = Step<'a>>) {
        let mut seen = Seen { version, told, added: Vec::new(), removed: Vec::new() };
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
        seen.removed.sort_unstable();
        seen.removed.dedup();
        self.commits.push(seen);
    }

    /// The pairs whose damage still stands, by version. A pair is settled once a later commit
    /// restores a version before its second commit, says that it repaired it, takes it back, or
    /// once no file is left to which its rows have come.
    pub fn finish(self) -> Vec<DoubleRewrite> {
        self.finish_with_files().0
    }

    /// As [`Detector::finish`]; and the files which, as far as is known, hold rows that are wrong or
    /// whose doubles are in another file: what is rewritten of them cannot be repaired any more.
    pub fn finish_with_files(mut self) -> (Vec<DoubleRewrite>, FxHashSet<Box<str>>) {
        self.commits.sort_by_key(|c| c.version);
        let repaired: Vec<u64> = self.commits.iter().flat_map(|c| &c.told.repaired).copied().collect();
        let mut removed_by: Vec<Option<u32>> = vec![None; self.rows.len()];
        let mut pairs = Pairs::default();
        for (at, commit) in self.commits.iter().enumerate() {
            pairs.settle(commit);
            pairs.follow(commit);
            if commit.told.restored.is_none() {
                self.pair(at, &removed_by, &mut pairs);
            }
            for id in &commit.removed {
                removed_by[*id as usize] = Some(at as u32);
            }
            for id in &commit.added {
                removed_by[*id as usize] = None;
            }
        }
        for pair in &mut pairs.all {
            pair.settled |= repaired.contains(&pair.found.second_version);
        }
        let ids = pairs.files();
        let paths = self.ids.into_iter().filter(|(_, id)| ids.contains(id)).map(|(path, _)| path);
        let found = pairs.all.into_iter().filter(|p| !p.settled).map(|p| p.found).collect();
        (found, paths.collect())
    }

    fn pair(&self, at: usize, removed_by: &[Option<u32>], pairs: &mut Pairs) {
        let second = &self.commits[at];
        let mut met: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for id in &second.removed {
            if let Some(first) = removed_by[*id as usize] {
                met.entry(first).or_default().push(*id);
            }
        }
        let mut met: Vec<_> = met.into_iter().collect();
        met.sort_unstable_by_key(|(first, _)| *first);
        for (first, files) in met {
            let first = &self.commits[first as usize];
            let damage = match (first.added.is_empty(), second.added.is_empty()) {
                (false, false) => Damage::Doubled,
                (true, false) => Damage::Returned,
                (false, true) => Damage::Survived,
                // Deleted, and deleted again: nothing is left that should not be.
                (true, true) => continue,
            };
            let rows =
                files.iter().try_fold(0u64, |sum, id| Some(sum.saturating_add(self.rows[*id as usize]?)));
            let found = DoubleRewrite {
                first_version: first.version,
                second_version: second.version,
                damage,
                files: files.len() as u64,
                rows,
                added_by_second: second.added.len() as u64,
            };
            // The rows that are wrong: what the second brought, or what it did not reach.
            let wrong = if damage == Damage::Survived { &first.added } else { &second.added };
            let all_there = wrong.iter().all(|id| removed_by[*id as usize].is_none());
            pairs.push(found, files, wrong, all_there, &first.added);
        }
    }
}

/// The pairs found so far, and the files to which their rows have come.
#[derive(Default)]
struct Pairs {
    all: Vec<Pair>,
    /// By file id: the pairs whose wrong rows it may hold, as places in `all`.
    holders: FxHashMap<u32, Vec<usize>>,
}

struct Pair {
    found: DoubleRewrite,
    /// Files removed by both.
    twice: Vec<u32>,
    /// Files that may hold the wrong rows; none if these had moved on before they were known of.
    held_by: Option<u64>,
    /// What the first commit wrote.
    of_first: Vec<u32>,
    settled: bool,
}

impl Pairs {
    fn push(&mut self, found: DoubleRewrite, twice: Vec<u32>, wrong: &[u32], all_there: bool, first: &[u32]) {
        for id in wrong {
            self.holders.entry(*id).or_default().push(self.all.len());
        }
        let held_by = all_there.then_some(wrong.len() as u64);
        self.all.push(Pair { found, twice, held_by, of_first: first.to_vec(), settled: false });
    }

    /// What a commit says that it put right.
    fn settle(&mut self, commit: &Seen) {
        if let Some(restored) = commit.told.restored {
            let undone = |p: &Pair| p.found.second_version > restored;
            self.all.iter_mut().filter(|p| undone(p)).for_each(|p| p.settled = true);
        }
        let undone = &commit.told.undone;
        if undone.is_empty() {
            return;
        }
        let back: FxHashSet<u32> = commit.added.iter().copied().collect();
        for pair in &mut self.all {
            // Where only the second is taken back, what both had removed must stay away.
            let alone = !undone.contains(&pair.found.first_version);
            let brings_back = alone && pair.twice.iter().any(|id| back.contains(id));
            pair.settled |= undone.contains(&pair.found.second_version) && !brings_back;
        }
    }

    /// Follows the wrong rows: a commit that only removes, or that overwrites, ends those of the
    /// files that it removes; with any other they may be in whatever it wrote.
    fn follow(&mut self, commit: &Seen) {
        let mut touched: Vec<usize> =
            commit.removed.iter().filter_map(|id| self.holders.remove(id)).flatten().collect();
        for pair in &touched {
            let held_by = self.all.get_mut(*pair).and_then(|p| p.held_by.as_mut());
            held_by.into_iter().for_each(|n| *n = n.saturating_sub(1));
        }
        touched.sort_unstable();
        touched.dedup();
        for at in touched {
            let Some(pair) = self.all.get_mut(at) else { continue };
            if !commit.told.overwrites {
                pair.held_by = pair.held_by.map(|n| n + commit.added.len() as u64);
                commit.added.iter().for_each(|id| self.holders.entry(*id).or_default().push(at));
            }
            pair.settled |= pair.held_by == Some(0);
        }
    }

    /// Files of the pairs that are not settled.
    fn files(&self) -> FxHashSet<u32> {
        let stands = |at: &usize| self.all.get(*at).is_some_and(|p| !p.settled);
        let held = self.holders.iter().filter(|(_, of)| of.iter().any(stands)).map(|(id, _)| *id);
        let open = self.all.iter().filter(|p| !p.settled);
        held.chain(open.flat_map(|p| p.of_first.iter().copied())).collect()
    }
}
