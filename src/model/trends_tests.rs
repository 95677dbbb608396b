use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::calendar::{Span, Zone};
use super::super::levels::{Anchor, Level, SmallFiles};
use super::super::trend_rates::operation_mix;
use super::*;

const HOUR: Millis = 3_600_000;
const DAY: Millis = 24 * HOUR;
/// 2026-05-25 00:00 UTC, a Monday.
const MONDAY: Millis = 1_779_667_200_000;
const NOW: Millis = MONDAY + 30 * DAY;

/// A commit at `hours` after Monday that adds and removes this many files of 10 bytes and 2 rows.
fn commit(version: u64, hours: i64, added: u64, removed: u64) -> Commit {
    Commit {
        version,
        timestamp: Some(MONDAY + hours * HOUR),
        operation: Some("WRITE".into()),
        added_files: added,
        removed_files: removed,
        added_bytes: 10 * added,
        removed_bytes: 10 * removed,
        added_records: Some(2 * added),
        removed_records: Some(2 * removed),
        data_change: Some(true),
        ..Commit::default()
    }
}

fn levels(trends: &Trends) -> Vec<Option<u64>> {
    trends.points.iter().map(|p| p.level.files).collect()
}

#[test]
fn levels_add_up_from_version_zero() {
    let commits = [commit(2, 2, 1, 4), commit(1, 1, 3, 0), commit(0, 0, 2, 0)];
    let t = Trends::of(&commits, &[], &[], NOW);
    assert_eq!(levels(&t), [Some(2), Some(5), Some(2)]);
    let last = t.latest().unwrap().level;
    assert_eq!(
        (last.bytes, last.rows, last.small_files, last.average_size()),
        (Some(20), Some(4), None, Some(10))
    );
    assert!(t.adds_up && t.gaps.is_empty());
}

#[test]
fn an_anchor_gives_levels_on_both_sides_up_to_the_gaps() {
    let commits = [commit(3, 0, 1, 0), commit(4, 1, 1, 0), commit(7, 2, 1, 0), commit(8, 3, 1, 0)];
    let anchor = |version, files| Anchor { version, level: Level { files: Some(files), ..Level::default() } };
    let t = Trends::of(&commits, &[anchor(8, 20)], &[], NOW);
    assert_eq!(levels(&t), [None, None, Some(19), Some(20)]);
    assert_eq!(t.gaps, [5..=6]);
    let t = Trends::of(&commits, &[anchor(8, 20), anchor(2, 5), anchor(6, 18)], &[], NOW);
    assert_eq!(levels(&t), [Some(6), Some(7), Some(19), Some(20)]);
    assert!(t.adds_up);
    // Sums that an anchor refutes are not shown.
    let wrong = Trends::of(&commits, &[anchor(2, 5), anchor(4, 9), anchor(8, 20), anchor(7, 3)], &[], NOW);
    assert_eq!((levels(&wrong), wrong.adds_up), (vec![None, Some(9), Some(3), Some(20)], false));
}

#[test]
fn what_is_not_stated_is_not_known() {
    let unsized_remove = Commit { removes_without_size: 1, removed_records: None, ..commit(1, 1, 1, 1) };
    let t = Trends::of(&[commit(0, 0, 2, 0), unsized_remove, commit(2, 2, 1, 0)], &[], &[], NOW);
    let known: Vec<_> = t.points.iter().map(|p| (p.level.files, p.level.bytes, p.level.rows)).collect();
    assert_eq!(known, [(Some(2), Some(20), Some(4)), (Some(2), None, None), (Some(3), None, None)]);
    // Rows are not: they are known again after a compaction, by metrics, and when all is replaced.
    let unsaid = |v, added, removed| Commit { removed_records: None, ..commit(v, v as i64, added, removed) };
    let compact = Commit { data_change: Some(false), ..unsaid(1, 1, 3) };
    let metrics = json!({"numDeletedRows": "3"});
    let delete = Commit {
        operation: Some("DELETE".into()),
        operation_metrics: metrics.as_object().cloned(),
        ..unsaid(2, 1, 1)
    };
    let all = [commit(0, 0, 5, 0), compact, delete, unsaid(3, 1, 1), unsaid(4, 2, 3)];
    let t = Trends::of(&all, &[], &[], NOW);
    let rows: Vec<_> = t.points.iter().map(|p| p.level.rows).collect();
    assert_eq!(rows, [Some(10), Some(10), Some(7), None, Some(4)]);
    // More removed than there was: the log does not add up.
    let t = Trends::of(&[commit(0, 0, 1, 0), commit(1, 1, 0, 5)], &[], &[], NOW);
    assert_eq!((levels(&t), t.adds_up), (vec![None, None], false));
}

#[test]
fn a_broken_commit_is_a_gap() {
    let broken = Commit { incomplete: true, ..commit(1, 1, 9, 0) };
    let t = Trends::of(&[commit(0, 0, 1, 0), broken, commit(3, 2, 1, 0)], &[], &[], NOW);
    assert_eq!((levels(&t), &t.gaps[..]), (vec![Some(1), None], &[1..=2][..]));
}

#[test]
fn added_statistics_add_no_files() {
    let stats =
        Commit { operation: Some("COMPUTE STATS".into()), data_change: Some(false), ..commit(1, 1, 2, 0) };
    let t = Trends::of(&[commit(0, 0, 2, 0), stats], &[], &[], NOW);
    assert_eq!(levels(&t), [Some(2), Some(2)]);
}

#[test]
fn small_files_are_followed_where_they_are_known() {
    let small = [
        SmallFiles { version: 0, added: 2, removed: Some(0) },
        SmallFiles { version: 1, added: 0, removed: Some(1) },
    ];
    let t = Trends::of(&[commit(0, 0, 2, 0), commit(1, 1, 1, 1), commit(2, 2, 1, 0)], &[], &small, NOW);
    let shares: Vec<_> = t.points.iter().map(|p| p.level.small_share()).collect();
    assert_eq!(shares, [Some(1.0), Some(0.5), None]);
}

#[test]
fn odd_clocks_are_counted_and_harm_nothing() {
    let mut commits: Vec<Commit> = (0..6).map(|v| commit(v, v as i64, 1, 0)).collect();
    commits[1].timestamp = None;
    commits[2].timestamp = Some(-62_135_596_800_000);
    commits[3].timestamp = Some(i64::MAX);
    commits[5].timestamp = Some(MONDAY + 2 * HOUR);
    let t = Trends::of(&commits, &[], &[], NOW);
    assert_eq!((t.without_time, t.clock_went_back, t.points.len()), (3, 1, 6));
    let slots = t.slots(Span::Hour, Zone::UTC, 100);
    assert_eq!(slots.iter().map(|s| s.commits).collect::<Vec<_>>(), [1, 0, 1, 0, 1]);
    assert_eq!(slots[2].versions, Some((5, 5)));
}

#[test]
fn slots_by_day_and_week() {
    let commits = [commit(0, -30, 1, 0), commit(1, 1, 2, 0), commit(2, 23, 1, 1), commit(3, 80, 5, 0)];
    let t = Trends::of(&commits, &[], &[], NOW);
    let days = t.slots(Span::Day, Zone::UTC, 100);
    assert_eq!(days.iter().map(|s| s.commits).collect::<Vec<_>>(), [1, 0, 2, 0, 0, 1]);
    assert_eq!(days.iter().map(|s| s.level.files).collect::<Vec<_>>(), [1, 1, 3, 3, 3, 8].map(Some));
    assert_eq!(
        (days[2].versions, days[2].added_rows, days[2].removed_bytes),
        (Some((1, 2)), Some(6), Some(10))
    );
    assert_eq!(t.slots(Span::Week, Zone::UTC, 100).iter().map(|s| s.commits).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(t.slots(Span::Day, Zone::UTC, 2).iter().map(|s| s.commits).collect::<Vec<_>>(), [0, 1]);
    assert!(t.slots(Span::Day, Zone::UTC, 0).is_empty());
}

#[test]
fn rates_over_a_window() {
    let commits = [commit(4, 0, 1, 0), commit(5, 10, 2, 1), commit(6, 11, 3, 0)];
    let t = Trends::of(&commits, &[], &[], NOW);
    let r = t.rates(2 * HOUR, MONDAY + 11 * HOUR);
    assert_eq!((r.commits, r.added_files, r.removed_files, r.added_bytes, r.complete), (2, 5, 1, 50, true));
    assert!((r.per_minute(r.commits) - 2.0 / 120.0).abs() < 1e-12);
    assert!(!t.rates(100 * HOUR, MONDAY + 11 * HOUR).complete);
    assert_eq!(t.rates(0, NOW).per_minute(9), 0.0);
    assert_eq!(t.median_interval(|_| true), Some(10 * HOUR));
    assert_eq!(Trends::default().rates(HOUR, NOW).commits, 0);
}

#[test]
fn amplification_per_operation() {
    let with = |operation: &str, metrics: Value, c: Commit| Commit {
        operation: Some(operation.into()),
        operation_metrics: metrics.as_object().cloned(),
        ..c
    };
    let merge = json!({"numTargetRowsInserted": "2", "numTargetRowsUpdated": 3, "numTargetRowsDeleted": "0", "numTargetRowsCopied": "95"});
    let commits = [
        with("MERGE", merge, commit(1, 1, 11, 10)),
        with("DELETE", json!({"numDeletedRows": "4"}), commit(2, 2, 1, 2)),
        with("UPDATE", json!({}), commit(3, 3, 1, 1)),
        commit(0, 0, 10, 0),
    ];
    let mix = operation_mix(&commits);
    let merge = mix[&OperationKind::Merge];
    assert_eq!(
        (merge.row_amplification(), merge.byte_amplification(), merge.net_bytes()),
        (Some(20.0), Some(11.0), Some(10))
    );
    assert_eq!(mix[&OperationKind::Delete].row_amplification(), Some(1.0));
    assert_eq!(mix[&OperationKind::Delete].byte_amplification(), None);
    assert_eq!(mix[&OperationKind::Update].row_amplification(), None);
    assert_eq!(mix[&OperationKind::Write].byte_amplification(), Some(1.0));
}

proptest! {
    #[test]
    fn an_anchor_at_the_end_gives_what_the_start_gives(
        steps in proptest::collection::vec((0u64..20, 0u64..20, any::<Option<i64>>()), 1..40),
        drop in 0usize..40,
    ) {
        let mut have = 0;
        let commits: Vec<Commit> = steps
            .iter()
            .enumerate()
            .map(|(v, (added, removed, time))| {
                let removed = (*removed).min(have);
                have = have + added - removed;
                Commit { timestamp: *time, ..commit(v as u64, 0, *added, removed) }
            })
            .collect();
        let forward = Trends::of(&commits, &[], &[], NOW);
        prop_assert!(forward.adds_up);
        prop_assert_eq!(forward.latest().unwrap().level.files, Some(have));
        // Without version 0, but with the last level known, the others follow backward.
        let end = Anchor { version: commits.len() as u64 - 1, level: forward.latest().unwrap().level };
        let backward = Trends::of(&commits[1.min(commits.len() - 1)..], &[end], &[], NOW);
        prop_assert!(backward.adds_up);
        for (a, b) in backward.points.iter().rev().zip(forward.points.iter().rev()) {
            prop_assert_eq!(a.level.files, b.level.files);
            prop_assert_eq!(a.level.rows, b.level.rows);
        }
        // Whatever is missing, each known level is right.
        let mut holed = commits.clone();
        holed.remove(drop % commits.len());
        for p in &Trends::of(&holed, &[end], &[], NOW).points {
            let truth = forward.points[p.version as usize].level.files;
            prop_assert!(p.level.files.is_none() || p.level.files == truth);
        }
        for span in [Span::Hour, Span::Day, Span::Week] {
            let slots = forward.slots(span, Zone::UTC, 50);
            prop_assert!(slots.len() <= 50 && slots.windows(2).all(|w| w[0].start + span.millis() == w[1].start));
        }
    }
}
