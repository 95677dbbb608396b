//! The demo lakehouse.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use deltop::tune::demo::{MARKER, make};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::headless::{Demo, deltop};

/// Relative path and content of every file.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut folders, mut out) = (vec![folder.to_owned()], BTreeMap::new());
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    out.insert(name, fs::read(path).unwrap());
                }
            }
        }
    }
    out
}

#[test]
fn is_the_same_bytes_every_time() {
    let (a, b) = (Demo::new(), Demo::new());
    let (a, b) = (contents(a.folder()), contents(b.folder()));
    assert!(a.len() > 500);
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    let differing: Vec<_> =
        a.iter().filter(|(name, bytes)| b[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(differing.is_empty(), "{differing:?}");
    assert!(a.values().map(Vec::len).sum::<usize>() < 30 << 20);
}

#[test]
fn says_what_it_made_and_the_reader_agrees() {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("new/demo");
    let dir = dir.to_str().unwrap();
    let made = deltop(&["demo", "--dir", dir, "--json"]).json();
    assert_eq!(made["location"], dir);
    for part in made["tables"].as_array().unwrap().iter().filter(|p| p["kind"] == "table") {
        let name = part["name"].as_str().unwrap();
        let detail = deltop(&["detail", &format!("{dir}/{name}"), "--json"]).json();
        for key in ["name", "version", "numFiles", "sizeInBytes", "numRecords"] {
            assert_eq!(detail[key], part[key], "{key} of {name}");
        }
        assert_eq!(detail["warnings"], Value::Array(Vec::new()), "{name}");
    }
    let sales = deltop(&["detail", &format!("{dir}/sales"), "--json"]).json();
    assert!(sales["numFiles"].as_u64().unwrap() > 300);
    assert_eq!(sales["version"], 59);
    assert_eq!(sales["log"]["lastCheckpointVersion"], 50);
    assert!(sales["tombstones"]["numFiles"].as_u64().unwrap() > 20);
    let text = deltop(&["demo", "--dir", dir]).ok();
    assert!(text.contains("daily_snapshots") && text.ends_with(&format!("deltop {dir}\n")), "{text}");
}

#[test]
fn the_state_before_and_after_the_checkpoint_is_that_of_the_commits() {
    let demo = Demo::shared();
    let log = demo.folder().join("sales/_delta_log");
    let mut active: BTreeMap<String, u64> = BTreeMap::new();
    for version in 0..60 {
        let text = fs::read_to_string(log.join(format!("{version:020}.json"))).unwrap();
        for action in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            if let Some(path) = action["remove"]["path"].as_str() {
                assert!(active.remove(path).is_some(), "{path} was not there");
            }
            if let Some(path) = action["add"]["path"].as_str() {
                active.insert(path.to_owned(), action["add"]["size"].as_u64().unwrap());
            }
        }
        if [0, 30, 49, 50, 51, 59].contains(&version) {
            let as_of = version.to_string();
            let files = deltop(&["files", &demo.part("sales"), "--as-of", &as_of, "--json"]).json();
            let listed = files.as_array().unwrap().iter();
            let listed: BTreeMap<String, u64> = listed
                .map(|f| (f["path"].as_str().unwrap().to_owned(), f["sizeInBytes"].as_u64().unwrap()))
                .collect();
            assert_eq!(listed, active, "version {version}");
        }
    }
    for (path, size) in &active {
        assert_eq!(fs::metadata(demo.folder().join("sales").join(path)).unwrap().len(), *size);
    }
}

#[test]
fn statistics_are_those_of_the_rows() {
    let demo = Demo::shared();
    let query = "select count(*) as n, min(ProductID) as lo, max(ProductID) as hi, min(LineTotal) as cheap, \
                 count(*) - count(CarrierTrackingNumber) as nulls from t";
    let row = deltop(&["sql", &demo.part("sales"), query, "--json"]).json()[0].clone();
    let (mut rows, mut nulls) = (0, 0);
    let (mut low, mut high, mut cheap) = (i64::MAX, i64::MIN, f64::MAX);
    let log = demo.folder().join("sales/_delta_log");
    let files = deltop(&["files", &demo.part("sales"), "--columns", "path", "--json"]).json();
    let active: Vec<&str> = files.as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    for version in 0..60 {
        let text = fs::read_to_string(log.join(format!("{version:020}.json"))).unwrap();
        for action in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            if !action["add"]["path"].as_str().is_some_and(|path| active.contains(&path)) {
                continue;
            }
            let stats: Value = serde_json::from_str(action["add"]["stats"].as_str().unwrap()).unwrap();
            rows += stats["numRecords"].as_i64().unwrap();
            nulls += stats["nullCount"]["CarrierTrackingNumber"].as_i64().unwrap();
            low = low.min(stats["minValues"]["ProductID"].as_i64().unwrap());
            high = high.max(stats["maxValues"]["ProductID"].as_i64().unwrap());
            cheap = cheap.min(stats["minValues"]["LineTotal"].as_f64().unwrap());
        }
    }
    assert_eq!((row["n"].as_i64(), row["nulls"].as_i64()), (Some(rows), Some(nulls)));
    assert_eq!((row["lo"].as_i64(), row["hi"].as_i64()), (Some(low), Some(high)));
    assert_eq!(row["cheap"].as_str().unwrap().parse::<f64>().unwrap(), cheap);
}

#[test]
fn writes_only_where_it_may() {
    let folder = TempDir::new().unwrap();
    let foreign = folder.path().join("mine.txt");
    fs::write(&foreign, "mine").unwrap();
    let dir = folder.path().to_str().unwrap();
    assert_eq!(deltop(&["demo", "--dir", dir, "--json"]).error(), (5, "folder-not-empty".into()));
    assert_eq!(deltop(&["demo", "--dir", foreign.to_str().unwrap(), "--json"]).error().0, 5);
    assert_eq!(contents(folder.path()).into_keys().collect::<Vec<_>>(), ["mine.txt"]);

    // In a demo of its own, what others put there stays.
    let own = folder.path().join("own");
    make(&own).unwrap();
    let first = contents(&own);
    fs::write(own.join("notes.txt"), "mine").unwrap();
    fs::write(own.join("sales/more.parquet"), "not the demo's").unwrap();
    fs::remove_file(own.join("product/_delta_log/00000000000000000000.json")).unwrap();
    make(&own).unwrap();
    let mut again = contents(&own);
    assert_eq!(again.remove("notes.txt").unwrap(), b"mine");
    assert!(again == first && again.contains_key(MARKER));
}
