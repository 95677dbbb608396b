//! Walks the log forward, commit by commit, knowing each active file: what single commits cannot
//! tell (rows of removed files, exact totals, since when a removed file existed) is told here. Files
//! that were removed twice are [`super::double_rewrite`]'s.

use rustc_hash::FxHashMap;

use super::actions::{CommitActions, FileAction};
use super::expiry::Tombstone;
use super::files::FileList;
use super::history::Commit;
use super::levels::{Anchor, Level, SmallFiles};

/// What is remembered of an active file.
#[derive(Debug, Clone, Copy)]
struct Live {
    size: Option<u64>,
    records: Option<u64>,
    /// The version that added it; none if it was there when the walk began.
    added_in: Option<u64>,
}

/// The active files during a walk. Memory: about 150 bytes and the path for each file.
#[derive(Debug, Default)]
pub struct Follow {
    files: FxHashMap<String, Live>,
    totals: Totals,
    /// Files below this size, bytes, are small.
    small_below: u64,
    /// The version that the files are those of; none before the first commit.
    version: Option<u64>,
    /// Whether each active file is known.
    complete: bool,
    tombstones: Vec<(String, Tombstone)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    bytes: u64,
    rows: u64,
    small: u64,
    without_size: u64,
    without_rows: u64,
}

/// What a walk found out about one commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub version: u64,
    /// Live rows of the removed files; none if one of them is unknown.
    pub removed_records: Option<u64>,
    pub removed_bytes: u64,
    /// Removed files whose size neither their add nor the remove states.
    pub removes_without_size: u64,
    pub small_added: u64,
    /// None if a removed file's size is unknown.
    pub small_removed: Option<u64>,
    /// Files that were active already when they were added: they only got statistics or tags.
    pub added_again: u64,
    /// The table after the commit; unknown if not each active file is known.
    pub level: Level,
}

impl Step {
    /// Puts what was found out into the commit's line of the history.
    pub fn complete(&self, commit: &mut Commit) {
        commit.removed_records = commit.removed_records.or(self.removed_records);
        commit.removed_bytes = self.removed_bytes;
        commit.removes_without_size = self.removes_without_size;
    }

    pub fn anchor(&self) -> Anchor {
        Anchor { version: self.version, level: self.level }
    }

    pub fn small_files(&self) -> SmallFiles {
        SmallFiles { version: self.version, added: self.small_added, removed: self.small_removed }
    }
}

impl Follow {
    /// Before version 0: no files.
    pub fn from_start(small_below: u64) -> Self {
        Follow { small_below, complete: true, ..Follow::default() }
    }

    /// From a version whose files (with their records) are known, such as a checkpoint's.
    pub fn from_list(version: u64, list: &FileList, small_below: u64) -> Self {
        let mut out = Follow { version: Some(version), ..Follow::from_start(small_below) };
        for file in list.iter() {
            let live = Live { size: Some(file.size), records: file.live_records(), added_in: None };
            out.insert(key(file.path, file.deletion_vector.map(|v| v.unique_id())), live);
        }
        out
    }

    /// From a version whose files are not known: only files that are added on the way are.
    pub fn from_unknown(version: u64, small_below: u64) -> Self {
        Follow { version: Some(version), complete: false, ..Follow::from_start(small_below) }
    }

    /// Applies the next commit. After a missing version, or a commit that could not be read whole,
    /// the active files are no longer known.
    pub fn apply(&mut self, version: u64, actions: &CommitActions) -> Step {
        let follows = match self.version {
            Some(before) => before.checked_add(1) == Some(version),
            None => version == 0,
        };
        let whole = |f: &super::actions::FileActions| f.kept.len() as u64 == f.count;
        self.complete &=
            follows && !actions.files_unknown && whole(&actions.added) && whole(&actions.removed);
        self.version = Some(version);
        let mut step = Step { version, removed_records: Some(0), small_removed: Some(0), ..Step::default() };
        for file in &actions.removed.kept {
            self.remove(version, file, &mut step);
        }
        for file in &actions.added.kept {
            let live = Live { size: file.size, records: file.live_records(), added_in: Some(version) };
            step.small_added += u64::from(file.size.is_some_and(|s| s < self.small_below));
            step.added_again += u64::from(self.insert(action_key(file), live));
        }
        step.level = self.level();
        step
    }

    /// Whether each active file is known.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    pub fn level(&self) -> Level {
        let Totals { bytes, rows, small, without_size, without_rows } = self.totals;
        if !self.complete {
            return Level::default();
        }
        Level {
            files: Some(self.files.len() as u64),
            bytes: (without_size == 0).then_some(bytes),
            rows: (without_rows == 0).then_some(rows),
            small_files: (without_size == 0).then_some(small),
        }
    }

    /// The removed files that are not active again, for [`super::expiry::Horizon`]; a path that is
    /// still active with another deletion vector keeps its data file and is not among them.
    pub fn tombstones(&self) -> Vec<Tombstone> {
        self.tombstones_by_path().into_iter().map(|(_, stone)| stone).collect()
    }

    /// As [`Follow::tombstones`], each with its path (percent-decoded), for who looks whether the files
    /// are still there.
    pub fn tombstones_by_path(&self) -> Vec<(String, Tombstone)> {
        let path = |key: &str| key.split('\0').next().unwrap_or_default().to_owned();
        let active: rustc_hash::FxHashSet<String> = self.files.keys().map(|k| path(k)).collect();
        // Of several removes of one path the last one counts for the file, and the first add.
        let mut last: FxHashMap<String, Tombstone> = FxHashMap::default();
        for (key, stone) in &self.tombstones {
            let path = path(key);
            if active.contains(&path) {
                continue;
            }
            last.entry(path)
                .and_modify(|t| {
                    let added_in = t.added_in.zip(stone.added_in).map(|(a, b)| a.min(b));
                    *t = Tombstone { added_in, size: stone.size.or(t.size), ..*stone };
                })
                .or_insert(*stone);
        }
        let mut out: Vec<(String, Tombstone)> = last.into_iter().collect();
        out.sort_by(|(a, s), (b, t)| {
            (s.removed_in, s.added_in, s.size, a).cmp(&(t.removed_in, t.added_in, t.size, b))
        });
        out
    }

    fn remove(&mut self, version: u64, file: &FileAction, step: &mut Step) {
        let key = action_key(file);
        let known = self.files.remove(&key);
        if let Some(live) = known {
            self.totals.less(&live, self.small_below);
        }
        let size = file.size.or(known.and_then(|l| l.size));
        let records = known.and_then(|l| l.records).or(file.live_records());
        step.removed_records = step.removed_records.zip(records).map(|(a, b)| a.saturating_add(b));
        match size {
            Some(size) => step.removed_bytes = step.removed_bytes.saturating_add(size),
            None => step.removes_without_size += 1,
        }
        let small = size.map(|s| u64::from(s < self.small_below));
        step.small_removed = step.small_removed.zip(small).map(|(a, b)| a + b);
        let added_in = known.and_then(|l| l.added_in);
        let stone = Tombstone { added_in, removed_in: version, deleted_at: file.time, size, present: None };
        self.tombstones.push((key, stone));
    }

    /// Whether the file was there already.
    fn insert(&mut self, key: String, live: Live) -> bool {
        let before = self.files.get(&key).copied();
        let added_in = before.map_or(live.added_in, |b| b.added_in);
        if let Some(before) = before {
            self.totals.less(&before, self.small_below);
        }
        self.totals.more(&live, self.small_below);
        self.files.insert(key, Live { added_in, ..live });
        before.is_some()
    }
}

impl Totals {
    fn more(&mut self, live: &Live, small_below: u64) {
        self.bytes = self.bytes.saturating_add(live.size.unwrap_or(0));
        self.rows = self.rows.saturating_add(live.records.unwrap_or(0));
        self.small += u64::from(live.size.is_some_and(|s| s < small_below));
        self.without_size += u64::from(live.size.is_none());
        self.without_rows += u64::from(live.records.is_none());
    }

    fn less(&mut self, live: &Live, small_below: u64) {
        self.bytes = self.bytes.saturating_sub(live.size.unwrap_or(0));
        self.rows = self.rows.saturating_sub(live.records.unwrap_or(0));
        self.small -= u64::from(live.size.is_some_and(|s| s < small_below));
        self.without_size -= u64::from(live.size.is_none());
        self.without_rows -= u64::from(live.records.is_none());
    }
}

fn action_key(file: &FileAction) -> String {
    key(&file.path, file.deletion_vector.as_ref().map(|v| v.unique_id()))
}

/// Path and vector id in one text; no path of a store holds a NUL. `/x`, `file:/x` and `file:///x`
/// are one file (Spark's `DeltaLog` canonicalises paths so).
fn key(path: &str, vector: Option<String>) -> String {
    let local = path.strip_prefix("file:").filter(|rest| rest.starts_with('/'));
    let mut out = match local {
        Some(rest) => format!("/{}", rest.trim_start_matches('/')),
        None => path.to_owned(),
    };
    if let Some(vector) = vector {
        out.push('\0');
        out.push_str(&vector);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(follow: &mut Follow, version: u64, text: &str) -> Step {
        follow.apply(version, &CommitActions::parse(text))
    }

    fn add(path: &str, size: u64, rows: u64) -> String {
        format!(
            r#"{{"add":{{"path":"{path}","size":{size},"dataChange":true,"stats":"{{\"numRecords\":{rows}}}"}}}}"#
        ) + "\n"
    }

    fn remove(path: &str, at: i64) -> String {
        format!(r#"{{"remove":{{"path":"{path}","deletionTimestamp":{at},"dataChange":true}}}}"#) + "\n"
    }

    #[test]
    fn removes_get_their_rows_and_sizes() {
        let mut f = Follow::from_start(15);
        apply(&mut f, 0, &(add("a", 10, 1) + &add("b", 20, 2)));
        let step = apply(&mut f, 1, &(remove("a", 5) + &remove("b", 5) + &add("c", 25, 3)));
        assert_eq!((step.removed_records, step.removed_bytes, step.removes_without_size), (Some(3), 30, 0));
        assert_eq!((step.small_added, step.small_removed), (0, Some(1)));
        let level = Level { files: Some(1), bytes: Some(25), rows: Some(3), small_files: Some(0) };
        assert_eq!(step.level, level);
        let mut line = CommitActions::parse(&remove("a", 5)).commit(1, None, true);
        step.complete(&mut line);
        assert_eq!((line.removed_records, line.removes_without_size), (Some(3), 0));
        let stones: Vec<_> = f.tombstones().iter().map(|t| (t.added_in, t.removed_in, t.size)).collect();
        assert_eq!(stones, [(Some(0), 1, Some(10)), (Some(0), 1, Some(20))]);
    }

    #[test]
    fn files_removed_twice_leave_the_totals_as_they_are() {
        let mut f = Follow::from_start(0);
        apply(&mut f, 0, &add("a", 10, 1));
        apply(&mut f, 1, &(remove("a", 5) + &add("b", 10, 1)));
        let step = apply(&mut f, 2, &(remove("a", 6) + &add("c", 10, 1)));
        assert_eq!(step.level.rows, Some(2));
        let again = apply(&mut f, 3, &add("b", 10, 1));
        assert_eq!((again.added_again, again.level.files), (1, Some(2)));
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        let mut f = Follow::from_unknown(6, 0);
        let step = apply(&mut f, 7, &(remove("a", 5) + &add("b", 10, 1)));
        assert_eq!((step.removed_records, step.removes_without_size), (None, 1));
        assert_eq!(step.level, Level::default());
        assert_eq!(f.tombstones()[0].added_in, None);
        let mut gap = Follow::from_start(0);
        assert!(apply(&mut gap, 1, &add("a", 1, 1)).level.files.is_none() && !gap.is_complete());
    }

    #[test]
    fn a_path_that_is_active_again_is_no_tombstone() {
        let mut f = Follow::from_start(0);
        let vector =
            r#","deletionVector":{"storageType":"u","pathOrInlineDv":"v","sizeInBytes":1,"cardinality":1}}}"#;
        apply(&mut f, 0, &(add("a", 10, 5) + &add("b", 10, 5)));
        let with = add("a", 10, 5).replace("}}\n", vector);
        let step = apply(&mut f, 1, &(remove("a", 5) + &with));
        assert_eq!((step.level.rows, f.tombstones().len()), (Some(9), 0));
        apply(&mut f, 2, &(remove("b", 7) + ""));
        assert_eq!(f.tombstones().len(), 1);
    }
}
