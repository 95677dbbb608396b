//! Following a table: what is read commit by commit must be what reading it anew gives.

use deltop::lake::log::{Files, Look, OpenTable, Want};
use deltop::lake::watch::Watch;
use deltop::model::table::AsOf;
use proptest::prelude::*;
use serde_json::json;

use crate::replay::{Plan, State, expected_files, found_files, names, plan, small_state, write};
use crate::support::log::{Kind, LogBuilder, metadata, protocol};
use crate::support::runtime;

const ALL: Want = Want { records: true, tags: true, tombstones: true };

fn open(log: &LogBuilder, want: Want) -> (OpenTable, Files) {
    runtime().block_on(async {
        let table = OpenTable::open(&log.place(), AsOf::Latest, &Watch::default()).await.unwrap();
        let files = table.files(want, &Watch::default()).await.unwrap();
        (table, files)
    })
}

/// Takes the news, if there are any.
fn follow(table: &mut OpenTable, files: &mut Files, look: Look) -> bool {
    runtime().block_on(async {
        let watch = Watch::default();
        let Some(news) = table.news(look, &watch).await.unwrap() else { return false };
        *files = news.files(table, files, &watch).await.unwrap().files;
        *table = news.table;
        true
    })
}

/// The newest version in a file's name.
fn version_of(name: &str) -> Option<u64> {
    let versions = name.split('.').map_while(|part| part.parse::<u64>().ok());
    if name.contains("checkpoint") { versions.take(1).last() } else { versions.last() }
}

fn check(plan: &Plan, start: usize, steps: &[(u8, bool)], want: Want) -> Result<(), TestCaseError> {
    let log = LogBuilder::new();
    let (commits, _) = write(plan, &log);
    let start = (start % commits.len()) as u64;
    // As the log was at that version: what came later is taken away, and comes back bit by bit.
    for name in names(&log).iter().filter(|n| version_of(n).is_some_and(|v| v > start)) {
        log.delete(name);
    }
    for (version, actions) in (0..).zip(&commits[..=start as usize]) {
        log.commit(version, actions);
    }
    let (mut table, mut files) = open(&log, want);
    prop_assert_eq!(table.table.version, start);
    let mut next = start as usize + 1;
    for (count, lists) in steps {
        let until = (next + usize::from(*count)).min(commits.len());
        for (version, actions) in (0..).zip(&commits).take(until).skip(next) {
            log.commit(version, actions);
        }
        let look = if *lists { Look::List } else { Look::Next };
        prop_assert_eq!(follow(&mut table, &mut files, look), until > next);
        next = until;
        let mut state = State::default();
        commits[..next].iter().flatten().for_each(|a| state.apply(a));
        prop_assert_eq!(table.table.version, next as u64 - 1);
        prop_assert_eq!(found_files(&files), expected_files(&state, want));
        let (fresh_table, fresh) = open(&log, want);
        let paths = |files: &Files| files.list.iter().map(|f| f.path.to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(paths(&files), paths(&fresh), "in the same order");
        prop_assert_eq!(files.tombstones, fresh.tombstones);
        prop_assert_eq!(&table.table.log, &fresh_table.table.log);
        small_state(&table, &state)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn following_finds_what_opening_anew_finds(
        plan in plan(),
        start in 0usize..12,
        steps in prop::collection::vec((0u8..4, any::<bool>()), 1..5),
        want in any::<(bool, bool, bool)>(),
    ) {
        let (records, tags, tombstones) = want;
        check(&plan, start, &steps, Want { records, tags, tombstones })?;
    }
}

fn add(path: &str) -> serde_json::Value {
    json!({"add": {"path": path, "partitionValues": {}, "size": 10, "modificationTime": 1, "dataChange": true}})
}

fn remove(path: &str) -> serde_json::Value {
    json!({"remove": {"path": path, "deletionTimestamp": 1, "dataChange": true, "size": 10}})
}

/// One file a version, `f0` to the last.
fn appended(versions: u64) -> LogBuilder {
    let log = LogBuilder::new();
    log.commit(0, &[protocol(), metadata(&[]), add("f0")]);
    (1..versions).for_each(|v| log.commit(v, &[add(&format!("f{v}"))]));
    log
}

#[test]
fn many_new_commits_come_at_once() {
    let log = appended(3);
    let (mut table, mut files) = open(&log, ALL);
    (3..60).for_each(|v| log.commit(v, &[add(&format!("f{v}")), remove(&format!("f{}", v - 3))]));
    assert!(follow(&mut table, &mut files, Look::Next));
    assert_eq!((table.table.version, files.list.len()), (59, 3));
    assert_eq!(files.tombstones.map(|t| t.files), Some(57));
    assert!(!follow(&mut table, &mut files, Look::Next));
    assert!(!follow(&mut table, &mut files, Look::List));
}

#[test]
fn news_are_read_from_the_new_commit_alone() {
    let log = appended(3);
    let (mut table, mut files) = open(&log, ALL);
    log.commit(3, &[add("f3")]);
    // Whoever reads these again, fails. The newest one held is only looked at: whether it is the same.
    (0..2).for_each(|v| log.put(&format!("{v:020}.json"), "nonsense"));
    assert!(follow(&mut table, &mut files, Look::Next));
    assert_eq!(files.list.iter().map(|f| f.path).collect::<Vec<_>>(), ["f3", "f2", "f1", "f0"]);
}

#[test]
fn a_table_that_was_replaced_is_read_anew() {
    let log = appended(5);
    let (mut table, mut files) = open(&log, ALL);
    (0..5).for_each(|v| log.delete(&format!("{v:020}.json")));
    log.commit(0, &[protocol(), metadata(&[]), add("new"), add("newer")]);
    assert!(follow(&mut table, &mut files, Look::Next), "also without a listing");
    assert_eq!((table.table.version, files.list.len()), (0, 2));
}

#[test]
fn a_table_that_was_deleted_is_noticed_at_the_next_look() {
    for look in [Look::Next, Look::List] {
        let log = appended(3);
        let (table, _) = open(&log, ALL);
        (0..3).for_each(|v| log.delete(&format!("{v:020}.json")));
        let fault = runtime().block_on(table.news(look, &Watch::default())).err().unwrap();
        assert_eq!((fault.code, fault.exit_status()), ("not-found", 3), "{fault}");
    }
}

#[test]
fn a_longer_log_in_its_place_is_not_taken_for_its_continuation() {
    let log = appended(3);
    let (mut table, mut files) = open(&log, ALL);
    log.commit(0, &[protocol(), metadata(&[]), add("other0")]);
    (1..5).for_each(|v| log.commit(v, &[add(&format!("other{v}"))]));
    assert!(follow(&mut table, &mut files, Look::Next));
    assert_eq!(table.table.version, 4);
    assert_eq!(files.list.len(), 5);
    assert!(files.list.iter().all(|f| f.path.starts_with("other")));
}

#[test]
fn a_log_that_was_cleaned_up_meanwhile_is_opened_anew() {
    let log = appended(5);
    let (mut table, mut files) = open(&log, ALL);
    let all: Vec<_> = (0..9).map(|v| add(&format!("f{v}"))).chain([protocol(), metadata(&[])]).collect();
    log.checkpoint(8, Kind::Classic, &all);
    log.commit(9, &[remove("f0")]);
    assert!(follow(&mut table, &mut files, Look::List));
    assert_eq!((table.table.version, files.list.len()), (9, 8));
}

#[test]
fn a_new_checkpoint_is_seen_when_the_folder_is_listed() {
    let log = appended(2);
    let (mut table, mut files) = open(&log, ALL);
    log.checkpoint(1, Kind::Classic, &[protocol(), metadata(&[]), add("f0"), add("f1")]);
    assert!(!follow(&mut table, &mut files, Look::Next));
    assert!(follow(&mut table, &mut files, Look::List));
    assert_eq!((table.table.version, table.table.log.last_checkpoint), (1, Some(1)));
    assert_eq!(files.list.len(), 2);
}

#[test]
fn new_partition_columns_are_reason_enough_to_read_all_files() {
    let log = appended(2);
    let (mut table, mut files) = open(&log, ALL);
    let mut changed = metadata(&[]);
    changed["metaData"]["partitionColumns"] = json!([]);
    log.commit(2, &[changed]);
    assert!(follow(&mut table, &mut files, Look::Next));
    assert_eq!((files.list.len(), files.list.partitions.columns().len()), (2, 0));
}

#[test]
fn files_that_were_removed_before_are_told() {
    let again = |actions: &[serde_json::Value]| {
        let log = appended(3);
        log.commit(3, &[remove("f0"), add("x")]);
        let (table, files) = open(&log, ALL);
        log.commit(4, actions);
        runtime().block_on(async {
            let news = table.news(Look::Next, &Watch::default()).await.unwrap().unwrap();
            news.files(&table, &files, &Watch::default()).await.unwrap().removed_again
        })
    };
    assert!(again(&[remove("f0"), remove("f1"), add("y")]));
    assert!(!again(&[remove("f1"), add("y")]));
}
