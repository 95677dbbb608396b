//! History, diff, trends and retention against a naive replay of the very same logs; and logs that
//! are as bad as they come.

use std::collections::BTreeMap;
use std::path::Path;

use deltop::lake::diff::diff;
use deltop::lake::log::{Log, OpenTable};
use deltop::lake::place::Place;
use deltop::lake::walk::{Ask, walk};
use deltop::lake::watch::Watch;
use deltop::lake::{commit, history};
use deltop::model::Outcome;
use deltop::model::diff::{Diff, Sum};
use deltop::model::history::Commit;
use deltop::model::past::Past;
use deltop::model::table::AsOf;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::replay;
use crate::support::headless::{Demo, deltop, shared_tables};
use crate::support::log::{Kind, LogBuilder, metadata, protocol};
use crate::support::runtime;

/// 2027-01-15.
const NOW: i64 = 1_800_000_000_000;
const HOUR: i64 = 3_600_000;

async fn open(place: &Place) -> Outcome<OpenTable> {
    OpenTable::open(place, AsOf::Latest, &Watch::default()).await
}

fn diff_of(place: &Place, from: u64, to: u64) -> Outcome<Diff> {
    runtime().block_on(async {
        let log = Log::list(place, &Watch::default()).await?;
        let open = log.open(AsOf::Version(from), &Watch::default()).await?;
        Ok(diff(&open, AsOf::Version(from), AsOf::Version(to), &Watch::default()).await?.diff)
    })
}

fn walk_of(place: &Place, look_for_files: bool, retain: Option<i64>) -> Outcome<Past> {
    let ask = Ask { look_for_files, retain, now: NOW };
    runtime().block_on(async { walk(&open(place).await?, ask, &Watch::default()).await })
}

fn history_of(place: &Place) -> Vec<Commit> {
    runtime().block_on(async {
        let log = Log::list(place, &Watch::default()).await.unwrap();
        let mut out = Vec::new();
        history::of_log(&log, log.newest(), usize::MAX, &Watch::default(), &mut |c| out.push(c))
            .await
            .unwrap();
        out
    })
}

/// Size by path and deletion vector: what a replay of one action after the other leaves.
type Files = BTreeMap<(String, String), u64>;

fn key(file: &Value) -> (String, String) {
    (file["path"].as_str().unwrap_or_default().to_owned(), file["deletionVector"].to_string())
}

fn apply(files: &mut Files, action: &Value) {
    if let Some(add) = action.get("add").filter(|a| !a.is_null()) {
        files.insert(key(add), add["size"].as_u64().unwrap_or(0));
    }
    if let Some(remove) = action.get("remove").filter(|r| !r.is_null()) {
        files.remove(&key(remove));
    }
}

/// The files at each version, if the log is whole from version 0 on.
fn versions(log: &Path) -> Option<Vec<Files>> {
    let mut out: Vec<Files> = Vec::new();
    loop {
        let name = format!("{:020}.json", out.len());
        let Ok(text) = std::fs::read_to_string(log.join(name)) else { break };
        let mut files = out.last().cloned().unwrap_or_default();
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            apply(&mut files, &value.ok()?);
        }
        out.push(files);
    }
    (!out.is_empty()).then_some(out)
}

fn sums<'a>(files: impl Iterator<Item = (&'a (String, String), &'a u64)>) -> (u64, u64) {
    files.fold((0, 0), |(n, bytes), (_, size)| (n + 1, bytes + size))
}

fn pair(sum: Sum) -> (u64, u64) {
    (sum.files, sum.bytes)
}

/// Added, removed and unchanged: files and bytes.
fn naive_diff(from: &Files, to: &Files) -> [(u64, u64); 3] {
    [
        sums(to.iter().filter(|(k, _)| !from.contains_key(*k))),
        sums(from.iter().filter(|(k, _)| !to.contains_key(*k))),
        sums(to.iter().filter(|(k, _)| from.contains_key(*k))),
    ]
}

#[test]
fn diffs_of_the_shared_tables_are_those_of_a_naive_replay() {
    let Some(folder) = shared_tables() else { return };
    let expected: Value =
        serde_json::from_slice(&std::fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let mut compared = 0;
    for (name, table) in expected["tables"].as_object().unwrap() {
        let whole = table["open"] == "ok" && table["compacted"].as_array().is_none_or(Vec::is_empty);
        // Paths that go by several names need more than a naive replay.
        if !whole || table["absolute_paths"].as_u64() != Some(0) {
            continue;
        }
        let Some(states) = versions(&folder.join(name).join("_delta_log")).filter(|s| s.len() > 1) else {
            continue;
        };
        let place = Place::parse(&folder.join(name).display().to_string(), &Vec::new()).unwrap();
        let last = states.len() - 1;
        for (from, to) in [(0, last), (last, 0), (last / 2, last), (last, last)] {
            let found = match diff_of(&place, from as u64, to as u64) {
                Ok(found) => found,
                Err(fault) => panic!("{name} {from} {to}: {fault}"),
            };
            let got = [pair(found.added), pair(found.removed), pair(found.unchanged)];
            assert_eq!(got, naive_diff(&states[from], &states[to]), "{name} from {from} to {to}");
            compared += 1;
        }
    }
    assert!(compared > 150, "only {compared} diffs were compared");
}

#[test]
fn diffs_of_the_binary_are_those_of_a_naive_replay() {
    let demo = Demo::shared();
    let log = demo.folder().join("sales/_delta_log");
    let states = versions(&log).unwrap();
    let found = deltop(&["diff", &demo.part("sales"), "10", "latest", "--json"]).json();
    let naive = naive_diff(&states[10], states.last().unwrap());
    for (part, (files, bytes)) in ["added", "removed", "unchanged"].iter().zip(naive) {
        assert_eq!((&found[part]["files"], &found[part]["bytes"]), (&json!(files), &json!(bytes)), "{part}");
    }
    let keys: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).take(10).collect();
    let contract = [
        "from",
        "to",
        "added",
        "removed",
        "unchanged",
        "layoutOnly",
        "schemaChanges",
        "propertyChanges",
        "protocolChanges",
        "partitions",
    ];
    assert_eq!(keys, contract);
    assert_eq!((&found["from"], &found["to"]), (&json!(10), &json!(states.len() - 1)));
    let same = deltop(&["diff", &demo.part("sales"), "7", "7", "--json"]).json();
    assert_eq!((&same["layoutOnly"], &same["added"]["files"]), (&json!(true), &json!(0)));
    // `latest` is what --as-of names.
    let past = deltop(&["diff", &demo.part("sales"), "3", "--as-of", "5", "--json"]).json();
    assert_eq!(past["to"], 5);
    assert_eq!(
        deltop(&["diff", &demo.part("sales"), "1", "999", "--json"]).error(),
        (3, "no-such-version".into())
    );
    assert_eq!(deltop(&["diff", &demo.part("sales"), "yesterday", "--json"]).error().0, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn diffs_and_walks_of_generated_logs_are_those_of_a_naive_replay(plan in replay::plan(), a: u16, b: u16) {
        let plan = replay::sound(plan);
        let log = LogBuilder::new();
        let (commits, _) = replay::write(&plan, &log);
        let mut states: Vec<Files> = Vec::new();
        for actions in &commits {
            let mut files = states.last().cloned().unwrap_or_default();
            actions.iter().for_each(|action| apply(&mut files, action));
            states.push(files);
        }
        let (a, b) = (a as usize % states.len(), b as usize % states.len());
        // Versions that were cleaned up cannot be compared; the reader's own tests hold which ones.
        if let Ok(found) = diff_of(&log.place(), a as u64, b as u64) {
            let got = [pair(found.added), pair(found.removed), pair(found.unchanged)];
            prop_assert_eq!(got, naive_diff(&states[a], &states[b]));
        }
        let past = walk_of(&log.place(), false, None).unwrap();
        for point in &past.trends.points {
            let truth = sums(states[point.version as usize].iter());
            let known = (point.level.files, point.level.bytes);
            prop_assert!(known.0.is_none_or(|n| n == truth.0), "v{}: {known:?} {truth:?}", point.version);
            prop_assert!(known.1.is_none_or(|n| n == truth.1), "v{}: {known:?} {truth:?}", point.version);
        }
        prop_assert!(past.keeping.horizon.is_some(), "{:?}", past.keeping.unknown);
        let last = past.trends.latest().map(|p| p.level.files);
        prop_assert!(last.is_none_or(|n| n == Some(states.last().unwrap().len() as u64)));
    }
}

fn add(path: &str, size: u64, rows: u64) -> Value {
    json!({"add": {"path": path, "partitionValues": {}, "size": size, "modificationTime": 1, "dataChange": true,
        "stats": format!("{{\"numRecords\":{rows}}}")}})
}

fn remove(path: &str, at: i64) -> Value {
    json!({"remove": {"path": path, "deletionTimestamp": at, "dataChange": true}})
}

/// Version 1 replaces what 0 wrote, long ago; version 3 replaces what 1 and 2 wrote, just now.
fn replaced() -> LogBuilder {
    let log = LogBuilder::new();
    let write = |at: i64| json!({"commitInfo": {"timestamp": at, "operation": "WRITE", "operationParameters": {"mode": "Append"}}});
    log.commit(0, &[write(1), protocol(), metadata(&[]), add("a.parquet", 10, 1)]);
    log.commit(1, &[write(2), remove("a.parquet", NOW - 900 * HOUR), add("b.parquet", 20, 2)]);
    log.commit(2, &[write(3), add("c.parquet", 30, 3)]);
    log.commit(
        3,
        &[
            write(4),
            remove("b.parquet", NOW - HOUR),
            remove("c.parquet", NOW - HOUR),
            add("d.parquet", 40, 5),
        ],
    );
    log
}

#[test]
fn retention_says_what_a_vacuum_ends() {
    let log = replaced();
    let past = walk_of(&log.place(), false, None).unwrap();
    let horizon = past.keeping.horizon.clone().unwrap();
    let ends: Vec<_> = horizon.vacuum_ends.iter().map(|v| (v.first, v.last)).collect();
    assert_eq!((ends, horizon.vacuum_files, horizon.vacuum_bytes), (vec![(0, 0)], 1, 10));
    assert_eq!((horizon.oldest_readable, horizon.oldest_after_vacuum), (None, Some(1)));
    assert!(!horizon.looked_for_files);
    // Rows that a remove does not state are those of its add.
    let rows: Vec<_> = past.trends.points.iter().map(|p| (p.removed_rows, p.level.rows)).collect();
    assert_eq!(rows, [(Some(0), Some(1)), (Some(1), Some(2)), (Some(0), Some(5)), (Some(5), Some(5))]);
    assert_eq!(past.keeping.history_bytes(), 60);
    let all = walk_of(&log.place(), false, Some(0)).unwrap().keeping.horizon.unwrap();
    assert_eq!((all.vacuum_files, all.oldest_after_vacuum), (3, Some(3)));
}

#[test]
fn versions_whose_data_is_gone_are_told_by_a_listing() {
    let log = replaced();
    let store = |path: &str| {
        use object_store::ObjectStoreExt;
        let path = object_store::path::Path::from(format!("t/{path}"));
        runtime().block_on(log.store.put(&path, "x".into())).unwrap();
    };
    ["b.parquet", "d.parquet"].into_iter().for_each(store);
    let past = walk_of(&log.place(), true, None).unwrap();
    let horizon = past.keeping.horizon.unwrap();
    let missing: Vec<_> = horizon.missing.iter().map(|v| (v.first, v.last)).collect();
    assert_eq!((missing, horizon.oldest_readable), (vec![(0, 0), (2, 2)], Some(1)));
    assert_eq!(past.keeping.looked.map(|l| l.missing_active), Some(0));
    runtime().block_on(async {
        use object_store::ObjectStoreExt;
        log.store.delete(&object_store::path::Path::from("t/d.parquet")).await.unwrap();
    });
    let past = walk_of(&log.place(), true, None).unwrap();
    let horizon = past.keeping.horizon.unwrap();
    assert_eq!((past.keeping.looked.map(|l| l.missing_active), horizon.oldest_readable), (Some(1), Some(1)));
    assert_eq!(horizon.oldest_after_vacuum, None, "the latest version misses a file itself");
}

#[test]
fn a_log_that_begins_at_a_checkpoint_is_walked_from_there() {
    let log = replaced();
    let state = [protocol(), metadata(&[]), add("b.parquet", 20, 2), remove("a.parquet", NOW - 900 * HOUR)];
    log.checkpoint(1, Kind::Classic, &state);
    log.delete("00000000000000000000.json");
    log.delete("00000000000000000001.json");
    let past = walk_of(&log.place(), false, None).unwrap();
    let horizon = past.keeping.horizon.clone().unwrap();
    assert_eq!((horizon.oldest_by_log, past.keeping.older.files), (1, 1));
    let levels: Vec<_> = past.trends.points.iter().map(|p| (p.version, p.level.rows)).collect();
    assert_eq!(levels, [(2, Some(5)), (3, Some(5))]);
    assert_eq!(past.keeping.history_bytes(), 50);
}

/// Everything that is bad about commits, at once: nothing of it is fatal, the rest is still listed.
#[test]
fn odd_commits_are_listed() {
    let log = LogBuilder::new();
    let megabyte = "x".repeat(1 << 20);
    log.commit(0, &[protocol(), metadata(&[]), add("a", 1, 1)]);
    log.commit(
        1,
        &[json!({"commitInfo": {"timestamp": -62_135_596_800_000i64, "operation": "WRITE"}}), add("b", 1, 1)],
    );
    log.commit(
        2,
        &[json!({"commitInfo": {"timestamp": i64::MAX, "userMetadata": megabyte, "operation": megabyte}})],
    );
    log.put("00000000000000000003.json", "");
    log.commit(4, &[json!({"commitInfo": {"timestamp": "soon", "operation": ["odd"], "operationParameters": "{\"mode\":\"Append\"}",
        "operationMetrics": {"numOutputRows": 7, "numFiles": "1", "odd": {"x": 1}}}}), add("c", 1, 1), json!({"newAction": {"x": 1}})]);
    log.commit(
        7,
        &[
            json!({"commitInfo": {}}),
            json!({"cdc": {"path": "_change_data/x", "size": 5, "dataChange": false}}),
        ],
    );
    log.put(
        "00000000000000000008.json",
        "{\"commitInfo\":{\"operation\":\"WRITE\"}}\n{\"add\":{\"path\":\"d\",\"si",
    );
    let all = history_of(&log.place());
    let versions: Vec<u64> = all.iter().map(|c| c.version).collect();
    assert_eq!(versions, [8, 7, 4, 3, 2, 1, 0]);
    let by = |version| all.iter().find(|c| c.version == version).unwrap();
    assert!(by(8).problem.as_ref().is_some_and(|p| p.contains("line 2")));
    assert_eq!(by(8).operation.as_deref(), Some("WRITE"));
    assert_eq!((by(7).readable, by(7).cdc_files), (false, 1));
    assert_eq!(
        by(7).lost_because.as_deref(),
        Some("a commit or checkpoint that it builds on was cleaned up or is missing")
    );
    assert!(by(4).readable && by(4).operation_parameters.as_ref().is_some_and(|p| p["mode"] == "Append"));
    for version in versions {
        let view = runtime().block_on(async {
            let log = Log::list(&log.place(), &Watch::default()).await?;
            commit::commit(&log, version, &Watch::default()).await
        });
        let view = view.unwrap();
        assert_eq!(view.actions.problems.is_empty(), version != 8 && version != 3, "{version}");
    }
    // The trends of what can be opened: times that cannot be are in no period.
    let old = runtime().block_on(async {
        let log = Log::list(&log.place(), &Watch::default()).await?;
        let table = log.open(AsOf::Version(4), &Watch::default()).await?;
        walk(&table, Ask { look_for_files: false, retain: None, now: NOW }, &Watch::default()).await
    });
    let old = old.unwrap();
    assert_eq!(old.trends.points.last().and_then(|p| p.level.files), Some(3));
}

#[test]
fn a_damaged_table_still_has_its_history() {
    let Some(folder) = shared_tables() else { return };
    let of = |name: &str| deltop(&["history", folder.join(name).to_str().unwrap(), "--json"]).json();
    let truncated = of("made__truncated_commit");
    assert!(truncated[0]["problem"].is_string() && truncated[1]["problem"].is_null(), "{truncated}");
    let gap = of("made__gap");
    let versions: Vec<u64> = gap.as_array().unwrap().iter().filter_map(|c| c["version"].as_u64()).collect();
    assert_eq!(versions, [8, 7, 5, 4, 3, 2, 1, 0]);
    assert_eq!((&gap[0]["readable"], &gap[2]["readable"]), (&json!(false), &json!(true)));
    let text = deltop(&["history", folder.join("made__gap").to_str().unwrap()]).ok();
    assert!(text.contains("(1 version missing in the log)"), "{text}");
    let text = deltop(&["history", folder.join("made__cleaned_log").to_str().unwrap()]).ok();
    assert!(text.contains("cleaned up)"), "{text}");
}

#[test]
fn opened_commits_show_their_changes() {
    let log = replaced();
    log.commit(4, &[metadata(&[("delta.appendOnly", "true")]), json!({"txn": {"appId": "s", "version": 3}})]);
    let view = runtime().block_on(async {
        let log = Log::list(&log.place(), &Watch::default()).await?;
        commit::commit(&log, 4, &Watch::default()).await
    });
    let view = view.unwrap();
    let changes: Vec<_> =
        view.metadata.unwrap().property_changes.into_iter().map(|c| (c.name, c.from, c.to)).collect();
    assert_eq!(changes, [("delta.appendOnly".to_owned(), None, Some("true".to_owned()))]);
    assert_eq!((view.protocol, view.before_unknown), (None, None));
}

#[test]
fn trends_and_retention_of_the_demo() {
    let demo = Demo::shared();
    let sales = demo.part("sales");
    let trends = deltop(&["trends", &sales, "--json"]).json();
    let last = trends["points"].as_array().unwrap().last().unwrap().clone();
    let detail = deltop(&["detail", &sales, "--json"]).json();
    for key in ["numFiles", "sizeInBytes", "numRecords"] {
        assert_eq!(last[key], detail[key], "{key}");
    }
    assert_eq!(trends["addsUp"], true);
    let text = deltop(&["trends", &sales, "--ascii", "--by", "day"]).ok();
    assert!(text.is_ascii() && text.lines().all(|l| l.len() <= 160), "{text}");
    let days = deltop(&["history", &demo.part("daily_snapshots"), "--by", "day", "--json"]).json();
    let rows: u64 = days.as_array().unwrap().iter().map(|d| d["addedRecords"].as_u64().unwrap()).sum();
    let detail = deltop(&["detail", &demo.part("daily_snapshots"), "--json"]).json();
    assert_eq!(json!(rows), detail["numRecords"], "the snapshots are only added to");
    assert_eq!(days[0]["numRecords"], detail["numRecords"]);
    let retention = deltop(&["retention", &sales, "--list", "--retain", "0", "--json"]).json();
    let (horizon, tombstones) =
        (&retention["horizon"], &deltop(&["detail", &sales, "--json"]).json()["tombstones"]);
    assert_eq!(horizon["missing"], json!([]));
    assert_eq!(horizon["vacuumBytes"], tombstones["sizeInBytes"]);
    assert_eq!(horizon["oldestAfterVacuum"], 52, "version 52 deleted rows last");
}
