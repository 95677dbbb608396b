//! The real binary over every shared table: JSON against the expected values.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value};

use crate::support::headless::{Ran, deltop, shared_tables};

#[test]
fn every_table_is_as_expected() {
    let Some(folder) = shared_tables() else { return };
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let tables: Vec<(&String, &Value)> = expected["tables"].as_object().unwrap().iter().collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, expected)) = tables.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let table = Table { path: text_of(&folder.join(name.as_str())), expected };
                    let problems = table.problems();
                    wrong.lock().unwrap().extend(problems.into_iter().map(|p| format!("{name}: {p}")));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(tables.len() >= 200, "only {} tables are described", tables.len());
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

fn text_of(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

struct Table<'a> {
    path: String,
    expected: &'a Value,
}

impl Table<'_> {
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.expected["kind"] == "parquet_folder" {
            self.fails(&[3], &mut problems);
            return problems;
        }
        let open = self.expected["open"].as_str().unwrap_or("");
        let detail = self.run("detail", &[]);
        match open {
            "must_fail" => self.fails(&[3, 4], &mut problems),
            "ambiguous" if detail.status != 0 => self.fails(&[3, 4], &mut problems),
            "catalog" if detail.status != 0 => self.fails(&[4], &mut problems),
            _ => {
                let detail = detail.json();
                if open == "catalog" && detail["warnings"].as_array().is_none_or(Vec::is_empty) {
                    problems.push("catalog-managed without a warning".into());
                }
                self.compare_detail(&detail, &mut problems);
                self.compare_files(&mut problems);
                self.compare_partitions(&mut problems);
                self.compare_history(&mut problems);
                self.compare_versions(&mut problems);
            }
        }
        if open == "refuse_data" {
            let sql = self.run("sql", &["select count(*) as n from t"]);
            if sql.error().0 != 4 {
                problems.push(format!("sql exits {} and not 4", sql.status));
            }
        }
        problems
    }

    fn run(&self, command: &str, more: &[&str]) -> Ran {
        deltop(&[&[command, &self.path, "--json"], more].concat())
    }

    fn fails(&self, statuses: &[i32], problems: &mut Vec<String>) {
        let (status, code) = self.run("detail", &[]).error();
        if !statuses.contains(&status) {
            problems.push(format!("detail exits {status} ({code})"));
        }
    }

    fn compare_detail(&self, detail: &Value, problems: &mut Vec<String>) {
        let pairs = [
            ("version", "version"),
            ("numFiles", "num_files"),
            ("sizeInBytes", "total_bytes"),
            ("partitionColumns", "partition_columns"),
            ("numPartitions", "num_partitions"),
            ("minReaderVersion", "min_reader"),
            ("minWriterVersion", "min_writer"),
            ("id", "table_id"),
            ("numRecords", "num_rows_log"),
            ("numDeletionVectors", "dv_files"),
            ("numDeletedRows", "dv_rows"),
        ];
        for (key, expected) in pairs {
            differ(key, &detail[key], &self.expected[expected], problems);
        }
        differ("tombstones", &detail["tombstones"]["numFiles"], &self.expected["tombstones"], problems);
        differ("commits", &detail["log"]["numCommits"], &self.expected["num_commit_files"], problems);
    }

    fn compare_files(&self, problems: &mut Vec<String>) {
        let files = self.run("files", &["--columns", "sizeInBytes"]).json();
        let mut sizes: Vec<u64> =
            files.as_array().unwrap().iter().map(|f| f["sizeInBytes"].as_u64().unwrap()).collect();
        sizes.sort_unstable();
        differ("files", &Value::from(sizes.len()), &self.expected["num_files"], problems);
        if let Some(expected) = self.expected.get("file_sizes").filter(|sizes| sizes.is_array()) {
            differ("file sizes", &Value::from(sizes), expected, problems);
        }
    }

    fn compare_partitions(&self, problems: &mut Vec<String>) {
        let leaves = self.run("partitions", &[]).json();
        let found = leaves.as_array().unwrap();
        differ("partitions", &Value::from(found.len()), &self.expected["num_partitions"], problems);
        for leaf in self.expected["partitions"].as_array().into_iter().flatten() {
            let same = |f: &&Value| {
                let values: Vec<&Value> =
                    f["partitionValues"].as_object().into_iter().flat_map(Map::values).collect();
                values == leaf[0].as_array().unwrap().iter().collect::<Vec<_>>()
                    && f["numFiles"] == leaf[1]
                    && f["sizeInBytes"] == leaf[2]
            };
            if found.iter().filter(same).count() != 1 {
                problems.push(format!("no partition {leaf}"));
            }
        }
    }

    fn compare_history(&self, problems: &mut Vec<String>) {
        let history = self.run("history", &[]).json();
        let found = history.as_array().unwrap().iter().rev().map(|c| {
            Value::from(vec![
                c["version"].clone(),
                c["operation"].clone(),
                c["numAddedFiles"].clone(),
                c["numRemovedFiles"].clone(),
            ])
        });
        let expected = self.expected["history"].as_array().into_iter().flatten();
        let expected = expected.map(|c| Value::from(c.as_array().unwrap()[..4].to_vec()));
        differ("history", &found.collect(), &expected.collect(), problems);
    }

    /// The first and the middle one of the versions that can still be rebuilt.
    fn compare_versions(&self, problems: &mut Vec<String>) {
        let Some(timeline) = self.expected["timeline"].as_array().filter(|t| t.len() > 1) else { return };
        for point in [&timeline[0], &timeline[timeline.len() / 2]] {
            let detail = self.run("detail", &["--as-of", &point[0].to_string()]).json();
            differ(&format!("files at {}", point[0]), &detail["numFiles"], &point[1], problems);
            differ(&format!("bytes at {}", point[0]), &detail["sizeInBytes"], &point[2], problems);
        }
    }
}

fn differ(what: &str, found: &Value, expected: &Value, problems: &mut Vec<String>) {
    if found != expected {
        problems.push(format!("{what} is {found:.300} and not {expected:.300}"));
    }
}
