//! The log reader against a library of real and odd tables with known figures. The library lies
//! beside the repository; without it these tests say so and pass.

use std::collections::BTreeMap;
use std::path::PathBuf;

use deltop::lake::history;
use deltop::lake::log::{Files, OpenTable, Want};
use deltop::lake::place::Place;
use deltop::lake::watch::Watch;
use deltop::model::detail::num_partitions;
use deltop::model::history::Commit;
use deltop::model::rollup::{Measures, PartitionTree};
use deltop::model::table::AsOf;
use deltop::model::{Fault, Outcome};
use serde_json::{Value, json};

use crate::support::runtime;

const ALL: Want = Want { records: true, tags: true, tombstones: true };

/// The library's folder and its expected values.
pub fn library() -> Option<(PathBuf, BTreeMap<String, Value>)> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tables");
    let dir = std::env::var_os("DELTOP_TABLES").map_or(dir, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(dir.join("expected.json")) else {
        println!("skipped: no table library at {}", dir.display());
        return None;
    };
    let mut all: Value = serde_json::from_str(&text).unwrap();
    Some((dir, serde_json::from_value(all["tables"].take()).unwrap()))
}

async fn open(dir: &std::path::Path, as_of: AsOf) -> Outcome<OpenTable> {
    let place = Place::parse(&dir.display().to_string(), &Vec::new())?;
    OpenTable::open(&place, as_of, &Watch::default()).await
}

async fn read(dir: &std::path::Path, as_of: AsOf) -> Outcome<(OpenTable, Files)> {
    let table = open(dir, as_of).await?;
    let files = table.files(ALL, &Watch::default()).await?;
    Ok((table, files))
}

fn is_null(v: &Value) -> bool {
    v.is_null()
}

/// Notes where `got` is not what is expected.
struct Check<'a> {
    name: &'a str,
    problems: &'a mut Vec<String>,
}

impl Check<'_> {
    fn same(&mut self, what: &str, got: Value, expected: &Value) {
        if got != *expected {
            let shown = |v: &Value| v.to_string().chars().take(300).collect::<String>();
            self.problems.push(format!(
                "{} {what}: got {}, expected {}",
                self.name,
                shown(&got),
                shown(expected)
            ));
        }
    }
}

#[test]
fn every_table_has_the_expected_figures() {
    let Some((dir, tables)) = library() else { return };
    let mut problems = Vec::new();
    let mut seen = 0;
    for (name, expected) in &tables {
        let Some(open) = expected["open"].as_str() else { continue };
        seen += 1;
        let path = dir.join(name);
        let outcome = runtime().block_on(read(&path, AsOf::Latest));
        let mut check = Check { name, problems: &mut problems };
        match outcome {
            Err(fault) if open == "must_fail" => {
                check.same("exit status", json!(matches!(fault.exit_status(), 3 | 4)), &json!(true));
                continue;
            }
            Err(fault) => {
                check.same("opens", json!(format!("{}: {fault}", fault.code)), &json!(true));
                continue;
            }
            Ok(_) if open == "must_fail" => check.same("opens", json!(true), &expected["error"]),
            Ok((table, files)) => figures(&mut check, expected, &table, &files),
        }
        runtime().block_on(timeline(&mut check, expected, &path));
    }
    println!("{seen} tables");
    assert!(problems.is_empty(), "{} differences:\n{}", problems.len(), problems.join("\n"));
    assert!(seen >= 200, "the library has only {seen} tables");
}

fn figures(check: &mut Check<'_>, expected: &Value, open: &OpenTable, files: &Files) {
    let table = &open.table;
    let sum = Measures::of(&files.list);
    let tombstones = files.tombstones.unwrap_or_default();
    check.same("version", json!(table.version), &expected["version"]);
    check.same("num_files", json!(sum.files), &expected["num_files"]);
    check.same("total_bytes", json!(sum.bytes), &expected["total_bytes"]);
    if !is_null(&expected["file_sizes"]) {
        let mut sizes: Vec<u64> = files.list.sizes().collect();
        sizes.sort_unstable();
        check.same("file_sizes", json!(sizes), &expected["file_sizes"]);
    }
    check.same("num_rows_log", json!(sum.rows()), &expected["num_rows_log"]);
    check.same("dv_files", json!(sum.vectors), &expected["dv_files"]);
    check.same("dv_rows", json!(sum.deleted_rows), &expected["dv_rows"]);
    check.same("partition_columns", json!(table.metadata.partition_columns), &expected["partition_columns"]);
    check.same("num_partitions", json!(num_partitions(&files.list)), &expected["num_partitions"]);
    partitions(check, expected, files);
    check.same("min_reader", json!(table.protocol.min_reader), &expected["min_reader"]);
    check.same("min_writer", json!(table.protocol.min_writer), &expected["min_writer"]);
    for (what, features) in [
        ("reader_features", &table.protocol.reader_features),
        ("writer_features", &table.protocol.writer_features),
    ] {
        let mut features = features.clone().unwrap_or_default();
        features.sort();
        let mut wanted: Vec<String> = serde_json::from_value(expected[what].clone()).unwrap_or_default();
        wanted.sort();
        check.same(what, json!(features), &json!(wanted));
    }
    check.same("table_id", json!(table.metadata.id), &expected["table_id"]);
    check.same("table_name", json!(table.metadata.name), &expected["table_name"]);
    check.same("configuration", json!(table.metadata.configuration), &expected["configuration"]);
    let columns: Vec<&str> = table.metadata.schema.iter().map(|f| f.name.as_str()).collect();
    check.same("columns", json!(columns), &expected["columns"]);
    check.same("tombstones", json!(tombstones.files), &expected["tombstones"]);
    check.same("tombstone_bytes", json!(tombstones.bytes), &expected["tombstone_bytes"]);
    check.same("app_txns", json!(table.txns.len()), &expected["app_txns"]);
    let domains: Vec<&str> = table.domains.iter().map(|d| d.domain.as_str()).collect();
    check.same("domains", json!(domains), &expected["domains"]);
    check.same("num_commit_files", json!(table.log.commits), &expected["num_commit_files"]);
    check.same("first_commit", json!(table.log.first_commit), &expected["first_commit"]);
    let used = expected["checkpoint_used"].get(0).cloned().unwrap_or(Value::Null);
    let recovered = !files.warnings.is_empty();
    if !recovered {
        check.same("checkpoint_used", json!(table.log.replay_from), &used);
    }
    let commits = runtime().block_on(commits(open)).unwrap();
    let history: Vec<Value> = commits
        .iter()
        .rev()
        .map(|c| json!([c.version, c.operation, c.added_files, c.removed_files, c.cdc_files]))
        .collect();
    check.same("history", json!(history), &expected["history"]);
    if let Some(stated) = table.stated {
        check.same("stated files", json!(stated.files), &expected["num_files"]);
    }
}

async fn commits(table: &OpenTable) -> Outcome<Vec<Commit>> {
    let mut out = Vec::new();
    history::commits(table, None, usize::MAX, &Watch::default(), &mut |c| out.push(c)).await?;
    Ok(out)
}

fn partitions(check: &mut Check<'_>, expected: &Value, files: &Files) {
    let tree = PartitionTree::of(&files.list);
    let mut got: Vec<Value> = Vec::new();
    for (i, node) in tree.nodes.iter().enumerate().filter(|(_, n)| n.leaf.is_some()) {
        let values: Vec<Option<String>> =
            tree.values_of(i).iter().map(|v| v.as_deref().map(str::to_owned)).collect();
        got.push(json!([values, node.measures.files, node.measures.bytes]));
    }
    let listed = expected["partitions"].as_array().cloned().unwrap_or_default();
    if got.len() > 40 {
        // The library lists only some of many.
        let absent: Vec<&Value> = listed.iter().filter(|p| !got.contains(p)).collect();
        check.same("partitions", json!(absent), &json!([]));
        return;
    }
    let sorted = |mut list: Vec<Value>| {
        list.sort_by_key(Value::to_string);
        list
    };
    check.same("partitions", json!(sorted(got)), &json!(sorted(listed)));
}

async fn timeline(check: &mut Check<'_>, expected: &Value, path: &std::path::Path) {
    for entry in expected["timeline"].as_array().into_iter().flatten() {
        let version = entry[0].as_u64().unwrap();
        let got = match read(path, AsOf::Version(version)).await {
            Ok((table, files)) => {
                json!([table.table.version, files.list.len(), files.list.sizes().sum::<u64>()])
            }
            Err(fault) => json!(format!("{}: {fault}", fault.code)),
        };
        check.same(&format!("timeline {version}"), got, entry);
    }
}

/// The faults of damaged tables, by code.
#[test]
fn damaged_tables_say_what_is_wrong() {
    let Some((dir, _)) = library() else { return };
    let fault = |name: &str, as_of| -> Fault {
        match runtime().block_on(read(&dir.join(name), as_of)) {
            Ok(_) => panic!("{name} opens"),
            Err(fault) => fault,
        }
    };
    for (name, code, told) in [
        ("made__gap", "log-gap", "commit 6 is missing"),
        ("delta__versions-not-contiguous", "log-gap", "commit 1 is missing"),
        ("made__garbage_commit", "bad-commit", "00000000000000000002.json cannot be read: line 1"),
        ("made__truncated_commit", "bad-commit", "00000000000000000003.json cannot be read: line 2"),
        ("made__empty_log", "empty-log", "neither a commit nor"),
        ("delta__deltalog-state-reconstruction-without-protocol", "no-protocol", "protocol"),
        ("connectors__deltalog-state-reconstruction-without-metadata", "no-metadata", "metaData"),
        ("gen__hive_folder", "not-a-table", "plain parquet folder (40 files"),
        ("gen__sales", "not-a-table", "2 tables below"),
        ("parquet-testing__files", "not-a-table", "plain parquet folder"),
    ] {
        let fault = fault(name, AsOf::Latest);
        assert_eq!(fault.code, code, "{name}: {fault}");
        assert!(fault.to_string().contains(told), "{name}: {fault}");
    }
    let fault_of = |as_of| fault("made__cleaned_log", as_of);
    let newer = fault_of(AsOf::Version(999));
    assert_eq!((newer.code, newer.exit_status()), ("no-such-version", 3));
    let older = fault_of(AsOf::Version(0));
    assert_eq!((older.code, older.exit_status()), ("version-cleaned-up", 3), "{older}");
    assert!(older.hint.contains("Oldest version available"), "{}", older.hint);
}

/// What was recovered is said.
#[test]
fn recovery_is_told() {
    let Some((dir, _)) = library() else { return };
    for (name, told) in [
        ("made__truncated_checkpoint", "Checkpoint 4 cannot be read"),
        ("made__hint_garbage", "hint"),
        ("made__hint_missing_target", "hint"),
        ("made__hint_stale", "hint"),
        ("delta__catalog-owned-preview", "catalog"),
        ("made__unknown_reader_feature", "fancyNewThing"),
        ("connectors__checkpoint", "schema"),
    ] {
        let (table, files) = runtime().block_on(read(&dir.join(name), AsOf::Latest)).unwrap();
        let all: Vec<&String> = table.table.warnings.iter().chain(&files.warnings).collect();
        assert!(all.iter().any(|w| w.contains(told)), "{name}: {all:?}");
    }
}
