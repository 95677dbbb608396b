//! Tables whose data files are gone, damaged, or other than the log says: never a good grade.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::headless::{Demo, deltop, shared_tables};

/// A demo table of its own, and its active files.
struct Table {
    demo: Demo,
    files: Vec<PathBuf>,
}

impl Table {
    fn new() -> Table {
        let demo = Demo::new();
        let part = demo.part("product");
        let listed = deltop(&["files", &part, "--columns", "path", "--json"]).json();
        let paths = listed.as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap().to_owned());
        let files: Vec<PathBuf> = paths.map(|p| demo.folder().join("product").join(p)).collect();
        assert!(files.len() > 1);
        Table { demo, files }
    }

    fn path(&self) -> String {
        self.demo.part("product")
    }

    fn found(&self, id: &str) -> Value {
        let found = deltop(&["advise", &self.path(), "--json"]).json();
        found.as_array().unwrap().iter().find(|f| f["id"] == id).cloned().unwrap_or_default()
    }

    fn fails(&self) -> bool {
        deltop(&["check", &self.path(), "--fail-on", "critical"]).status == 1
    }
}

#[test]
fn missing_files_are_the_gravest_finding() {
    let table = Table::new();
    assert!(!table.fails());
    fs::remove_file(&table.files[0]).unwrap();
    let found = table.found("missing-files");
    let all = table.files.len();
    assert_eq!(
        (&found["severity"], found["action"]["command"].is_null()),
        (&"critical".into(), true),
        "{found}"
    );
    let name = table.files[0].file_name().unwrap().to_str().unwrap();
    let evidence = found["evidence"].as_str().unwrap();
    assert!(evidence.starts_with(&format!("looked at {all} of {all} data files; not found: ")), "{evidence}");
    assert!(evidence.contains(name), "{evidence}");
    assert!(table.fails());
    let text = deltop(&["advise", &table.path()]).ok();
    assert!(text.contains("grade F") && !text.contains("Nothing to do"), "{text}");
    assert_eq!(deltop(&["detail", &table.path(), "--json"]).json()["grade"], "F");
    table.files.iter().skip(1).for_each(|f| fs::remove_file(f).unwrap());
    let found = table.found("missing-files");
    assert_eq!(found["title"], format!("None of the {all} data files is there"));
    // Unless the data files are not to be looked at, and then that is said.
    let text = deltop(&["advise", &table.path(), "--footers", "0"]).ok();
    assert!(text.contains("Data files were not looked at"), "{text}");
}

#[test]
fn unreadable_files_are_told_with_their_cause() {
    let table = Table::new();
    let whole = fs::read(&table.files[0]).unwrap();
    for (bytes, cause) in [
        (whole[..whole.len() / 2].to_vec(), "cut off or damaged at its end"),
        (b"not parquet at all".to_vec(), "is not a parquet file"),
        (Vec::new(), "is not a parquet file"),
        ([&whole[..whole.len() - 8], &[255; 4], b"PAR1"].concat(), "cannot be read"),
    ] {
        fs::write(&table.files[0], &bytes).unwrap();
        let found = table.found("unreadable-files");
        assert_eq!(found["severity"], "critical", "{found}");
        assert!(found["evidence"].as_str().unwrap().contains(cause), "{cause}: {found}");
        assert!(table.fails());
    }
}

#[test]
fn a_log_that_says_other_rows_is_found_out() {
    let table = Table::new();
    let log = table.demo.folder().join("product/_delta_log");
    let mut changed = 0;
    for commit in fs::read_dir(log).unwrap().flatten().map(|e| e.path()) {
        if commit.extension().is_some_and(|e| e == "json") {
            let text = fs::read_to_string(&commit).unwrap();
            let wrong = text.replace(r#"\"numRecords\":"#, r#"\"numRecords\":9"#);
            changed += usize::from(wrong != text);
            fs::write(&commit, wrong).unwrap();
        }
    }
    assert!(changed > 0);
    let found = table.found("wrong-figures");
    assert_eq!(found["severity"], "critical", "{found}");
    assert!(found["evidence"].as_str().unwrap().contains("the log says 9"), "{found}");
    assert!(table.fails());
}

#[test]
fn shared_tables_without_their_files_are_not_healthy() {
    let Some(folder) = shared_tables() else { return };
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let mut seen = 0;
    for (name, values) in expected["tables"].as_object().unwrap() {
        let figure = |key: &str| values[key].as_u64().unwrap_or(0);
        let gone = figure("missing_data_files") + figure("absolute_paths");
        let many = figure("num_files") > 100;
        if values["open"] != "ok" || gone == 0 || many {
            continue;
        }
        let found = deltop(&["advise", folder.join(name).to_str().unwrap(), "--json"]).json();
        let ids: Vec<&str> = found.as_array().unwrap().iter().filter_map(|f| f["id"].as_str()).collect();
        assert!(ids.contains(&"missing-files"), "{name}: {ids:?}");
        let commands = found.as_array().unwrap().iter().filter_map(|f| f["action"]["command"].as_str());
        assert_eq!(commands.collect::<Vec<_>>(), [""; 0], "{name}");
        seen += 1;
    }
    assert!(seen > 5, "only {seen}");
    let vectors =
        deltop(&["advise", folder.join("made__dv_file_missing").to_str().unwrap(), "--json"]).json();
    assert_eq!(vectors[0]["id"], "missing-files", "{vectors}");
    assert!(vectors[0]["title"].as_str().unwrap().contains("deletion vector file"), "{vectors}");
}
