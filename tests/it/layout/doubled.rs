//! Two compactions of the same files, found in the history.

use serde_json::{Value, json};

use super::made::{Made, add, remove};
use crate::support::headless::deltop;

fn file(path: &str, rows: u64) -> Value {
    add(path, 200 << 20, &json!({"numRecords": rows}))
}

/// Three files of 100 rows, compacted at version 2, and again at version 3 by a writer that did not
/// see that.
fn doubled() -> Made {
    let made = Made::new(&[("k", "long")], &[], &[]);
    let inputs = ["a%20b.parquet", "b.parquet", "c.parquet"];
    made.commit(1, "WRITE", &inputs.map(|p| file(p, 100)));
    for (version, output) in [(2, "one.parquet"), (3, "two.parquet")] {
        let mut actions: Vec<Value> = inputs.iter().map(|p| remove(p)).collect();
        actions.push(file(output, 300));
        made.commit(version, "OPTIMIZE", &actions);
    }
    made
}

fn finding(made: &Made) -> Option<Value> {
    let all = deltop(&["advise", &made.path(), "--json"]).json();
    all.as_array().unwrap().iter().find(|f| f["id"] == "double-rewrite").cloned()
}

#[test]
fn two_compactions_of_the_same_files_are_critical() {
    let made = doubled();
    let found = finding(&made).unwrap();
    assert_eq!(found["severity"], "critical");
    let evidence = found["evidence"].as_str().unwrap();
    assert!(evidence.contains("versions 2 and 3 both removed 3 files (300 rows)"), "{evidence}");
    assert_eq!(found["action"]["command"], format!("deltop repair {}", made.path()));
    assert_eq!(deltop(&["detail", &made.path(), "--json"]).json()["grade"], "F");
    assert_eq!(deltop(&["check", &made.path(), "--fail-on", "critical"]).status, 1);
    // Before the second compaction all was well.
    let before = deltop(&["advise", &made.path(), "--as-of", "2", "--json"]).json();
    assert!(before.as_array().unwrap().iter().all(|f| f["id"] != "double-rewrite"));
}

#[test]
fn what_was_repaired_or_added_again_is_no_finding() {
    let repaired = doubled();
    repaired.commit(4, "REPAIR", &[remove("two.parquet")]);
    assert_eq!(finding(&repaired), None);
    let restored = doubled();
    restored.commit(4, "WRITE", &[remove("two.parquet"), remove("one.parquet"), file("b.parquet", 100)]);
    assert!(finding(&restored).is_some(), "that commit added rows, so it need not have repaired anything");

    let made = Made::new(&[("k", "long")], &[], &[]);
    made.commit(1, "WRITE", &[file("a", 1)]);
    made.commit(2, "DELETE", &[remove("a")]);
    made.commit(3, "RESTORE", &[file("a", 1)]);
    made.commit(4, "OPTIMIZE", &[remove("a"), file("b", 1)]);
    assert_eq!(finding(&made), None);
}

#[test]
fn the_basis_tells_what_was_searched() {
    let made = doubled();
    let text = deltop(&["advise", &made.path()]).ok();
    assert!(text.contains("searched v0 to v3: all commits"), "{text}");
    std::fs::remove_file(made.folder().join("_delta_log/00000000000000000000.json")).unwrap();
    let gone = deltop(&["advise", &made.path(), "--json"]);
    assert_eq!(gone.error().0, 3);
}
