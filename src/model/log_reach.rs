//! Why the log cannot rebuild a version, data files apart.

use super::expiry::Versions;
use super::history::Commit;

/// Whether a version is in one of the ranges, which ascend.
pub fn contains(ranges: &[Versions], version: u64) -> bool {
    let at = ranges.partition_point(|v| v.last < version);
    ranges.get(at).is_some_and(|v| v.first <= version)
}

/// Why the log cannot rebuild a version; none if it can. `rebuildable`: the ranges that it can, and
/// `commits`: the versions whose commit file is there; both ascend.
pub fn lost_because(rebuildable: &[Versions], commits: &[u64], version: u64) -> Option<String> {
    if contains(rebuildable, version) {
        return None;
    }
    let newest = commits.last().copied().max(rebuildable.last().map(|v| v.last));
    Some(match (commits.first(), newest) {
        (_, Some(newest)) if version > newest => {
            format!("there is no version {version}; the newest is {newest}")
        }
        (Some(first), _) if version < *first => format!("commit {version} was cleaned up"),
        (None, _) => format!("commit {version} was cleaned up"),
        _ if commits.binary_search(&version).is_err() => format!("commit {version} is missing"),
        _ => "a commit or checkpoint that it builds on was cleaned up or is missing".into(),
    })
}

/// Takes `readable` from the commits that build on a damaged one, or come before the first metaData and
/// protocol. `rebuildable`: the ranges that the log can rebuild without these, ascending.
pub fn mark(commits: &mut [Commit], rebuildable: &[Versions]) {
    let mut damaged: Vec<u64> = commits.iter().filter(|c| c.incomplete).map(|c| c.version).collect();
    damaged.sort_unstable();
    for commit in commits.iter_mut().filter(|c| c.readable && !contains(rebuildable, c.version)) {
        let at = damaged.partition_point(|d| *d <= commit.version);
        commit.readable = false;
        commit.lost_because = Some(match at.checked_sub(1).map(|at| damaged[at]) {
            Some(before) if before < commit.version => {
                format!("commit {before}, which it builds on, is damaged")
            }
            Some(_) => "the commit is damaged".into(),
            None => "the log up to it lacks a metaData or a protocol action".into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_builds_on_a_damaged_commit_is_lost() {
        let commit =
            |version| Commit { version, readable: true, incomplete: version == 2, ..Commit::default() };
        let mut commits: Vec<Commit> = (0..=5).rev().map(commit).collect();
        // A checkpoint stands at 4.
        mark(&mut commits, &[Versions { first: 0, last: 1 }, Versions { first: 4, last: 5 }]);
        let why: Vec<_> =
            commits.iter().map(|c| (c.version, c.readable, c.lost_because.as_deref())).collect();
        let builds = "commit 2, which it builds on, is damaged";
        assert_eq!(
            why,
            [
                (5, true, None),
                (4, true, None),
                (3, false, Some(builds)),
                (2, false, Some("the commit is damaged")),
                (1, true, None),
                (0, true, None)
            ]
        );
    }

    #[test]
    fn reasons() {
        let commits = [3, 4, 6, 7];
        let can = [Versions { first: 4, last: 4 }];
        let why = |v| lost_because(&can, &commits, v);
        assert_eq!(why(4), None);
        assert_eq!(why(1).as_deref(), Some("commit 1 was cleaned up"));
        assert_eq!(why(5).as_deref(), Some("commit 5 is missing"));
        assert_eq!(why(8).as_deref(), Some("there is no version 8; the newest is 7"));
        assert!(why(3).is_some() && why(7).is_some());
        let only_checkpoint = [Versions { first: 9, last: 9 }];
        assert_eq!(lost_because(&only_checkpoint, &[], 9), None);
        assert_eq!(lost_because(&only_checkpoint, &[], 2).as_deref(), Some("commit 2 was cleaned up"));
        assert!(lost_because(&[], &[], 0).is_some());
    }
}
