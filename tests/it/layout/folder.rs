//! Files in a table's folder that the table does not know.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::made::{Made, add, remove};
use crate::support::headless::{deltop, shared_tables};

#[test]
fn orphans_are_listed_on_demand_with_their_age() {
    let made = Made::new(&[("k", "long")], &[], &[]);
    made.commit(
        1,
        "WRITE",
        &[add("a%20b.parquet", 4, &json!({"numRecords": 1})), add("c.parquet", 4, &json!({"numRecords": 1}))],
    );
    made.commit(2, "DELETE", &[remove("c.parquet")]);
    for name in ["a b.parquet", "c.parquet", "old.parquet", "young.parquet", "_hidden.parquet", "notes.txt"] {
        fs::write(made.folder().join(name), "12345678").unwrap();
    }
    let long_ago = SystemTime::now() - Duration::from_secs(30 * 86_400);
    let file = fs::File::options().write(true).open(made.folder().join("old.parquet")).unwrap();
    file.set_modified(long_ago).unwrap();
    let finding = |more: &[&str]| {
        let all = deltop(&[&["advise", &made.path(), "--json"], more].concat()).json();
        all.as_array().unwrap().iter().find(|f| f["id"] == "unreferenced-files").cloned()
    };
    assert_eq!(finding(&[]), None);
    let found = finding(&["--orphans"]).unwrap();
    assert!(found["title"].as_str().unwrap().starts_with("1 file that the table does not know"), "{found}");
    let text = deltop(&["advise", &made.path(), "--orphans"]).ok();
    assert!(text.contains("2 files, 16 B, that the table does not know; 1 of them, 8 B, older"), "{text}");
    assert!(
        text.contains("young.parquet") && text.contains("old.parquet") && !text.contains("notes"),
        "{text}"
    );
    // Judged by the newest version, whichever is looked at.
    let before = deltop(&["advise", &made.path(), "--orphans", "--as-of", "0"]).ok();
    assert!(before.contains("2 files, 16 B"), "{before}");
}

#[test]
fn no_file_of_a_shared_table_is_called_unknown_wrongly() {
    let Some(folder) = shared_tables() else { return };
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let mut seen = 0;
    for name in [
        "made__vacuum_candidates",
        "made__special_partitions",
        "made__absolute_paths",
        "made__odd_file_names",
        "dat__deletion_vectors",
        "made__history_zoo",
        "gen__produtos",
    ] {
        let is = &expected["tables"][name];
        let most = is["unreferenced_files"].as_u64().unwrap();
        let ran = deltop(&["advise", folder.join(name).to_str().unwrap(), "--orphans"]).ok();
        let line = ran.lines().find(|l| l.starts_with("Folder")).unwrap();
        let count: u64 = line.split_whitespace().nth(1).unwrap().replace(',', "").parse().unwrap();
        assert!(count <= most, "{name}: {count} of {most} files that are not in use");
        if is["tombstones"] == 0 {
            assert_eq!(count, most, "{name}");
        }
        seen += count;
    }
    assert!(seen > 0);
}
