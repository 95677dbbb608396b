//! The log reader at its edges: time travel, odd commits, recovery, cancelling, discovery.

use std::sync::Arc;

use deltop::lake::log::{Files, OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::lake::{discover, history};
use deltop::model::history::Commit;
use deltop::model::lakehouse::{EntryKind, Found};
use deltop::model::table::{AsOf, StatedTotals};
use deltop::model::{FaultKind, Outcome};
use object_store::ObjectStoreExt;
use object_store::memory::InMemory;
use object_store::path::Path;
use serde_json::{Value, json};

use crate::support::log::{Kind, LogBuilder, metadata, protocol};
use crate::support::runtime;

fn open(log: &LogBuilder, as_of: AsOf) -> Outcome<OpenTable> {
    runtime().block_on(OpenTable::open(&log.place(), as_of, &Watch::default()))
}

fn read(log: &LogBuilder) -> Outcome<(OpenTable, Files)> {
    let table = open(log, AsOf::Latest)?;
    let want = Want { records: true, tags: true, tombstones: true };
    let files = runtime().block_on(table.files(want, &Watch::default()))?;
    Ok((table, files))
}

fn add(name: &str, size: Value) -> Value {
    json!({"add": {"path": name, "partitionValues": {"p": "x"}, "size": size, "modificationTime": 1, "dataChange": true, "stats": "{\"numRecords\":2}"}})
}

/// A log of `n` commits; each adds the file of its version.
fn simple(n: u64) -> LogBuilder {
    let log = LogBuilder::new();
    for version in 0..n {
        let mut actions = vec![json!({"commitInfo": {"operation": "WRITE"}})];
        if version == 0 {
            actions.extend([protocol(), metadata(&[])]);
        }
        actions.push(add(&format!("f{version}"), json!(10)));
        log.commit(version, &actions);
    }
    log
}

/// What other parts of the program do with these futures: box, send, spawn.
#[test]
fn reads_can_be_sent_to_other_threads() {
    use futures::FutureExt;
    let log = simple(3);
    let place = log.place();
    let task = async move {
        let watch = Watch::default();
        let table = OpenTable::open(&place, AsOf::Latest, &watch).boxed().await?;
        let files = table.files(Want::default(), &watch).boxed().await?;
        let mut n = 0;
        history::commits(&table, None, 9, &watch, &mut |_| n += 1).boxed().await?;
        discover::look(&place, &watch).boxed().await?;
        Ok::<_, deltop::model::Fault>((files.list.len(), n))
    };
    assert_eq!(runtime().block_on(runtime().spawn(task)).unwrap(), Ok((3, 3)));
}

fn with_timestamps(configuration: &[(&str, &str)], times: &[i64]) -> LogBuilder {
    let log = LogBuilder::new();
    for (version, time) in times.iter().enumerate() {
        let mut actions = vec![json!({"commitInfo": {"inCommitTimestamp": time, "operation": "WRITE"}})];
        if version == 0 {
            actions.extend([protocol(), metadata(configuration)]);
        }
        log.commit(version as u64, &actions);
    }
    log
}

#[test]
fn time_travel_by_in_commit_timestamps() {
    let log = with_timestamps(&[("delta.enableInCommitTimestamps", "true")], &[1000, 2000, 3000]);
    let at = |time| open(&log, AsOf::Time(time)).map(|t| (t.table.version, t.table.modified));
    assert_eq!(at(1000), Ok((0, Some(1000))));
    assert_eq!(at(2999), Ok((1, Some(2000))));
    assert_eq!(at(i64::MAX), Ok((2, Some(3000))));
    assert_eq!(at(999).unwrap_err().code, "no-such-version");
    // Enabled later on: earlier versions go by file times, which are of this very moment.
    let since = [
        ("delta.enableInCommitTimestamps", "true"),
        ("delta.inCommitTimestampEnablementVersion", "1"),
        ("delta.inCommitTimestampEnablementTimestamp", "2000"),
    ];
    let log = with_timestamps(&since, &[1000, 2000, 3000]);
    assert_eq!(open(&log, AsOf::Time(2500)).map(|t| t.table.version), Ok(1));
    assert_eq!(open(&log, AsOf::Time(1500)).err().map(|f| f.code), Some("no-such-version"));
}

#[test]
fn time_travel_by_file_times() {
    let log = simple(3);
    assert_eq!(open(&log, AsOf::Time(i64::MAX)).map(|t| t.table.version), Ok(2));
    let fault = open(&log, AsOf::Time(0)).err().unwrap();
    assert_eq!((fault.code, fault.exit_status()), ("no-such-version", 3));
}

#[test]
fn totals_are_stated_by_the_file_of_that_very_version() {
    let log = simple(3);
    log.put("00000000000000000001.crc", r#"{"numFiles":2,"tableSizeBytes":20}"#);
    assert_eq!(open(&log, AsOf::Latest).map(|t| t.table.stated), Ok(None));
    let stated = Some(StatedTotals { files: 2, bytes: Some(20) });
    assert_eq!(open(&log, AsOf::Version(1)).map(|t| t.table.stated), Ok(stated));
    log.put("00000000000000000002.crc", "{");
    let table = open(&log, AsOf::Latest).unwrap().table;
    assert!(table.warnings.iter().any(|w| w.contains(".crc")), "{:?}", table.warnings);
}

#[test]
fn sizes_that_are_no_sizes_count_as_nothing_and_are_told() {
    let log = simple(1);
    log.commit(1, &[add("a", json!(-5)), add("b", json!("x")), add("c", json!(1.5)), add("d", json!(null))]);
    let (_, files) = read(&log).unwrap();
    assert_eq!(files.list.sizes().sum::<u64>(), 10);
    assert!(files.warnings[0].starts_with("4 add actions"), "{:?}", files.warnings);
}

#[test]
fn protocol_versions_that_are_no_numbers_are_told() {
    let log = simple(1);
    log.commit(1, &[json!({"protocol": {"minReaderVersion": "one", "minWriterVersion": 2}})]);
    let (table, files) = read(&log).unwrap();
    assert_eq!(files.list.len(), 1);
    assert!(table.table.warnings[0].contains("protocol"), "{:?}", table.table.warnings);
}

#[test]
fn a_damaged_checkpoint_without_its_commits_is_told_as_such() {
    let log = simple(4);
    let state = [protocol(), metadata(&[]), add("f0", json!(10))];
    let names = log.checkpoint(2, Kind::Classic, &state);
    log.truncate(&names[0]);
    assert_eq!(read(&log).map(|(_, f)| f.list.len()), Ok(4));
    log.delete("00000000000000000001.json");
    let fault = read(&log).err().unwrap();
    assert_eq!((fault.code, fault.exit_status()), ("bad-checkpoint", 3));
    assert!(fault.cause.contains("00000000000000000001.json"), "{fault}");
}

#[test]
fn a_damaged_compacted_file_is_passed_over() {
    let log = simple(4);
    log.put("00000000000000000001.00000000000000000002.json", "{\"add\":{");
    let (table, files) = read(&log).unwrap();
    assert_eq!(files.list.len(), 4);
    assert!(table.table.warnings[0].contains("compacted"), "{:?}", table.table.warnings);
}

#[test]
fn a_missing_sidecar_is_found_out_when_files_are_read() {
    let log = simple(4);
    let state = [protocol(), metadata(&[]), add("f0", json!(10)), add("f1", json!(10)), add("f2", json!(10))];
    let names = log.checkpoint(2, Kind::V2Json(2), &state);
    log.delete(&names[1]);
    let (table, files) = read(&log).unwrap();
    assert_eq!((table.table.log.replay_from, files.list.len()), (Some(2), 4));
    assert!(files.warnings[0].contains("Checkpoint 2"), "{:?}", files.warnings);
}

fn commits(log: &LogBuilder, newest: Option<u64>, limit: usize) -> Vec<Commit> {
    let mut out = Vec::new();
    let table = open(log, AsOf::Latest).unwrap();
    let (watch, mut push) = (Watch::default(), |c| out.push(c));
    runtime().block_on(history::commits(&table, newest, limit, &watch, &mut push)).unwrap();
    out
}

#[test]
fn odd_commits_are_listed() {
    let log = simple(8);
    let giant = "x".repeat(1 << 20);
    log.put("00000000000000000001.json", "");
    log.commit(2, &[json!({"commitInfo": {"operation": giant, "timestamp": -62_135_596_800_000_i64}})]);
    log.commit(3, &[json!({"commitInfo": {"operationMetrics": {"a": 1, "b": "2"}, "isBlindAppend": "no", "timestamp": "5"}})]);
    log.commit(
        4,
        &[json!({"commitInfo": 7}), json!({"unknown": {"add": {}}}), json!({"cdc": {"path": "c"}})],
    );
    let with_change = |change: bool| {
        let mut action = add("g", json!(3));
        action["add"]["dataChange"] = json!(change);
        action["add"]["stats"] = json!(null);
        action
    };
    log.commit(5, &[with_change(false), json!({"remove": {"path": "f0", "size": 10, "dataChange": false}})]);
    let list = commits(&log, None, 100);
    assert_eq!(list.iter().map(|c| c.version).collect::<Vec<_>>(), [7, 6, 5, 4, 3, 2, 1, 0]);
    let problems: Vec<u64> = list.iter().filter(|c| c.problem.is_some()).map(|c| c.version).collect();
    assert_eq!(problems, [4, 1], "commitInfo is no object; the file is empty");
    assert!(list.iter().all(|c| c.readable && !c.incomplete));
    let of = |version: usize| &list[7 - version];
    assert_eq!((of(1).operation.as_deref(), of(1).added_records, of(1).data_change), (None, Some(0), None));
    assert_eq!(of(2).stated_timestamp, Some(-62_135_596_800_000));
    assert_eq!(of(2).operation.as_ref().map(String::len), Some(1 << 20));
    assert_eq!(of(3).operation_metrics.as_ref().map(|m| json!(m)), Some(json!({"a": 1, "b": "2"})));
    assert_eq!((of(3).stated_timestamp, of(3).is_blind_append), (Some(5), None));
    assert_eq!((of(4).cdc_files, of(4).added_files), (1, 0));
    assert_eq!((of(5).data_change, of(5).added_records, of(5).removed_bytes), (Some(false), None, 10));
    assert_eq!((of(7).added_records, of(7).added_bytes), (Some(2), 10));
    assert_eq!(commits(&log, Some(5), 2).iter().map(|c| c.version).collect::<Vec<_>>(), [5, 4]);
}

#[test]
fn a_truncated_commit_does_not_end_the_history() {
    let log = simple(5);
    let table = open(&log, AsOf::Latest).unwrap();
    log.truncate("00000000000000000003.json");
    log.delete("00000000000000000002.json");
    let mut out = Vec::new();
    let (watch, mut push) = (Watch::default(), |c| out.push(c));
    runtime().block_on(history::commits(&table, None, 100, &watch, &mut push)).unwrap();
    let problems: Vec<bool> = out.iter().map(|c| c.problem.is_some()).collect();
    assert_eq!(problems, [false, true, true, false, false]);
    assert!(out[1].problem.as_ref().is_some_and(|p| p.contains("line")), "{:?}", out[1].problem);
}

#[test]
fn what_can_no_longer_be_rebuilt_is_not_readable() {
    let log = simple(5);
    log.checkpoint(3, Kind::Multi(2), &[protocol(), metadata(&[]), add("f0", json!(1))]);
    log.delete("00000000000000000000.json");
    let readable: Vec<_> = commits(&log, None, 100).iter().map(|c| (c.version, c.readable)).collect();
    assert_eq!(readable, [(4, true), (3, true), (2, false), (1, false)]);
    assert_eq!(open(&log, AsOf::Version(2)).err().map(|f| f.code), Some("version-cleaned-up"));
}

#[test]
fn cancelling_ends_a_read() {
    let log = simple(300);
    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let watch = watch.on_progress(move |_| cancel.cancel());
    let opened = runtime().block_on(OpenTable::open(&log.place(), AsOf::Latest, &watch));
    assert_eq!(opened.err().map(|f| f.kind), Some(FaultKind::Cancelled));
    let table = open(&log, AsOf::Latest).unwrap();
    let files = runtime().block_on(table.files(Want::default(), &watch));
    assert_eq!(files.err().map(|f| f.kind), Some(FaultKind::Cancelled));
    let mut seen = 0;
    let listed = runtime().block_on(history::commits(&table, None, 300, &watch, &mut |_| seen += 1));
    assert_eq!((listed.err().map(|f| f.kind), seen), (Some(FaultKind::Cancelled), 0));
}

fn lakehouse(names: &[&str]) -> Place {
    let store = Arc::new(InMemory::new());
    for name in names {
        runtime().block_on(store.put(&Path::from(format!("lake/{name}")), vec![0u8; 10].into())).unwrap();
    }
    Place {
        store,
        root: Path::from("lake"),
        url: "memory:///lake/".parse().unwrap(),
        display: "memory:///lake".into(),
        name: "lake".into(),
        options: Vec::new(),
    }
}

fn look(place: &Place) -> Outcome<Found> {
    runtime().block_on(discover::look(place, &Watch::default()))
}

#[test]
fn folders_are_told_apart() {
    let place = lakehouse(&[
        "sales/_delta_log/00000000000000000000.json",
        "sales/a.parquet",
        "dbo/b/_delta_log/00000000000000000000.json",
        "dbo/raw/1.csv",
        "plain/x.parquet",
        "hive/p=1/x.parquet",
        "text/1.csv",
        "text/2.csv",
        "_temporary/x",
    ]);
    let Ok(Found::Folder(entries)) = look(&place) else { panic!("no folder") };
    let told: Vec<(&str, String)> = entries
        .iter()
        .map(|e| {
            let kind = match &e.kind {
                EntryKind::Table { .. } => "table".to_owned(),
                EntryKind::Unidentified { holds } => holds.clone(),
            };
            (e.name.as_str(), kind)
        })
        .collect();
    let expected = [
        ("dbo/b", "table"),
        ("dbo/raw", "1 csv file"),
        ("hive", "parquet in partition folders"),
        ("plain", "1 parquet file"),
        ("sales", "table"),
        ("text", "2 csv files"),
    ];
    assert_eq!(told, expected.map(|(n, k)| (n, k.to_owned())));
    assert_eq!(look(&place.child("sales")), Ok(Found::Table));
    assert_eq!(look(&place.child("hive")), Ok(Found::ParquetFolder { files: 1, bytes: 10 }));
    assert_eq!(look(&place.child("plain/x.parquet")), Ok(Found::ParquetFile { bytes: 10 }));
    assert_eq!(look(&place.child("text")), Ok(Found::Other { holds: "2 csv files".into() }));
    assert_eq!(look(&place.child("nothing")).err().map(|f| f.code), Some("not-found"));
    let fault = runtime().block_on(OpenTable::open(&place, AsOf::Latest, &Watch::default())).err().unwrap();
    assert_eq!(fault.code, "not-a-table");
    assert!(fault.cause.contains("2 tables"), "{fault}");
    let fault = runtime().block_on(OpenTable::open(&place.child("hive"), AsOf::Latest, &Watch::default()));
    assert!(fault.err().is_some_and(|f| f.hint.contains("convert")));
}

#[test]
fn local_folders_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| Place::parse(&dir.path().join(name).display().to_string(), &Vec::new()).unwrap();
    for folder in ["empty", "odd/p=50%25", "lake/t #1/_delta_log"] {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    std::fs::write(dir.path().join("odd/p=50%25/x.parquet"), "12345").unwrap();
    assert_eq!(look(&at("empty")), Ok(Found::Other { holds: "nothing".into() }));
    assert_eq!(look(&at("odd")), Ok(Found::ParquetFolder { files: 1, bytes: 5 }));
    assert_eq!(look(&at("odd/p=50%25/x.parquet")), Ok(Found::ParquetFile { bytes: 5 }));
    let file = at("odd/p=50%25/x.parquet");
    let opened = runtime().block_on(OpenTable::open(&file, AsOf::Latest, &Watch::default()));
    assert!(opened.err().is_some_and(|f| f.code == "not-a-table" && f.hint.contains("footer")));
    // A stray file does not hide the tables beside it.
    std::fs::write(dir.path().join("lake/stray.parquet"), "1").unwrap();
    let Ok(Found::Folder(entries)) = look(&at("lake")) else { panic!("no folder") };
    assert_eq!(entries[0].name, "t #1");
    let table = Place::parse(&entries[0].location, &Vec::new()).unwrap();
    let opened = runtime().block_on(OpenTable::open(&table, AsOf::Latest, &Watch::default()));
    assert_eq!(opened.err().map(|f| f.code), Some("empty-log"));
}
