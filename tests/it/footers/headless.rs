//! `deltop footer` as people and scripts call it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use crate::support::headless::{Ran, deltop};

/// A table of two files with different schemas, and one that is gone. Gives the folder.
fn table() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("_delta_log")).unwrap();
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(3), None]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "\u{1b}[31mred", "z"]));
    write(&dir.path().join("a b.parquet"), [("id", ids.clone()), ("name", names)]);
    write(&dir.path().join("c.parquet"), [("id", ids)]);
    let schema = json!({"type": "struct", "fields": [
        {"name": "id", "type": "long", "nullable": true, "metadata": {}},
        {"name": "name", "type": "string", "nullable": true, "metadata": {}},
    ]});
    let add = |path: &str| json!({"add": {"path": path, "partitionValues": {}, "size": 1, "modificationTime": 0, "dataChange": true}});
    let log = [
        json!({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}),
        json!({"metaData": {"id": "i", "format": {"provider": "parquet", "options": {}},
            "schemaString": schema.to_string(), "partitionColumns": [], "configuration": {}, "createdTime": 0}}),
        add("a%20b.parquet"),
        add("c.parquet"),
        add("gone.parquet"),
    ];
    let lines: Vec<String> = log.iter().map(Value::to_string).collect();
    std::fs::write(dir.path().join("_delta_log/00000000000000000000.json"), lines.join("\n")).unwrap();
    dir
}

fn write<const N: usize>(path: &Path, columns: [(&str, ArrayRef); N]) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn footer(words: &[&str]) -> Ran {
    deltop(&[&["footer"], words].concat())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

#[test]
fn one_file_by_any_name_it_has() {
    let table = table();
    let at = table.path().to_str().unwrap();
    let decoded = json(&footer(&[at, "a b.parquet", "--json"]));
    let encoded = json(&footer(&["--json", at, "a%20b.parquet"]));
    let alone = json(&footer(&[&format!("{at}/a b.parquet"), "--json"]));
    assert_eq!(decoded["rowGroups"], encoded["rowGroups"]);
    assert_eq!(decoded["rowGroups"], alone["rowGroups"]);
    assert_eq!((&decoded["path"], &decoded["numRows"]), (&json!("a b.parquet"), &json!(3)));
    let id = &decoded["rowGroups"][0]["columns"][0];
    assert_eq!((&id["min"], &id["max"], &id["nullCount"]), (&json!(1), &json!(3), &json!(1)));
    let text = footer(&[at, "a b.parquet"]);
    assert_eq!(text.status, 0, "{}", text.stderr);
    assert!(!text.stdout.contains('\u{1b}') && text.stdout.contains("␛[31mred"), "{}", text.stdout);
}

#[test]
fn a_table_is_summed_up() {
    let table = table();
    let at = table.path().to_str().unwrap();
    let sum = json(&footer(&[at, "--json"]));
    let figure = |key: &str| sum[key].as_u64();
    assert_eq!((figure("numFiles"), figure("numRows"), figure("missingFiles")), (Some(2), Some(6), Some(1)));
    assert_eq!(sum["sample"], Value::Null);
    let drift = json!([{"column": "name", "kind": "missing", "expected": "BYTE_ARRAY STRING", "found": null,
        "files": 1, "example": "c.parquet"}]);
    assert_eq!(sum["drift"], drift);
    assert_eq!(sum["problems"][0]["code"], "not-found");
    let text = footer(&[at]);
    assert_eq!(text.status, 0, "{}", text.stderr);
    for part in ["2 footers", "1 file missing", "Schema drift", "gone.parquet"] {
        assert!(text.stdout.contains(part), "{part} in\n{}", text.stdout);
    }
    let sampled = json(&footer(&[at, "--json", "--sample", "1"]));
    assert_eq!(sampled["sample"]["ofFiles"], 3);
}

#[test]
fn mistakes_have_their_status() {
    let table = table();
    let at = table.path().to_str().unwrap();
    let file = format!("{at}/c.parquet");
    let log = format!("{at}/_delta_log/00000000000000000000.json");
    for (words, status, code) in [
        (&[at, "none.parquet"][..], 3, "not-found"),
        (&[at, "../x.parquet"], 3, "bad-path"),
        (&[file.as_str(), "c.parquet"], 2, "usage"),
        (&[log.as_str()], 3, "not-parquet"),
    ] {
        let ran = footer(&[words, &["--json"]].concat());
        assert_eq!((ran.status, &json(&ran)["error"]["code"]), (status, &json!(code)), "{words:?}");
    }
}

#[test]
fn a_file_that_is_missing_is_named_with_its_place() {
    let table = table();
    let at = table.path().to_str().unwrap();
    let message = |words: &[&str]| {
        let fault = json(&footer(&[words, &["--json"]].concat()));
        fault["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    assert!(message(&[at, "none.parquet"]).starts_with(&format!("none.parquet does not exist in {at}")));
    let problem = json(&footer(&[at, "--json"]))["problems"][0].to_string();
    assert!(problem.contains("gone.parquet") && !problem.contains("/gone.parquet"), "{problem}");
}
