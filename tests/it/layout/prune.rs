//! The pruning what-if against what the engine really reads.

use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::{Demo, deltop, shared_tables};

/// Ten files of k 0–9, 10–19, …; the last one without statistics.
fn ranges() -> Made {
    let made = Made::new(&[("k", "long"), ("day", "date")], &["day"], &[]);
    let file = |i: i64| {
        let stats = json!({"numRecords": 10, "minValues": {"k": i * 10}, "maxValues": {"k": i * 10 + 9}, "nullCount": {"k": 0}});
        let mut action = add(&format!("{i}.parquet"), 1000, &stats);
        action["add"]["partitionValues"] = json!({"day": format!("2026-04-{:02}", i % 2 + 1)});
        if i == 9 {
            action["add"]["stats"] = Value::Null;
        }
        action
    };
    made.commit(1, "WRITE", &(0..10).map(file).collect::<Vec<_>>());
    made
}

fn prune(table: &str, predicate: &str) -> Value {
    deltop(&["prune", table, predicate, "--json"]).json()
}

fn kept(report: &Value) -> Vec<&str> {
    let files = report["files"].as_array().unwrap().iter().filter(|f| f["kept"] == true);
    files.map(|f| f["path"].as_str().unwrap()).collect()
}

#[test]
fn the_funnel_and_each_files_fate() {
    let made = ranges();
    let report = prune(&made.path(), "day = '2026-04-01' and k between 15 and 45");
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let contract =
        ["totalFiles", "totalBytes", "afterPartitions", "afterStatistics", "afterRowGroups", "files"];
    assert_eq!(keys, contract);
    // There are no data files to look into.
    assert_eq!(
        (&report["afterRowGroups"]["numFooters"], &report["afterRowGroups"]["ofFiles"]),
        (&json!(0), &json!(2))
    );
    assert_eq!((&report["totalFiles"], &report["totalBytes"]), (&json!(10), &json!(10_000)));
    assert_eq!(report["afterPartitions"], json!({"files": 5, "bytes": 5000}));
    assert_eq!(report["afterStatistics"], json!({"files": 2, "bytes": 2000}));
    assert_eq!(kept(&report), ["2.parquet", "4.parquet"]);
    let reason = |path: &str| {
        let files = report["files"].as_array().unwrap();
        files.iter().find(|f| f["path"] == path).unwrap()["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason("2.parquet"), "may match: k 20 to 29, day=2026-04-01");
    assert_eq!(reason("1.parquet"), "partition: day=2026-04-02");
    assert_eq!(reason("8.parquet"), "statistics: k 80 to 89, day=2026-04-01");

    let report = prune(&made.path(), "K = 35 -- a comment");
    assert_eq!(kept(&report), ["3.parquet", "9.parquet"]);
    assert_eq!(report["afterPartitions"]["files"], 10);
    assert_eq!(report["files"][9]["reason"], "nothing rules it out: no statistics of k");
    let text = deltop(&["prune", &made.path(), "k < 20", "--limit", "1"]).ok();
    assert!(text.contains("KEPT") && text.contains("and 9 more"), "{text}");
}

#[test]
fn conditions_that_always_and_never_hold_and_those_that_are_none() {
    let made = ranges();
    assert_eq!(kept(&prune(&made.path(), "1 = 1")).len(), 10);
    let never = prune(&made.path(), "1 = 2");
    assert_eq!((kept(&never).len(), never["files"].as_array().unwrap().len()), (0, 10));
    for wrong in ["k >", "wheel = 1", "k = 1) or (k = 2", "sum(k) > 1", "k in (select k from t)", ""] {
        let ran = deltop(&["prune", &made.path(), wrong, "--json"]);
        let (status, code) = ran.error();
        assert_eq!(status, 2, "{wrong}: {code} {}", ran.stdout);
    }
}

/// What the engine reads: the file of each row, by the plan's own measure of files.
#[test]
fn it_agrees_with_the_plan_that_runs() {
    let demo = Demo::shared();
    let mut tables = vec![
        (demo.part("sales"), "SalesOrderID > 44000 and OrderQty = 1"),
        (demo.part("daily_snapshots"), "snapshot_date = '2026-04-03' and ProductID < 720"),
        (demo.part("daily_snapshots"), "snapshot_date > '2026-05-01' or ProductID = 701"),
    ];
    if let Some(folder) = shared_tables() {
        let sales = folder.join("gen__sales/salesorderdetail").to_str().unwrap().to_owned();
        tables.push((sales.clone(), "SalesOrderID between 44000 and 45000"));
        tables.push((sales, "OrderDate in ('2024-01-03', '2024-01-05') and ProductID <> 700"));
    }
    for (table, predicate) in tables {
        let report = prune(&table, predicate);
        let query = format!("select * from t where {predicate}");
        let plan = deltop(&["sql", &table, &query, "--explain", "--json"]).json();
        let scan = &plan["scans"][0];
        assert_eq!(report["afterStatistics"], scan["afterStatistics"], "{predicate}");
        let read = kept(&report).len() as u64;
        assert_eq!(report["afterStatistics"]["files"], read, "{predicate}");
        // Each row that the query gives is in a file that is kept: none was dropped wrongly.
        let rows =
            deltop(&["sql", &table, &format!("select count(*) as n from t where {predicate}"), "--json"])
                .json();
        let most: u64 = deltop(&["files", &table, "--json"])
            .json()
            .as_array()
            .unwrap()
            .iter()
            .filter(|f| kept(&report).contains(&f["path"].as_str().unwrap()))
            .map(|f| f["numRecords"].as_u64().unwrap())
            .sum();
        assert!(rows[0]["n"].as_u64().unwrap() <= most, "{predicate}");
    }
}

#[test]
fn what_is_wrong_with_a_condition_is_told_at_its_place() {
    let made = ranges();
    for (wrong, said) in [
        ("wheel = 1", "Unknown column \"wheel\" at line 1, column 1"),
        ("k = 1 and\n wheel = 1", "line 2, column 2"),
        ("k > ?", "'?'"),
        ("cast(k as string) rlike '('", "regular expression"),
    ] {
        let ran = deltop(&["prune", &made.path(), wrong, "--json"]);
        let (status, code) = ran.error();
        assert_eq!((status, code.as_str()), (2, "invalid-predicate"), "{wrong}: {}", ran.stdout);
        assert!(ran.stdout.replace("\\\"", "\"").contains(said), "{wrong}: {}", ran.stdout);
    }
}

#[test]
fn conditions_that_are_null_for_a_partition_drop_it() {
    let made = ranges();
    for (condition, files) in [
        ("day in (date '2026-04-01', NULL)", 5),
        ("day = '2026-04-01' or day = NULL", 5),
        ("k > 45.5", 6),
        ("k < 9.5", 2),
    ] {
        assert_eq!(kept(&prune(&made.path(), condition)).len(), files, "{condition}");
    }
}

/// Bounds leave out NaN, which is above every number.
#[test]
fn nan_may_be_above_every_bound() {
    let made = Made::new(&[("x", "double")], &[], &[]);
    let stats =
        json!({"numRecords": 10, "minValues": {"x": -1e308}, "maxValues": {"x": 9.5}, "nullCount": {"x": 0}});
    made.commit(1, "WRITE", &[add("0.parquet", 1000, &stats)]);
    for (condition, files) in
        [("x > 10", 1), ("x <> 3", 1), ("x > 10.5 and x < 1e300", 0), ("x > 10 and not isnan(x)", 0)]
    {
        assert_eq!(kept(&prune(&made.path(), condition)).len(), files, "{condition}");
    }
    let report = prune(&made.path(), "x > 10");
    assert_eq!(report["files"][0]["reason"], "may match: x -1e308 to 9.5, or NaN");
}
