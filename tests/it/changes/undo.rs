//! Undo: the files of before come back, whatever others did since stays.

use std::fs;

use deltop::model::change::Change;
use deltop::tune;
use serde_json::json;

use super::{change, commits, context, last_commit, rows, to_files};
use crate::support::lake::Lake;
use crate::support::runtime;

/// Adds a copy of a file under another name, as another writer's append.
fn append(table: &std::path::Path) {
    let from = table.join("region=south/part-0.parquet");
    let to = table.join("region=south/appended.parquet");
    fs::copy(&from, &to).unwrap();
    let add = json!({"add": {"path": "region=south/appended.parquet", "partitionValues": {"region": "south"},
        "size": fs::metadata(&to).unwrap().len(), "modificationTime": 1, "dataChange": true,
        "stats": "{\"numRecords\":100}"}});
    let next = table.join(format!("_delta_log/{:020}.json", commits(table).len()));
    fs::write(next, format!("{}\n{add}\n", json!({"commitInfo": {"operation": "WRITE"}}))).unwrap();
}

#[test]
fn others_appends_stay() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let mut ctx = context(&table, &lake.home());
    // Two batches, taken back together.
    ctx.batch_bytes = 1;
    change(&ctx, Change::Rewrite(to_files(4))).unwrap();
    append(&table);
    let before = rows(&table).unwrap();
    let done = change(&ctx, Change::Undo { to_before: None }).unwrap();
    assert_eq!(rows(&table).unwrap(), before);
    // One file and three became two and two.
    assert_eq!((done.num_files_added, done.num_files_removed), (4, 4));
    let commit = last_commit(&table);
    assert!(commit.iter().all(|a| a["add"]["dataChange"] != true && a["remove"]["dataChange"] != true));
    let south = commit.iter().filter(|a| a["add"]["partitionValues"]["region"] == "south").count();
    assert_eq!(south, 3);
    // Nothing is left to take back but what another writer's OPTIMIZE did, before.
    let fault = change(&ctx, Change::Undo { to_before: Some(4) }).err().unwrap();
    assert_eq!((fault.exit_status(), fault.code), (5, "nothing-to-undo"));
}

#[test]
fn a_rewrite_can_follow_an_undo() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    let before = rows(&table).unwrap();
    for _ in 0..2 {
        change(&ctx, Change::Rewrite(to_files(2))).unwrap();
        change(&ctx, Change::Undo { to_before: None }).unwrap();
        assert_eq!(rows(&table).unwrap(), before);
    }
}

#[test]
fn it_is_refused_where_a_file_is_gone_or_changed() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    change(&ctx, Change::Rewrite(to_files(2))).unwrap();
    let victim = table.join("region=south/part-1.parquet");
    let bytes = fs::read(&victim).unwrap();
    fs::remove_file(&victim).unwrap();
    let versions = commits(&table).len();
    let fault = change(&ctx, Change::Undo { to_before: None }).err().unwrap();
    assert_eq!((fault.exit_status(), fault.code), (5, "cannot-undo"));
    assert!(fault.cause.contains("part-1.parquet"), "{}", fault.cause);
    fs::write(&victim, bytes).unwrap();
    // Another writer took its output.
    let mut adds = last_commit(&table);
    adds.retain(|a| !a["add"].is_null());
    let path = adds[0]["add"]["path"].clone();
    let next = table.join(format!("_delta_log/{versions:020}.json"));
    fs::write(next, json!({"remove": {"path": path, "dataChange": true}}).to_string()).unwrap();
    let fault = change(&ctx, Change::Undo { to_before: None }).err().unwrap();
    assert_eq!(fault.code, "cannot-undo");
    assert!(fault.cause.contains("changed or removed"), "{}", fault.cause);
}

#[test]
fn a_vacuum_after_the_plan_stops_it() {
    let lake = Lake::new();
    let table = lake.table("sales");
    let ctx = context(&table, &lake.home());
    change(&ctx, Change::Rewrite(to_files(2))).unwrap();
    let (before, versions) = (rows(&table).unwrap(), commits(&table).len());
    let planned = runtime().block_on(tune::plan(&Change::Undo { to_before: None }, &ctx)).unwrap();
    fs::remove_file(table.join("region=south/part-0.parquet")).unwrap();
    let fault = runtime().block_on(tune::run(planned, &ctx)).err().unwrap();
    assert_eq!((fault.exit_status(), fault.code), (6, "file-gone"));
    assert_eq!(commits(&table).len(), versions);
    assert_eq!(rows(&table).unwrap(), before);
}
