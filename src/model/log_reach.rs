//! Which versions the log can still rebuild, data files apart.

use std::collections::BTreeSet;

use super::expiry::Versions;

/// The versions that can be rebuilt, ascending, merged (Delta protocol, "Action Reconciliation",
/// "Log Compaction Files"): those with a complete checkpoint; version 0 with its commit; and each
/// whose predecessor can be rebuilt and whose commit is there, or a compacted commit that leads
/// from a version that can be rebuilt to it.
///
/// `commits`: versions whose commit file can be read. `checkpoints`: those with a complete
/// checkpoint. `compacted`: first and last version of each compacted commit.
pub fn rebuildable(commits: &[u64], checkpoints: &[u64], compacted: &[(u64, u64)]) -> Vec<Versions> {
    let present: BTreeSet<u64> = commits.iter().copied().collect();
    let starts: BTreeSet<u64> = checkpoints.iter().copied().collect();
    let mut jumps: Vec<(u64, u64)> = compacted.iter().map(|(from, to)| (*to, *from)).collect();
    jumps.sort_unstable();
    let ends = jumps.iter().map(|(to, _)| *to);
    let all: BTreeSet<u64> = present.iter().chain(&starts).copied().chain(ends).collect();
    let mut out: Vec<Versions> = Vec::new();
    for version in all {
        let follows = |out: &[Versions], start: u64| match start.checked_sub(1) {
            Some(before) => contains(out, before),
            None => true,
        };
        let first = jumps.partition_point(|(to, _)| *to < version);
        let mut jump = jumps[first..].iter().take_while(|(to, _)| *to == version);
        let reached = starts.contains(&version)
            || (present.contains(&version) && follows(&out, version))
            || jump.any(|(_, from)| *from <= version && follows(&out, *from));
        if !reached {
            continue;
        }
        match out.last_mut().filter(|v| v.last.checked_add(1) == Some(version)) {
            Some(range) => range.last = version,
            None => out.push(Versions { first: version, last: version }),
        }
    }
    out
}

/// Whether a version is in one of the ranges, which ascend.
pub fn contains(ranges: &[Versions], version: u64) -> bool {
    let at = ranges.partition_point(|v| v.last < version);
    ranges.get(at).is_some_and(|v| v.first <= version)
}

/// Why the log cannot rebuild a version; none if it can. `commits` as for [`rebuildable`], ascending.
pub fn lost_because(rebuildable: &[Versions], commits: &[u64], version: u64) -> Option<String> {
    if contains(rebuildable, version) {
        return None;
    }
    let has = |v: u64| commits.binary_search(&v).is_ok();
    Some(match (commits.first(), commits.last()) {
        (_, Some(last)) if version > *last && rebuildable.last().is_none_or(|v| version > v.last) => {
            format!("there is no version {version}; the newest is {last}")
        }
        (Some(first), _) if version < *first => format!("commit {version} was cleaned up"),
        _ if !has(version) => format!("commit {version} is missing or unreadable"),
        _ => "a commit or the checkpoint that it builds on was cleaned up or is missing".into(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranges(pairs: &[(u64, u64)]) -> Vec<Versions> {
        pairs.iter().map(|(first, last)| Versions { first: *first, last: *last }).collect()
    }

    #[test]
    fn what_can_be_rebuilt() {
        assert_eq!(rebuildable(&[0, 1, 2], &[], &[]), ranges(&[(0, 2)]));
        assert_eq!(rebuildable(&[5, 6, 7, 8], &[6], &[]), ranges(&[(6, 8)]));
        assert_eq!(rebuildable(&[0, 1, 3, 4, 5], &[4], &[]), ranges(&[(0, 1), (4, 5)]));
        assert_eq!(rebuildable(&[], &[9], &[]), ranges(&[(9, 9)]));
        assert_eq!(rebuildable(&[1, 2], &[], &[]), ranges(&[]));
        // A compacted commit bridges missing ones, but only to its end.
        assert_eq!(rebuildable(&[0, 4], &[], &[(1, 3)]), ranges(&[(0, 0), (3, 4)]));
        assert_eq!(rebuildable(&[], &[], &[(0, 3), (5, 6), (9, 8)]), ranges(&[(3, 3)]));
    }

    #[test]
    fn reasons() {
        let commits = [3, 4, 6, 7];
        let can = rebuildable(&commits, &[4], &[]);
        let why = |v| lost_because(&can, &commits, v);
        assert_eq!(why(4), None);
        assert_eq!(why(1).as_deref(), Some("commit 1 was cleaned up"));
        assert_eq!(why(5).as_deref(), Some("commit 5 is missing or unreadable"));
        assert!(why(3).is_some() && why(7).is_some());
        assert_eq!(why(8).as_deref(), Some("there is no version 8; the newest is 7"));
    }

    proptest! {
        #[test]
        fn as_a_naive_search_says(
            commits in proptest::collection::btree_set(0u64..30, 0..25),
            checkpoints in proptest::collection::btree_set(0u64..30, 0..4),
            compacted in proptest::collection::vec((0u64..30, 0u64..30), 0..4),
        ) {
            let mut can = [false; 30];
            for v in 0..30usize {
                let before = |start: u64| start == 0 || can[start as usize - 1];
                let w = v as u64;
                can[v] = checkpoints.contains(&w)
                    || (commits.contains(&w) && before(w))
                    || compacted.iter().any(|(from, to)| *to == w && from <= to && before(*from));
            }
            let commits: Vec<u64> = commits.into_iter().collect();
            let checkpoints: Vec<u64> = checkpoints.into_iter().collect();
            let got = rebuildable(&commits, &checkpoints, &compacted);
            for v in 0..30 {
                prop_assert_eq!(contains(&got, v), can[v as usize]);
                prop_assert_eq!(lost_because(&got, &commits, v).is_none(), can[v as usize]);
            }
        }
    }
}
