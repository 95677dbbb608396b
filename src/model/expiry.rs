//! Which versions still have their data files, which the next vacuum would end, and what keeping
//! them costs.

use serde::Serialize;

use super::units::Millis;

/// A removed file that old versions may still need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tombstone {
    /// The first version that has the file; none if its add is no longer in the log.
    pub added_in: Option<u64>,
    /// The version whose commit removed it; for a remove known from a checkpoint only, that
    /// checkpoint's version (no later one has the file).
    pub removed_in: u64,
    /// `deletionTimestamp` of the remove; none counts as 0, as in Spark (`RemoveFile.delTimestamp`).
    pub deleted_at: Option<Millis>,
    /// Bytes, if the remove states them.
    pub size: Option<u64>,
    /// Whether the data file is still there; none if the folder was not listed.
    pub present: Option<bool>,
}

/// Versions from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Versions {
    pub first: u64,
    pub last: u64,
}

impl Tombstone {
    /// The versions that need the file, from the oldest that the log can rebuild on.
    fn needed_by(&self, oldest: u64) -> Option<Versions> {
        let first = self.added_in.unwrap_or(oldest).max(oldest);
        let last = self.removed_in.checked_sub(1)?;
        (first <= last).then_some(Versions { first, last })
    }

    /// Whether a vacuum that keeps what was deleted at or after `cut_off` deletes it.
    fn expired(&self, cut_off: Millis) -> bool {
        self.present != Some(false) && self.deleted_at.unwrap_or(0) < cut_off
    }
}

/// What time travel can still reach, and what a vacuum would take from it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Horizon {
    /// The oldest version that the log can rebuild.
    pub oldest_by_log: u64,
    pub latest: u64,
    /// Versions that miss a data file now, ascending, merged; empty if no file was looked for.
    pub missing: Vec<Versions>,
    /// Whether the data files were listed, so that `missing` can be told at all.
    pub looked_for_files: bool,
    /// The oldest version that misses none of the files looked for; none if each one misses some,
    /// or if nobody looked.
    pub oldest_readable: Option<u64>,
    /// Versions readable now that would end, ascending, merged.
    pub vacuum_ends: Vec<Versions>,
    /// From here on no version needs a file that the vacuum deletes, or that is known to miss now;
    /// none if that is not so even of the latest.
    pub oldest_after_vacuum: Option<u64>,
    /// Files and bytes that the vacuum would delete, by the log; files that no commit refers to are not among them.
    pub vacuum_files: u64,
    pub vacuum_bytes: u64,
    /// Of these files, how many state no size; then `vacuum_bytes` is a lower bound.
    pub vacuum_files_without_size: u64,
    /// Files deleted before this time go: now − retention.
    #[serde(serialize_with = "super::units::serialize_iso")]
    pub cut_off: Millis,
}

impl Horizon {
    /// `looked`: whether the data files were listed; what `tombstones` say of it alone does not tell,
    /// since there may be none. `retain`: what the vacuum keeps, milliseconds (`RETAIN n HOURS`, else
    /// [`super::retention::Retention::deleted_files`]). A tombstone is deleted if its
    /// `deletionTimestamp` is before `now` − `retain` (Spark `VacuumCommand`). Tombstones whose
    /// path is active again must not be given.
    pub fn of(
        tombstones: &[Tombstone],
        looked: bool,
        oldest_by_log: u64,
        latest: u64,
        retain: Millis,
        now: Millis,
    ) -> Self {
        let cut_off = now.saturating_sub(retain.max(0));
        let needed = |t: &Tombstone| t.needed_by(oldest_by_log);
        let missing: Vec<Versions> =
            merge(tombstones.iter().filter(|t| t.present == Some(false)).filter_map(needed).collect());
        let doomed: Vec<&Tombstone> = tombstones.iter().filter(|t| t.expired(cut_off)).collect();
        let ends = merge(doomed.iter().copied().filter_map(needed).collect());
        let after = merge(missing.iter().chain(&ends).copied().collect());
        let unharmed = |gone: &[Versions]| match gone.last() {
            Some(v) => v.last.checked_add(1).filter(|next| *next <= latest),
            None => Some(oldest_by_log),
        };
        let oldest = match missing.first() {
            Some(v) if v.first <= oldest_by_log => v.last.checked_add(1).filter(|next| *next <= latest),
            _ => Some(oldest_by_log),
        };
        Horizon {
            oldest_by_log,
            latest,
            looked_for_files: looked,
            oldest_readable: oldest.filter(|_| looked),
            vacuum_ends: subtract(&ends, &missing),
            oldest_after_vacuum: unharmed(&after),
            vacuum_files: doomed.len() as u64,
            vacuum_bytes: doomed.iter().filter_map(|t| t.size).fold(0, u64::saturating_add),
            vacuum_files_without_size: doomed.iter().filter(|t| t.size.is_none()).count() as u64,
            missing,
            cut_off,
        }
    }
}

/// What it costs to keep the versions `first` to `last`: the files that no later version needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryCost {
    pub first: u64,
    pub last: u64,
    pub files: u64,
    pub bytes: u64,
    /// If there are any, `bytes` is a lower bound.
    pub files_without_size: u64,
    /// Bytes freed by giving up this and all older ranges.
    pub cumulative_bytes: u64,
}

/// The storage that history costs, oldest versions first, in at most `ranges` ranges of about as
/// many versions each. A file counts where it is needed last: it is freed when the versions up to
/// there are given up. Files known to be gone cost nothing. The active files of `latest` are not
/// among the costs.
pub fn history_cost(
    tombstones: &[Tombstone],
    oldest_by_log: u64,
    latest: u64,
    ranges: usize,
) -> Vec<HistoryCost> {
    let versions = latest.saturating_sub(oldest_by_log);
    if versions == 0 || ranges == 0 {
        return Vec::new();
    }
    let step = versions.div_ceil(ranges as u64);
    let mut out: Vec<HistoryCost> = (0..versions.div_ceil(step))
        .map(|at| HistoryCost {
            first: oldest_by_log + at * step,
            last: oldest_by_log.saturating_add((at + 1).saturating_mul(step)).min(latest) - 1,
            files: 0,
            bytes: 0,
            files_without_size: 0,
            cumulative_bytes: 0,
        })
        .collect();
    for stone in tombstones.iter().filter(|t| t.present != Some(false)) {
        // A file that no version left by the log needs waits for vacuum in the oldest range.
        let last = stone.removed_in.saturating_sub(1).clamp(oldest_by_log, latest - 1);
        let Some(range) = out.get_mut(((last - oldest_by_log) / step) as usize) else { continue };
        range.files += 1;
        match stone.size {
            Some(size) => range.bytes = range.bytes.saturating_add(size),
            None => range.files_without_size += 1,
        }
    }
    let mut sum: u64 = 0;
    for range in &mut out {
        sum = sum.saturating_add(range.bytes);
        range.cumulative_bytes = sum;
    }
    out
}

/// Sorted, with overlapping and adjacent ranges made one.
fn merge(mut ranges: Vec<Versions>) -> Vec<Versions> {
    ranges.sort_unstable_by_key(|v| (v.first, v.last));
    let mut out: Vec<Versions> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.first <= last.last.saturating_add(1) => last.last = last.last.max(range.last),
            _ => out.push(range),
        }
    }
    out
}

/// What is in `from` and not in `less`; both merged.
fn subtract(from: &[Versions], less: &[Versions]) -> Vec<Versions> {
    let mut out = Vec::new();
    for range in from {
        let mut first = Some(range.first);
        for cut in less.iter().filter(|c| c.last >= range.first && c.first <= range.last) {
            if let Some(start) = first.filter(|start| *start < cut.first) {
                out.push(Versions { first: start, last: cut.first - 1 });
            }
            first = cut.last.checked_add(1).filter(|next| *next <= range.last);
        }
        out.extend(first.map(|first| Versions { first, last: range.last }));
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stone(added: u64, removed: u64, deleted_at: Millis) -> Tombstone {
        let size = Some(10 * removed);
        Tombstone {
            added_in: Some(added),
            removed_in: removed,
            deleted_at: Some(deleted_at),
            size,
            present: None,
        }
    }

    fn versions(first: u64, last: u64) -> Versions {
        Versions { first, last }
    }

    #[test]
    fn a_vacuum_ends_the_versions_that_need_its_files() {
        let stones = [stone(0, 3, 100), stone(2, 5, 200), stone(7, 9, 900)];
        let h = Horizon::of(&stones, false, 0, 10, 500, 1000);
        assert_eq!((h.cut_off, &h.vacuum_ends[..]), (500, &[versions(0, 4)][..]));
        assert_eq!((h.oldest_readable, h.oldest_after_vacuum), (None, Some(5)), "nobody looked");
        assert_eq!((h.vacuum_files, h.vacuum_bytes), (2, 80));
        assert!(!h.looked_for_files);
        // Deleted exactly at the cut-off: kept.
        assert!(Horizon::of(&stones[1..2], false, 0, 10, 800, 1000).vacuum_ends.is_empty());
    }

    #[test]
    fn versions_before_a_file_came_stay() {
        let h = Horizon::of(&[stone(2, 4, 0)], false, 0, 6, 0, 1000);
        assert_eq!((&h.vacuum_ends[..], h.oldest_after_vacuum), (&[versions(2, 3)][..], Some(4)));
        let unknown = Tombstone { added_in: None, ..stone(0, 4, 0) };
        assert_eq!(Horizon::of(&[unknown], false, 1, 6, 0, 1000).vacuum_ends, [versions(1, 3)]);
    }

    #[test]
    fn files_that_are_gone_have_ended_their_versions() {
        let gone = Tombstone { present: Some(false), ..stone(1, 3, 0) };
        let here = Tombstone { present: Some(true), ..stone(0, 6, 0) };
        let h = Horizon::of(&[gone, here], true, 0, 8, 0, 1000);
        assert_eq!((&h.missing[..], h.oldest_readable), (&[versions(1, 2)][..], Some(0)));
        assert_eq!(h.vacuum_ends, [versions(0, 0), versions(3, 5)]);
        assert_eq!((h.vacuum_files, h.oldest_after_vacuum, h.looked_for_files), (1, Some(6), true));
    }

    #[test]
    fn a_file_missing_from_the_latest_leaves_the_versions_before_it() {
        let active = Tombstone { present: Some(false), ..stone(3, 9, i64::MAX) };
        let h = Horizon::of(&[active], true, 0, 8, 0, 1000);
        assert_eq!((&h.missing[..], h.oldest_readable), (&[versions(3, 8)][..], Some(0)));
        assert_eq!((h.oldest_after_vacuum, h.vacuum_files), (None, 0), "there is no version 9");
        let always = Tombstone { added_in: None, ..active };
        assert_eq!(Horizon::of(&[always], true, 2, 8, 0, 1000).oldest_readable, None);
    }

    #[test]
    fn nothing_removed_is_not_looked_at() {
        let look = |looked| Horizon::of(&[], looked, 2, 8, 0, 1000);
        assert_eq!((look(false).looked_for_files, look(false).oldest_readable), (false, None));
        assert_eq!((look(true).looked_for_files, look(true).oldest_readable), (true, Some(2)));
    }

    #[test]
    fn a_remove_without_a_time_is_old() {
        let odd = Tombstone { deleted_at: None, size: None, ..stone(0, 2, 0) };
        let h = Horizon::of(&[odd], false, 0, 3, 0, 1);
        assert_eq!((h.vacuum_files, h.vacuum_files_without_size, h.vacuum_bytes), (1, 1, 0));
    }

    #[test]
    fn history_costs_add_up() {
        let stones = [stone(0, 1, 0), stone(0, 5, 0), stone(3, 10, 0)];
        let costs = history_cost(&stones, 0, 10, 5);
        assert_eq!(costs.len(), 5);
        assert_eq!((costs[0].first, costs[0].last, costs[0].bytes), (0, 1, 10));
        assert_eq!((costs[2].bytes, costs[2].cumulative_bytes), (50, 60));
        assert_eq!((costs[4].last, costs[4].cumulative_bytes), (9, 160));
        assert!(history_cost(&stones, 4, 4, 5).is_empty());
        let far = history_cost(&stones, 3, u64::MAX, 7);
        assert_eq!((far.len(), far[0].first, far[6].last), (7, 3, u64::MAX - 1));
    }

    proptest! {
        #[test]
        fn ended_and_missing_versions_never_overlap(
            stones in proptest::collection::vec((0u64..30, 1u64..30, 0i64..100, proptest::option::of(any::<bool>())), 0..30),
            retain in 0i64..100,
            ranges in 1usize..12,
        ) {
            let stones: Vec<Tombstone> = stones
                .into_iter()
                .map(|(added, lived, at, present)| Tombstone { present, ..stone(added, (added + lived).min(40), at) })
                .collect();
            let h = Horizon::of(&stones, true, 5, 40, retain, 100);
            for v in 5..=40u64 {
                let within = |list: &[Versions]| list.iter().any(|r| (r.first..=r.last).contains(&v));
                let needs = |t: &&Tombstone| t.added_in.is_some_and(|a| a <= v) && v < t.removed_in;
                let missing = stones.iter().filter(needs).any(|t| t.present == Some(false));
                let ends = stones.iter().filter(needs).any(|t| t.expired(h.cut_off));
                prop_assert_eq!(within(&h.missing), missing);
                prop_assert_eq!(within(&h.vacuum_ends), ends && !missing);
            }
            let hit = |v: u64| h.missing.iter().chain(&h.vacuum_ends).any(|r| (r.first..=r.last).contains(&v));
            let gone = |v: u64| h.missing.iter().any(|r| (r.first..=r.last).contains(&v));
            prop_assert_eq!(h.oldest_readable, (5..=40).find(|v| !gone(*v)));
            let stays = (5..=40).rev().take_while(|v| !hit(*v)).last();
            prop_assert_eq!(h.oldest_after_vacuum, stays);
            let costs = history_cost(&stones, 5, 40, ranges);
            prop_assert!(costs.len() <= ranges);
            let files: u64 = costs.iter().map(|c| c.files).sum();
            prop_assert_eq!(files, stones.iter().filter(|t| t.present != Some(false)).count() as u64);
            prop_assert_eq!(costs.last().map(|c| c.last), Some(39));
        }
    }
}
