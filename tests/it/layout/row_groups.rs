//! The last step of the pruning funnel, and what damaged statistics do to the steps before: against what
//! the engine does when it really reads.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use deltop::lake::place::Place;
use deltop::lake::sql::{Origin, SqlSession};
use deltop::lake::watch::Watch;
use deltop::model::table::AsOf;
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::deltop;
use crate::support::runtime;

/// Rows of a row group, and row groups of a file.
const ROWS: i64 = 100;
const GROUPS: i64 = 5;

/// File `n` holds k from 500 n on, in ascending order; x is a tenth of it, s its text. Without x in odd
/// files.
fn write(made: &Made, n: i64) -> u64 {
    let path = made.folder().join(format!("{n}.parquet"));
    let group = |g: i64| {
        let ks = || (0..ROWS).map(move |i| (n * GROUPS + g) * ROWS + i);
        let mut columns = vec![("k", Arc::new(Int64Array::from_iter_values(ks())) as ArrayRef)];
        if n % 2 == 0 {
            columns.push(("x", Arc::new(Float64Array::from_iter_values(ks().map(|k| k as f64 / 10.0)))));
        }
        columns.push(("s", Arc::new(StringArray::from_iter_values(ks().map(|k| format!("{k:06}"))))));
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), group(0).schema(), None).unwrap();
    for g in 0..GROUPS {
        writer.write(&group(g)).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    std::fs::metadata(path).unwrap().len()
}

/// Four such files; `stats` are those that the log has of file `n`.
fn table(stats: impl Fn(i64) -> Value) -> Made {
    let made = Made::new(&[("k", "long"), ("x", "double"), ("s", "string"), ("day", "date")], &["day"], &[]);
    let file = |n: i64| {
        let size = write(&made, n);
        let mut action = add(&format!("{n}.parquet"), size, &stats(n));
        action["add"]["partitionValues"] = json!({"day": format!("2026-04-{:02}", n / 2 + 1)});
        if let Value::String(text) = stats(n) {
            action["add"]["stats"] = json!(text);
        }
        action
    };
    made.commit(1, "WRITE", &(0..4).map(file).collect::<Vec<_>>());
    made
}

fn sound(n: i64) -> Value {
    let (low, high) = (n * GROUPS * ROWS, (n + 1) * GROUPS * ROWS - 1);
    json!({"numRecords": GROUPS * ROWS, "minValues": {"k": low}, "maxValues": {"k": high}, "nullCount": {"k": 0}})
}

fn prune(made: &Made, predicate: &str, more: &[&str]) -> Value {
    deltop(&[&["prune", &made.path(), predicate, "--json"], more].concat()).json()
}

fn reason(report: &Value, path: &str) -> String {
    let files = report["files"].as_array().unwrap();
    files.iter().find(|f| f["path"] == path).unwrap()["reason"].as_str().unwrap().to_owned()
}

#[test]
fn row_groups_are_those_that_the_engine_reads() {
    let made = table(sound);
    let session = runtime().block_on(async {
        let place = Place::parse(&made.path(), &Vec::new()).unwrap();
        SqlSession::open(&place, AsOf::Latest, &Watch::default()).await.unwrap()
    });
    for (predicate, kept, total) in [
        ("k between 120 and 310", 3, 5),
        ("k = 499 or k = 500", 2, 10),
        ("s < '000150'", 2, 20),
        // The engine does not rule out a file for want of the column.
        ("x > 100 and day = '2026-04-02'", 10, 10),
        ("k + 1 = 7", 20, 20),
        ("day = '2026-04-01'", 10, 10),
        ("k in (5, 1999) and s is not null", 2, 10),
        ("k > 5000", 0, 0),
    ] {
        let report = prune(&made, predicate, &[]);
        let left = &report["afterRowGroups"];
        assert_eq!(
            (&left["rowGroups"], &left["totalRowGroups"]),
            (&json!(kept), &json!(total)),
            "{predicate}"
        );
        assert_eq!(left["numFooters"], left["ofFiles"], "{predicate}");
        assert_eq!(left["ofFiles"], report["afterStatistics"]["files"], "{predicate}");
        let query = format!("select * from t where {predicate}");
        let ran = runtime().block_on(session.explain_at(&query, Origin::default(), true)).unwrap();
        if let Some(counted) = ran.scans.first().and_then(|s| s.row_groups) {
            assert_eq!((counted.total - counted.pruned, counted.total), (kept, total), "{predicate}");
        } else {
            assert_eq!(kept, 0, "{predicate}: the engine read nothing");
        }
        // All that matches is in what is left.
        let rows: u64 = ran.rows.unwrap();
        assert!(rows <= kept * ROWS as u64, "{predicate}: {rows}");
    }
}

#[test]
fn the_funnel_says_how_far_it_looked() {
    let made = table(sound);
    let report = prune(&made, "k between 120 and 310", &[]);
    let file = report["files"].as_array().unwrap().iter().find(|f| f["kept"] == true).unwrap();
    assert_eq!(file["rowGroups"], json!({"total": 5, "kept": 3}));
    assert_eq!(file["reason"], "may match: k 0 to 499; reads 3 of 5 row groups");
    let bytes = report["afterRowGroups"]["bytes"].as_u64().unwrap();
    assert!(bytes > 0 && bytes < file_size(&made, 0), "{bytes}");
    assert_eq!(prune(&made, "k > 0", &["--footers", "0"])["afterRowGroups"], Value::Null);
    let some = prune(&made, "k > 0", &["--footers", "2"]);
    assert_eq!(
        (&some["afterRowGroups"]["numFooters"], &some["afterRowGroups"]["ofFiles"]),
        (&json!(2), &json!(4))
    );
    let text =
        |args: &[&str]| deltop(&[&["prune", &made.path(), "k between 120 and 310"], args].concat()).ok();
    let whole = text(&[]);
    assert!(whole.contains("after row groups"), "{whole}");
    assert!(whole.contains("Row groups that are read: 3 of 5 row groups."), "{whole}");
    assert!(text(&["--footers", "0"]).contains("Footers were not looked at (--footers)."), "{whole}");
    std::fs::write(made.folder().join("0.parquet"), "damaged").unwrap();
    let damaged = text(&[]);
    assert!(damaged.contains("No footer can be read"), "{damaged}");
}

fn file_size(made: &Made, n: i64) -> u64 {
    std::fs::metadata(made.folder().join(format!("{n}.parquet"))).unwrap().len()
}

/// What statistics a log can hold that are none: the file is kept, and the reason says why.
#[test]
fn unusable_statistics_keep_a_file() {
    let bad = [
        ("null", Value::Null, "no statistics of k"),
        ("empty", json!({}), "no statistics of k"),
        ("cut off", json!("{\"numRecords\":500,\"minValues\":{\"k\":0"), "statistics of k unusable"),
        (
            "another type",
            json!({"numRecords": 500, "minValues": {"k": "low"}, "maxValues": {"k": "high"}}),
            "unusable",
        ),
        (
            "no maximum",
            json!({"numRecords": 500, "minValues": {"k": 0}, "maxValues": {}}),
            "no statistics of k",
        ),
        (
            "only nulls",
            json!({"numRecords": 500, "nullCount": {"k": 7}}),
            "k 7 times null, its values unknown",
        ),
        ("a list", json!("[1, 2]"), "unusable"),
    ];
    for (what, stats, why) in bad {
        let made = table(|n| if n == 0 { stats.clone() } else { sound(n) });
        let report = prune(&made, "k = 250", &[]);
        let said = reason(&report, "0.parquet");
        assert!(said.starts_with("nothing rules it out: ") && said.contains(why), "{what}: {said}");
        // One damaged text keeps the engine from using those of the other files.
        for other in ["1.parquet", "2.parquet"] {
            let said = reason(&report, other);
            assert!(
                said.starts_with("statistics: k ")
                    || said.contains("takes no statistics")
                    || said.contains("its footer does"),
                "{what}: {said}"
            );
        }
        let rows =
            deltop(&["sql", &made.path(), "select count(*) as n from t where k = 250", "--json"]).json();
        assert_eq!(rows[0]["n"], 1, "{what}");
    }
}

/// The engine takes such bounds as they are; that rows may be missed is said, and found.
#[test]
fn a_minimum_above_the_maximum_is_told() {
    let reversed = json!({"numRecords": 500, "minValues": {"k": 499}, "maxValues": {"k": 0}});
    let made = table(|n| if n == 0 { reversed.clone() } else { sound(n) });
    let report = prune(&made, "k = 250", &[]);
    let said = reason(&report, "0.parquet");
    assert!(said.starts_with("dropped wrongly, perhaps: statistics of k unusable, min above max"), "{said}");
    let found = deltop(&["advise", &made.path(), "--json"]).json();
    assert_eq!((&found[0]["id"], &found[0]["severity"]), (&json!("wrong-figures"), &json!("critical")));
    assert!(found[0]["evidence"].as_str().unwrap().contains("k in 1 file"), "{}", found[0]);
    assert!(found[0]["action"]["command"].as_str().unwrap().contains("deltop rewrite "), "{}", found[0]);
}
