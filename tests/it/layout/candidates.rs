//! Candidate partition columns where the statistics do not tell: by a look at rows that says so.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use super::made::{Made, add};
use crate::support::headless::deltop;

const ROWS: i64 = 20_000;

/// Two files of three countries, some 400 days in 2024 and 2025, and ids of their own each; without
/// statistics but for the rows. The log says that they are large.
fn table() -> Made {
    let columns = [("country", "string"), ("day", "date"), ("id", "long"), ("gone", "string")];
    let made = Made::new(&columns, &[], &[]);
    let file = |n: i64| {
        let name = format!("{n}.parquet");
        let rows = || 0..ROWS;
        let countries = rows().map(|i| (i % 50 != 0).then(|| ["BR", "DE", "JP"][(i % 3) as usize]));
        // From 2024-01-01 on.
        let days = rows().map(|i| 19_723 + ((i + n) % 400) as i32);
        let columns: [(&str, ArrayRef); 3] = [
            ("country", Arc::new(StringArray::from_iter(countries))),
            ("day", Arc::new(Date32Array::from_iter_values(days))),
            ("id", Arc::new(Int64Array::from_iter_values(rows().map(|i| n * ROWS + i)))),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let to = File::create(made.folder().join(&name)).unwrap();
        let mut writer = ArrowWriter::try_new(to, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        add(&name, 50 << 30, &json!({"numRecords": ROWS}))
    };
    made.commit(1, "WRITE", &[file(0), file(1)]);
    made
}

fn judged<'a>(all: &'a [Value], column: &str, transform: &str) -> &'a Value {
    all.iter().find(|c| c["column"] == column && c["transform"] == transform).unwrap()
}

#[test]
fn rows_tell_what_statistics_do_not() {
    let made = table();
    let all = deltop(&["columns", &made.path(), "--candidates", "--json"]).json();
    let all = all.as_array().unwrap();
    let figures = |column: &str, transform: &str| {
        let c = judged(all, column, transform);
        (
            c["verdict"].as_str().unwrap().to_owned(),
            c["sample"]["estimatedValues"].as_u64(),
            c["atMost"].clone(),
        )
    };
    assert_eq!(figures("country", "value"), ("good".into(), Some(3), Value::Null));
    assert_eq!(figures("day", "year"), ("good".into(), Some(2), Value::Null));
    assert_eq!(figures("day", "month"), ("good".into(), Some(14), Value::Null));
    // Every row of its own: far too many.
    let (verdict, about, _) = figures("id", "value");
    assert!(verdict == "too-many" && about.unwrap() > 10_000, "{verdict} {about:?}");
    let sample = &judged(all, "country", "value")["sample"];
    assert!(sample["numRows"].as_u64().unwrap() > 15_000 && sample["numFiles"] == 2, "{sample}");
    // No file has the column.
    let gone = judged(all, "gone", "value");
    assert_eq!((&gone["verdict"], &gone["sample"]), (&json!("unknown"), &Value::Null));
    let text = deltop(&["columns", &made.path(), "--candidates"]).ok();
    assert!(
        text.contains("~good") && text.contains("(~ by ") && text.contains(" rows of 2 files)"),
        "{text}"
    );
}

#[test]
fn damaged_and_missing_files_leave_it_unknown() {
    let made = table();
    std::fs::write(made.folder().join("0.parquet"), "PAR1 damaged PAR1").unwrap();
    std::fs::remove_file(made.folder().join("1.parquet")).unwrap();
    let all = deltop(&["columns", &made.path(), "--candidates", "--json"]).json();
    for c in all.as_array().unwrap() {
        assert_eq!((&c["verdict"], &c["sample"]), (&json!("unknown"), &Value::Null), "{c}");
    }
}
