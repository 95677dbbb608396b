//! Which files hold rows that a second rewrite of the same files doubled, as far as that can be
//! proved: a rewrite (`dataChange=false`) writes the rows of its inputs and nothing else, and never
//! moves a row to another partition (Delta protocol, "Add File and Remove File").
//!
//! For each partition in which two commits removed the same files, either
//!
//! * the second is a rewrite, and the first had removed *all* that it read there: then all that it
//!   wrote there is the work of the first once more, and goes; or
//! * the first is a rewrite, and the second removed *all* that it read there: then what the first
//!   wrote there is the old state of what the second wrote or deleted, and goes.
//!
//! If neither holds, doubled rows lie in one file with others, and nothing is done.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::model::units::count;
use crate::model::{Fault, Outcome};

/// A file as a commit added or removed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Comparable: decoded and canonical.
    pub path: String,
    /// The unique id of its deletion vector; empty for none.
    pub vector: String,
    /// Its partition's values in any one form; none if the action does not tell.
    pub partition: Option<String>,
    /// Live rows, if its statistics state them.
    pub rows: Option<u64>,
}

/// What a commit did to files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    pub version: u64,
    /// Every file action says `dataChange=false`.
    pub layout_only: bool,
    pub added: Vec<Moved>,
    pub removed: Vec<Moved>,
}

/// Files to be removed: (index of the commit, index among the files that it added).
pub type Targets = BTreeSet<(usize, usize)>;

/// Works the repair out. `steps`: commits in order, without gaps; `second`: the versions that removed
/// files for the second time; `is_active`: whether the table has the file as it was added.
///
/// # Errors
/// `cannot-repair`, with the reason.
pub fn repair(
    steps: &[Step],
    second: &BTreeSet<u64>,
    is_active: impl Fn(&Moved) -> bool,
) -> Outcome<Targets> {
    let history = History::of(steps);
    let mut targets = Targets::new();
    let mut times_removed: FxHashMap<&str, usize> = FxHashMap::default();
    let mut firsts_removed: Vec<&str> = Vec::new();
    for (at, step) in steps.iter().enumerate().filter(|(_, s)| second.contains(&s.version)) {
        let again = history.again.get(&at).cloned().unwrap_or_default();
        for path in again.keys() {
            *times_removed.entry(path).or_default() += 1;
        }
        let partitions: BTreeSet<&Option<String>> = step
            .removed
            .iter()
            .filter(|f| again.contains_key(f.path.as_str()))
            .map(|f| history.partition(f))
            .collect();
        for partition in partitions {
            let place = Place { steps, history: &history, partition };
            let found = match place.of_second(at, &again) {
                Ok(found) => found,
                Err(why) => {
                    firsts_removed.extend(again.keys());
                    place.of_firsts(at, &again).map_err(|other| cannot(&format!("{why}; {other}")))?
                }
            };
            targets.extend(found);
        }
    }
    // Rows that were written three times, and once taken away from in the middle, are not untangled.
    if firsts_removed.iter().any(|path| times_removed.get(path).is_some_and(|n| *n > 1)) {
        return Err(cannot(
            "the same files were rewritten more than twice, by rewrites of different sets of files",
        ));
    }
    for (commit, file) in &targets {
        let target = steps.get(*commit).and_then(|s| s.added.get(*file).map(|f| (s.version, f)));
        if let Some((version, file)) = target.filter(|(_, file)| !is_active(file)) {
            return Err(cannot(&format!(
                "{}, which version {version} wrote, was changed or removed since",
                file.path
            )));
        }
    }
    Ok(targets)
}

fn cannot(why: &str) -> Fault {
    Fault::refused("cannot-repair", "The doubled rows cannot be told apart from others")
        .because(why)
        .hint("Nothing was changed. If the later commit only rewrote files, and they are still as they were written, `deltop undo` takes it back; if it deleted or updated rows, only RESTORE of another engine helps: to the version before it, which drops what was committed since")
}

/// Files removed again: which commit removed them first.
type Again<'a> = BTreeMap<&'a str, usize>;

struct History<'a> {
    again: FxHashMap<usize, Again<'a>>,
    partitions: FxHashMap<&'a str, &'a Option<String>>,
    rows: FxHashMap<&'a str, u64>,
}

impl<'a> History<'a> {
    fn of(steps: &'a [Step]) -> Self {
        let mut out = History {
            again: FxHashMap::default(),
            partitions: FxHashMap::default(),
            rows: FxHashMap::default(),
        };
        let mut removed_by: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, step) in steps.iter().enumerate() {
            for file in step.added.iter().chain(&step.removed) {
                if file.partition.is_some() {
                    out.partitions.entry(&file.path).or_insert(&file.partition);
                }
                if let Some(rows) = file.rows {
                    out.rows.insert(&file.path, rows);
                }
            }
            for file in &step.removed {
                if let Some(first) = removed_by.insert(&file.path, at).filter(|first| *first != at) {
                    out.again.entry(at).or_default().insert(&file.path, first);
                }
            }
            for file in &step.added {
                removed_by.remove(file.path.as_str());
            }
        }
        out
    }

    /// A remove action may not tell; then an add of the same file may.
    fn partition(&self, file: &'a Moved) -> &'a Option<String> {
        match &file.partition {
            Some(_) => &file.partition,
            None => self.partitions.get(file.path.as_str()).copied().unwrap_or(&None),
        }
    }
}

/// One partition of two commits. Files of an unknown partition may be in any.
struct Place<'a> {
    steps: &'a [Step],
    history: &'a History<'a>,
    partition: &'a Option<String>,
}

impl Place<'_> {
    fn is_here(&self, file: &Moved) -> bool {
        // Two lifetimes: what the history keeps, and what is asked about here.
        let known = file.partition.as_ref().or_else(|| {
            self.history.partitions.get(file.path.as_str()).and_then(|partition| partition.as_ref())
        });
        known.is_none() || self.partition.is_none() || known == self.partition.as_ref()
    }

    /// What the second commit wrote here, if it is nothing but doubled rows.
    fn of_second(&self, at: usize, again: &Again<'_>) -> Result<Targets, String> {
        let step = &self.steps[at];
        let version = step.version;
        if !step.layout_only {
            return Err(format!("version {version} changed rows"));
        }
        let read: Vec<&Moved> = step.removed.iter().filter(|f| self.is_here(f)).collect();
        if let Some(other) = read.iter().find(|f| !again.contains_key(f.path.as_str())) {
            return Err(format!(
                "version {version} also rewrote {}, which had not been removed before",
                other.path
            ));
        }
        self.outputs(at, &read)
    }

    /// What the first commits wrote here, if the second took all that they had read.
    fn of_firsts(&self, at: usize, again: &Again<'_>) -> Result<Targets, String> {
        let here = self.steps[at].removed.iter().filter(|f| self.is_here(f));
        let firsts: BTreeSet<usize> = here.filter_map(|f| again.get(f.path.as_str()).copied()).collect();
        let mut out = Targets::new();
        for first in firsts {
            let step = &self.steps[first];
            let version = step.version;
            if !step.layout_only {
                return Err(format!("version {version} changed rows"));
            }
            let read: Vec<&Moved> = step.removed.iter().filter(|f| self.is_here(f)).collect();
            if let Some(other) = read.iter().find(|f| again.get(f.path.as_str()) != Some(&first)) {
                return Err(format!(
                    "version {version} also rewrote {}, which was not removed again",
                    other.path
                ));
            }
            out.extend(self.outputs(first, &read)?);
        }
        Ok(out)
    }

    /// What a rewrite of these files wrote. Where both counts are known they must agree.
    fn outputs(&self, at: usize, read: &[&Moved]) -> Result<Targets, String> {
        let step = &self.steps[at];
        let wrote: Vec<(usize, &Moved)> =
            step.added.iter().enumerate().filter(|(_, f)| self.is_here(f)).collect();
        let of_read = |f: &&Moved| f.rows.or_else(|| self.history.rows.get(f.path.as_str()).copied());
        let before = read.iter().try_fold(0u64, |sum, f| Some(sum.saturating_add(of_read(f)?)));
        let after = wrote.iter().try_fold(0u64, |sum, (_, f)| Some(sum.saturating_add(f.rows?)));
        match before.zip(after) {
            Some((before, after)) if before != after => Err(format!(
                "version {} read {} rows here and wrote {}",
                step.version,
                count(before),
                count(after)
            )),
            _ => Ok(wrote.into_iter().map(|(file, _)| (at, file)).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Moved {
        let (partition, name) = path.split_once('/').unwrap_or(("", path));
        let rows = Some(10 * name.len() as u64);
        Moved { path: path.into(), vector: String::new(), partition: Some(partition.into()), rows }
    }

    fn step(version: u64, layout_only: bool, removed: &[&str], added: &[&str]) -> Step {
        let files = |paths: &[&str]| paths.iter().map(|p| file(p)).collect();
        Step { version, layout_only, added: files(added), removed: files(removed) }
    }

    fn targets(steps: &[Step], second: &[u64]) -> Result<Vec<String>, String> {
        let found = repair(steps, &second.iter().copied().collect(), |f| !f.path.ends_with("gone"));
        let name = |(commit, file): (usize, usize)| steps[commit].added[file].path.clone();
        found.map(|t| t.into_iter().map(name).collect()).map_err(|f| f.cause)
    }

    #[test]
    fn the_second_of_two_equal_rewrites_goes() {
        let steps = [
            step(0, false, &[], &["a", "b", "c"]),
            step(1, true, &["a", "b", "c"], &["abc"]),
            step(2, true, &["a", "b", "c"], &["cba"]),
            step(3, false, &[], &["d"]),
        ];
        assert_eq!(targets(&steps, &[2]), Ok(vec!["cba".into()]));
        assert_eq!(targets(&steps, &[]), Ok(vec![]));
    }

    #[test]
    fn the_larger_of_two_rewrites_stays() {
        let steps = [
            step(0, false, &[], &["a", "b", "c"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, true, &["a", "b", "c"], &["abc"]),
        ];
        assert_eq!(targets(&steps, &[2]), Ok(vec!["ab".into()]));
        let mixed = [
            step(0, false, &[], &["a", "b", "c"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, true, &["b", "c"], &["bc"]),
        ];
        let why = targets(&mixed, &[2]).unwrap_err();
        assert!(why.contains("also rewrote c") && why.contains("also rewrote a"), "{why}");
    }

    #[test]
    fn partitions_are_judged_apart() {
        let steps = [
            step(0, false, &[], &["x/a", "x/b", "y/a", "y/b"]),
            step(1, true, &["x/a", "x/b"], &["x/ab"]),
            step(2, true, &["x/a", "x/b", "y/a", "y/b"], &["x/ba", "y/ba"]),
        ];
        assert_eq!(targets(&steps, &[2]), Ok(vec!["x/ba".into()]));
    }

    #[test]
    fn changes_of_rows_count() {
        // A delete, then a stale rewrite that brings the rows back: the rewrite goes.
        let returned =
            [step(0, false, &[], &["a", "b"]), step(1, false, &["a"], &["A"]), step(2, true, &["a"], &["z"])];
        assert_eq!(targets(&returned, &[2]), Ok(vec!["z".into()]));
        // A rewrite, then a stale delete of what it had read: what the rewrite wrote goes.
        let survived = [
            step(0, false, &[], &["a", "b"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, false, &["a", "b"], &[]),
        ];
        assert_eq!(targets(&survived, &[2]), Ok(vec!["ab".into()]));
        let partly = [
            step(0, false, &[], &["a", "b"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, false, &["a"], &[]),
        ];
        assert!(targets(&partly, &[2]).unwrap_err().contains("also rewrote b"));
        let both = [step(1, false, &["a"], &["x"]), step(2, false, &["a"], &["y"])];
        assert!(targets(&both, &[2]).is_err());
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let more = [
            step(0, false, &[], &["a", "b"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, true, &["a", "b"], &["long"]),
        ];
        // The first wrote as many rows as it read, so that it is the one that goes.
        assert_eq!(targets(&more, &[2]), Ok(vec!["ab".into()]));
        let changed = [
            step(0, false, &[], &["ab", "cd"]),
            step(1, true, &["ab", "cd"], &["abcd"]),
            step(2, true, &["ab", "cd"], &["gone"]),
        ];
        assert!(targets(&changed, &[2]).unwrap_err().contains("changed or removed since"));
    }

    #[test]
    fn three_equal_rewrites_leave_one() {
        let steps = [
            step(0, false, &[], &["a", "b"]),
            step(1, true, &["a", "b"], &["ab"]),
            step(2, true, &["a", "b"], &["ba"]),
            step(3, true, &["a", "b"], &["bb"]),
        ];
        assert_eq!(targets(&steps, &[2, 3]), Ok(vec!["ba".into(), "bb".into()]));
        let tangled = [
            step(0, false, &[], &["a", "b", "c"]),
            step(1, true, &["a"], &["1"]),
            step(2, true, &["a", "b"], &["12"]),
            step(3, true, &["a", "b", "c"], &["123"]),
        ];
        assert!(targets(&tangled, &[2, 3]).unwrap_err().contains("more than twice"));
    }
}
