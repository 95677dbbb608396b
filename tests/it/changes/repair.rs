//! Double rewrites, made by a real writer that does not see them, and their repair.

use std::path::Path;

use serde_json::json;

use crate::support::headless::deltop;
use crate::support::peer;

/// Ten files a partition, compacted by two handles that know nothing of each other.
const TWICE: &str = "
for i in range(10):
    write_deltalake(t, rows(100, i * 100, lambda i: f'a {i % 2}'), partition_by=['p'], mode='append')
first, second = DeltaTable(t), DeltaTable(t)
first.optimize.compact()
second.optimize.compact()
";

fn rewrites_found(table: &Path) -> usize {
    let found = deltop(&["advise", table.to_str().unwrap(), "--json"]).json();
    found.as_array().unwrap().iter().filter(|f| f["id"] == "double-rewrite").count()
}

#[test]
fn doubled_rows_are_taken_away_and_later_ones_stay() {
    let Some(python) = peer::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t");
    peer::run(python, &table, TWICE);
    assert_eq!(peer::ids(python, &table).len(), 2000, "the peer doubles rows");
    peer::run(python, &table, "write_deltalake(t, rows(50, 5000, lambda i: 'a 1'), mode='append')");
    assert_eq!(rewrites_found(&table), 1);
    let at = table.to_str().unwrap();
    let plan = deltop(&["repair", at, "--json"]).json();
    assert_eq!((&plan["operation"], &plan["versions"]), (&json!("repair"), &json!([11])));
    assert_eq!(plan["numFilesRemoved"], 2);
    assert!(deltop(&["repair", at]).ok().contains("1,000 rows less"));
    assert_eq!(deltop(&["repair", at, "--yes", "--json"]).error(), (5, "read-only".into()));
    let done = deltop(&["repair", at, "--yes", "--allow-writes", "--json"]).json();
    assert_eq!((&done["newVersion"], &done["numFilesRemoved"]), (&json!(13), &json!(2)));
    let ids: Vec<i64> = (0..1000).chain(5000..5050).collect();
    assert_eq!(peer::ids(python, &table), ids);
    assert_eq!(rewrites_found(&table), 0);
    assert_eq!(deltop(&["repair", at, "--json"]).json()["numFilesRemoved"], 0);
}

#[test]
fn what_cannot_be_told_apart_is_refused() {
    let Some(python) = peer::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t");
    // The doubled files were merged with others since.
    peer::run(
        python,
        &table,
        &format!(
            "{TWICE}
write_deltalake(t, rows(50, 5000, lambda i: 'a 1'), mode='append')
DeltaTable(t).optimize.compact()
"
        ),
    );
    let error = deltop(&["repair", table.to_str().unwrap(), "--json"]).error();
    assert_eq!(error, (5, "cannot-repair".into()));
}

#[test]
fn a_sound_table_needs_no_repair() {
    let demo = crate::support::headless::Demo::shared();
    let sales = demo.part("sales");
    assert!(deltop(&["repair", &sales]).ok().contains("Nothing to repair"));
    assert_eq!(deltop(&["repair", &sales, "--json"]).json()["versions"], json!([]));
}

/// Two rewrites of sets of files that differ: neither is whole.
const CROSSED: &str = "
for i in range(3):
    write_deltalake(t, rows(100, i * 100, lambda i: f'a {i % 2}'), partition_by=['p'], mode='append')
first, second = DeltaTable(t), DeltaTable(t)
first.optimize.compact(partition_filters=[('p', '=', 'a 0')])
second.optimize.compact()
";

#[test]
fn what_a_double_rewrite_left_is_not_rewritten() {
    let Some(python) = peer::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t");
    peer::run(python, &table, TWICE);
    let at = table.to_str().unwrap();
    for change in [&["rewrite", at, "--files", "6"][..], &["rewrite", at, "--target-size", "8KB"]] {
        let refused = deltop(&[change, &["--json"]].concat());
        assert_eq!(refused.error(), (5, "double-rewrite".into()), "{change:?}");
        assert!(refused.stdout.contains("deltop repair"), "{}", refused.stdout);
    }
    deltop(&["repair", at, "--yes", "--allow-writes"]).ok();
    deltop(&["rewrite", at, "--files", "4", "--yes", "--allow-writes"]).ok();
    assert_eq!(peer::ids(python, &table), (0..1000).collect::<Vec<i64>>());
}

#[test]
fn an_undo_of_the_second_brings_nothing_back_twice() {
    let Some(python) = peer::python() else { return };
    for script in [TWICE, CROSSED] {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("t");
        peer::run(python, &table, script);
        let before: std::collections::BTreeSet<i64> = peer::ids(python, &table).into_iter().collect();
        let at = table.to_str().unwrap();
        deltop(&["undo", at, "--yes", "--allow-writes"]).ok();
        assert_eq!(peer::ids(python, &table), Vec::from_iter(before));
        assert_eq!(rewrites_found(&table), 0);
    }
}

#[test]
fn an_overwrite_ends_it() {
    let Some(python) = peer::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t");
    let script = format!("{TWICE}\nwrite_deltalake(t, rows(10, 0, lambda i: 'a 1'), mode='overwrite')\n");
    peer::run(python, &table, &script);
    assert_eq!(rewrites_found(&table), 0);
}
