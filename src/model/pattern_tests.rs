use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::table::Metadata;
use super::super::target::size_target;
use super::*;

/// 2026-05-25 00:00 UTC.
const START: Millis = 1_779_667_200_000;

/// A commit at `minutes` after the start.
fn commit(version: u64, minutes: i64, operation: &str, parameters: Value) -> Commit {
    Commit {
        version,
        timestamp: Some(START + minutes * MINUTE),
        operation: Some(operation.into()),
        operation_parameters: parameters.as_object().cloned(),
        added_files: 1,
        added_bytes: 1 << 20,
        added_records: Some(100),
        data_change: Some(true),
        ..Commit::default()
    }
}

fn find(commits: &[Commit], now: Millis) -> Vec<Pattern> {
    let trends = Trends::of(commits, &[], &[], now);
    match patterns(commits, &trends, &size_target(&Metadata::default(), 0), now) {
        Patterns::Found(found) => found,
        Patterns::NotEnoughCommits => panic!("enough commits were given"),
    }
}

fn kinds(commits: &[Commit]) -> Vec<PatternKind> {
    find(commits, START + 200 * DAY).into_iter().map(|p| p.kind).filter(|k| *k != PatternKind::Idle).collect()
}

fn value(pattern: &Pattern, name: &str) -> f64 {
    pattern.evidence.iter().find(|e| e.name == name).unwrap().value
}

#[test]
fn too_few_commits_say_nothing() {
    let two: Vec<Commit> = (0..2).map(|v| commit(v, v as i64, "WRITE", json!({}))).collect();
    let trends = Trends::of(&two, &[], &[], START);
    let got = patterns(&two, &trends, &size_target(&Metadata::default(), 0), START);
    assert_eq!(serde_json::to_value(&got).unwrap(), json!({"state": "not-enough-commits"}));
}

#[test]
fn a_stream_of_tiny_files() {
    let stream: Vec<Commit> =
        (0..20).map(|v| commit(v, 2 * v as i64, "STREAMING UPDATE", json!({"epochId": v}))).collect();
    let found = find(&stream, START + DAY);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, PatternKind::StreamingTinyAppends);
    assert_eq!((value(&found[0], "median interval"), value(&found[0], "commits")), (120_000.0, 20.0));
    let big: Vec<Commit> = stream.iter().map(|c| Commit { added_bytes: 200 << 20, ..c.clone() }).collect();
    assert_eq!(kinds(&big), [PatternKind::BatchAppends]);
}

#[test]
fn daily_overwrites() {
    let parameters = json!({"mode": "Overwrite"});
    let daily: Vec<Commit> = (0..5)
        .map(|v| Commit {
            removed_files: v.min(1),
            removed_bytes: 1 << 20,
            ..commit(v, 1440 * v as i64, "WRITE", parameters.clone())
        })
        .collect();
    assert_eq!(kinds(&daily), [PatternKind::DailyOverwrite]);
    let hourly: Vec<Commit> = daily
        .iter()
        .map(|c| Commit { timestamp: Some(START + c.version as i64 * HOUR), ..c.clone() })
        .collect();
    assert!(kinds(&hourly).is_empty());
}

#[test]
fn merges_that_rewrite_much() {
    let metrics = json!({"numTargetRowsInserted": 1, "numTargetRowsUpdated": "1", "numTargetRowsDeleted": 0, "numTargetRowsCopied": "98"});
    let merge = |v, minutes| Commit {
        removed_files: 1,
        removed_bytes: 1 << 20,
        operation_metrics: metrics.as_object().cloned(),
        ..commit(v, minutes, "MERGE", json!({}))
    };
    let commits = [commit(0, 0, "WRITE", json!({})), merge(1, 5), merge(2, 10), merge(3, 15)];
    let found = find(&commits, START + DAY);
    assert_eq!(found[0].kind, PatternKind::HeavyRewrites);
    assert_eq!((value(&found[0], "row write amplification"), value(&found[0], "rows copied")), (50.0, 294.0));
    assert!(found[0].sentence.contains("3 MERGE commits wrote 50 rows for each"), "{}", found[0].sentence);
    // Without metrics the bytes tell.
    let bare: Vec<Commit> = commits.iter().map(|c| Commit { operation_metrics: None, ..c.clone() }).collect();
    let found = find(&bare, START + DAY);
    assert_eq!(value(&found[0], "median share rewritten"), 100.0);
    // Not where sizes are unknown too.
    let blind: Vec<Commit> =
        bare.iter().map(|c| Commit { removes_without_size: c.removed_files, ..c.clone() }).collect();
    assert!(find(&blind, START + DAY).is_empty());
}

#[test]
fn compaction_vacuum_and_rest() {
    let compact = |v, minutes| Commit {
        removed_files: 8,
        added_files: 1,
        data_change: Some(false),
        ..commit(v, minutes, "OPTIMIZE", json!({}))
    };
    let vacuum = |v, minutes| Commit {
        added_files: 0,
        data_change: None,
        ..commit(v, minutes, "VACUUM END", json!({}))
    };
    let commits = [compact(3, 0), vacuum(4, 60), compact(5, 1440), vacuum(6, 1500)];
    let found = find(&commits, START + 3 * DAY);
    assert_eq!(
        found.iter().map(|p| p.kind).collect::<Vec<_>>(),
        [PatternKind::Compaction, PatternKind::Vacuum]
    );
    assert_eq!(
        (value(&found[0], "median files before"), value(&found[1], "median interval")),
        (8.0, 86_400_000.0)
    );
    let later = find(&commits, START + 30 * DAY);
    assert_eq!(later.last().map(|p| p.kind), Some(PatternKind::Idle));
}

#[test]
fn appends_and_compactions_are_two_patterns() {
    let commits: Vec<Commit> = (0..40)
        .map(|v| match v % 10 {
            9 => Commit {
                removed_files: 9,
                data_change: Some(false),
                ..commit(v, v as i64, "OPTIMIZE", json!({}))
            },
            _ => commit(v, v as i64, "WRITE", json!({"mode": "Append"})),
        })
        .collect();
    assert_eq!(kinds(&commits), [PatternKind::StreamingTinyAppends, PatternKind::Compaction]);
}

proptest! {
    #[test]
    fn no_history_is_too_odd(
        rows in proptest::collection::vec((0usize..6, any::<Option<i64>>(), any::<u64>(), 0u64..9, any::<u64>(), any::<Option<bool>>()), 0..30),
        now in any::<i64>(),
    ) {
        let words = ["MERGE", "WRITE", "OPTIMIZE", "VACUUM END", "DELETE", ""];
        let commits: Vec<Commit> = rows
            .into_iter()
            .enumerate()
            .map(|(v, (word, timestamp, added_bytes, added_files, removed_bytes, data_change))| Commit {
                version: v as u64 * 2 / 3,
                timestamp,
                operation: Some(words[word].into()),
                added_bytes,
                added_files,
                removed_bytes,
                removed_files: added_files / 2,
                data_change,
                ..Commit::default()
            })
            .collect();
        let trends = Trends::of(&commits, &[], &[], now);
        if let Patterns::Found(found) = patterns(&commits, &trends, &size_target(&Metadata::default(), 0), now) {
            for pattern in found {
                prop_assert!(pattern.evidence.iter().all(|e| e.value.is_finite()));
            }
        }
    }
}
