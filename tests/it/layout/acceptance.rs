//! The figures of the fragmentation tutorial, and what a healthy table gets.

use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::{Demo, deltop};

const TUTORIAL_BYTES: u64 = 3_338_144_372;
const TUTORIAL_ROWS: u64 = 1_300_000_000;

/// A table of so many files of equal size, with bounds that tell them apart.
fn table(files: u64, bytes: u64) -> Made {
    let made = Made::new(&[("SalesOrderID", "long"), ("LineTotal", "double")], &[], &[]);
    let rows = TUTORIAL_ROWS / files;
    let actions: Vec<Value> = (0..files)
        .map(|i| {
            let size = bytes / files + u64::from(i < bytes % files);
            let stats = json!({"numRecords": rows,
                "minValues": {"SalesOrderID": i * rows, "LineTotal": i as f64}, "maxValues": {"SalesOrderID": (i + 1) * rows - 1, "LineTotal": i as f64 + 0.5},
                "nullCount": {"SalesOrderID": 0, "LineTotal": 0}});
            add(&format!("part-{i:05}.parquet"), size, &stats)
        })
        .collect();
    made.commit(1, "WRITE", &actions);
    made
}

/// By the log alone: there are no data files.
fn advice(made: &Made, more: &[&str]) -> Vec<Value> {
    let path = made.path();
    let answer = deltop(&[&["advise", &path, "--json", "--footers", "0"], more].concat()).json();
    answer.as_array().unwrap().clone()
}

fn ids(findings: &[Value]) -> Vec<&str> {
    findings.iter().map(|f| f["id"].as_str().unwrap()).collect()
}

const SIZE_RULES: [&str; 3] = ["small-files", "oversize-files", "file-count"];

#[test]
fn the_fragmentation_tutorial() {
    let small = table(128, TUTORIAL_BYTES);
    let found = advice(&small, &[]);
    assert_eq!(ids(&found), ["small-files"]);
    let action = &found[0]["action"];
    let files = action["targetFiles"].as_u64().unwrap();
    assert!((24..=27).contains(&files), "{action}");
    assert_eq!(action["targetFileSize"], 128 << 20);
    assert_eq!(action["command"], format!("deltop optimize {}", small.path()));
    let keys: Vec<&str> = found[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "severity", "title", "evidence", "impact", "action", "source"]);

    let large = advice(&table(4, TUTORIAL_BYTES), &[]);
    assert_eq!(ids(&large), ["oversize-files"]);
    assert_eq!(large[0]["action"]["targetFileSize"], 128 << 20);
    let files = large[0]["action"]["targetFiles"].as_u64().unwrap();
    assert!((24..=28).contains(&files), "{}", large[0]["action"]);

    let good = advice(&table(16, TUTORIAL_BYTES), &[]);
    assert!(!ids(&good).iter().any(|id| SIZE_RULES.contains(id)), "{good:?}");
    assert_eq!(ids(&advice(&table(1, 5 << 20), &[])), [""; 0]);
}

#[test]
fn a_check_fails_by_severity() {
    let (small, one) = (table(128, TUTORIAL_BYTES), table(1, 5 << 20));
    for level in ["info", "warning", "critical"] {
        let ran = deltop(&["check", &small.path(), "--fail-on", level, "--json"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{level}");
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(found[0]["severity"], "critical");
        let log_only = deltop(&["check", &one.path(), "--fail-on", level, "--footers", "0", "--json"]);
        assert_eq!(log_only.json(), json!([]));
    }
    let large = table(4, TUTORIAL_BYTES).path();
    assert_eq!(deltop(&["check", &large, "--fail-on", "critical"]).status, 3, "the table is gone");
    let large = table(4, TUTORIAL_BYTES);
    let severity = advice(&large, &[])[0]["severity"].as_str().unwrap().to_owned();
    let fails =
        |level: &str| deltop(&["check", &large.path(), "--fail-on", level, "--footers", "0"]).status == 1;
    assert_eq!((fails("warning"), fails("critical")), (severity != "info", severity == "critical"));
    assert_eq!(
        deltop(&["check", &large.path(), "--fail-on", "fatal", "--json"]).error(),
        (2, "usage".into())
    );
}

#[test]
fn a_healthy_table_has_nothing_to_do() {
    let one = table(1, 5 << 20);
    let text = deltop(&["advise", &one.path(), "--footers", "0"]).ok();
    assert!(text.contains("grade A") && text.contains("Nothing to do."), "{text}");
    assert!(text.contains("Data files were not looked at (--footers)."), "{text}");
    let text = deltop(&["check", &one.path(), "--footers", "0"]).ok();
    assert!(text.contains("Nothing at warning or above. Data files were not looked at"), "{text}");
    let demo = Demo::shared();
    let product = demo.part("product");
    let text = deltop(&["advise", &product]).ok();
    assert!(text.contains("grade A") && text.contains("Nothing to do.\n"), "{text}");
    assert_eq!(deltop(&["detail", &product, "--json"]).json()["grade"], "A");
}

#[test]
fn the_reader_decides() {
    // Direct Lake takes large files; its smallest capacities load 300 million rows at most.
    let large = table(4, TUTORIAL_BYTES);
    let found = advice(&large, &["--profile", "direct-lake"]);
    assert!(!ids(&found).contains(&"oversize-files"), "{found:?}");
    assert!(ids(&found).contains(&"file-count"), "{found:?}");
    let databricks = advice(&large, &["--profile", "databricks"]);
    assert_eq!(databricks[0]["action"]["targetFileSize"], 256 << 20);
    let wrong = deltop(&["advise", &large.path(), "--profile", "excel", "--json"]);
    assert_eq!(wrong.error(), (2, "usage".into()));
    let band = deltop(&["histogram", &large.path(), "--profile", "databricks", "--json"]).json();
    assert_eq!(band["recommended"]["target"], 256 << 20);
}

#[test]
fn thresholds_can_be_set() {
    let small = table(128, TUTORIAL_BYTES);
    let config = small.folder().join("config.toml");
    std::fs::write(&config, "profile = \"databricks\"\n[thresholds]\nsmall_files_critical = 1000\n").unwrap();
    let run = |args: &[&str]| {
        let output = crate::support::headless::command(args).env("DELTOP_CONFIG", &config).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let found = run(&["advise", &small.path(), "--json"]);
    assert_eq!(
        (&found[0]["severity"], &found[0]["action"]["targetFileSize"]),
        (&json!("warning"), &json!(256 << 20))
    );
    let found = run(&["advise", &small.path(), "--json", "--profile", "spark"]);
    assert_eq!(found[0]["action"]["targetFileSize"], 128 << 20);
}

#[test]
fn the_demo_is_judged_with_its_footers() {
    let demo = Demo::shared();
    let sales = demo.part("sales");
    let few = deltop(&["advise", &demo.part("product")]).ok();
    assert!(few.lines().any(|l| l.starts_with("Data files") && l.contains("looked at ")), "{few}");
    let text = deltop(&["advise", &sales, "--footers", "7"]).ok();
    assert!(text.lines().any(|l| l.starts_with("Data files") && l.contains("~ 7 of ")), "{text}");
    let text = deltop(&["advise", &sales, "--footers", "0"]).ok();
    assert!(text.contains("not read (--footers)"), "{text}");
    let columns = deltop(&["columns", &sales, "--footers", "--json"]).json();
    let bytes: Vec<u64> =
        columns.as_array().unwrap().iter().map(|c| c["compressedBytes"].as_u64().unwrap()).collect();
    let footers = deltop(&["footer", &sales, "--json"]).json();
    let all: u64 =
        footers["columns"].as_array().unwrap().iter().map(|c| c["compressedSize"].as_u64().unwrap()).sum();
    assert_eq!(bytes.iter().sum::<u64>(), all);
    let sampled = deltop(&["columns", &sales, "--footers", "3", "--json"]).json();
    assert_eq!(sampled[0]["compressedBytes"], Value::Null);
}

/// Also where small and large files are mixed and the table has no partitions.
#[test]
fn what_a_finding_predicts_is_what_its_command_plans() {
    let made = Made::new(&[("id", "long")], &[], &[]);
    let file = |i: u64| {
        let size = if i.is_multiple_of(2) { 1 << 20 } else { 900 << 20 };
        add(&format!("part-{i}.parquet"), size, &json!({"numRecords": 100_000}))
    };
    made.commit(1, "WRITE", &(0..40).map(file).collect::<Vec<Value>>());
    let found = advice(&made, &[]);
    let finding = found.iter().find(|f| f["id"] == "missing-statistics").expect("no bounds");
    let action = &finding["action"];
    let command = action["command"].as_str().unwrap();
    assert!(command.ends_with(" --stats"), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let plan = deltop(&[&words[..], &["--json"]].concat()).json();
    let left: u64 =
        plan["leftAlone"].as_array().unwrap().iter().map(|l| l["numFiles"].as_u64().unwrap()).sum();
    assert_eq!(action["targetFiles"], plan["numOutputFiles"].as_u64().unwrap() + left);
    assert!(action["targetFiles"].as_u64().unwrap() > 20, "{action}");
}

/// A compaction takes no row away.
#[test]
fn too_many_rows_for_the_reader_are_not_mended_by_a_compaction() {
    let found = advice(&table(128, TUTORIAL_BYTES), &["--profile", "direct-lake"]);
    let finding = found.iter().find(|f| f["id"] == "file-count").expect("above 300 million rows");
    assert_eq!(finding["action"], Value::Null, "{finding}");
}
