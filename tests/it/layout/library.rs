//! Every shared table: nothing breaks, and each column's figures are those of a second, naive reading
//! of the commits.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::headless::{deltop, shared_tables};

#[test]
fn every_table_is_judged_and_its_columns_are_as_the_commits_say() {
    let Some(folder) = shared_tables() else { return };
    let expected: Value = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let tables: Vec<(&String, &Value)> = expected["tables"].as_object().unwrap().iter().collect();
    let (next, compared, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((name, expected)) = tables.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (problems, columns) = problems(&folder.join(name.as_str()), expected);
                    compared.fetch_add(columns, Ordering::Relaxed);
                    wrong.lock().unwrap().extend(problems.into_iter().map(|p| format!("{name}: {p}")));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    let compared = compared.into_inner();
    assert!(compared > 150, "only {compared} columns were compared");
}

/// What is wrong, and how many columns were compared.
fn problems(table: &Path, expected: &Value) -> (Vec<String>, usize) {
    let path = table.to_str().unwrap();
    let mut out = Vec::new();
    for command in ["advise", "check", "columns"] {
        for form in [&["--json"][..], &[]] {
            let ran = deltop(&[&[command, path], form].concat());
            let found = command == "check" && ran.status == 1;
            if !found && !matches!(ran.status, 0 | 3 | 4) {
                out.push(format!("{command}: status {}\n{}{}", ran.status, ran.stdout, ran.stderr));
            }
            if ran.status == 0 && form.is_empty() && ran.stdout.contains('\u{1b}') {
                out.push(format!("{command}: a control character"));
            }
        }
    }
    let names = expected["columns"].as_array().cloned().unwrap_or_default();
    for column in names.iter().filter_map(Value::as_str).take(2) {
        let ran = deltop(&["prune", path, &format!("`{column}` is null"), "--json"]);
        if !matches!(ran.status, 0 | 2 | 3 | 4) {
            out.push(format!("prune: status {}\n{}{}", ran.status, ran.stdout, ran.stderr));
        }
    }
    let columns = deltop(&["columns", path, "--json"]);
    if columns.status != 0 || expected["open"] != "ok" {
        return (out, 0);
    }
    let columns = columns.json();
    let Some(files) = naive(table) else { return (out, 0) };
    let mut compared = 0;
    for column in columns.as_array().unwrap() {
        if column["statsFiles"].is_null() || column["roles"].as_array().unwrap().contains(&"partition".into())
        {
            continue;
        }
        compared += 1;
        let name = column["physicalName"].as_str().unwrap();
        let is = Naive::of(&files, name, column["type"].as_str().unwrap());
        let is_null_count = is.null_count.map_or(Value::Null, Value::from);
        if column["nullCount"] != is_null_count {
            out.push(format!("{name}: nullCount {} but {is_null_count}", column["nullCount"]));
        }
        for (key, value) in [("min", &is.min), ("max", &is.max)] {
            if !same(&column[key], value.as_ref()) {
                out.push(format!("{name}: {key} {} but {value:?}", column[key]));
            }
        }
    }
    (out, compared)
}

/// The statistics of all active files, by nothing but the commits; none if these are not all there.
fn naive(table: &Path) -> Option<Vec<Value>> {
    let mut files: BTreeMap<(String, String), Value> = BTreeMap::new();
    let log = table.join("_delta_log");
    for version in 0.. {
        let Ok(text) = fs::read_to_string(log.join(format!("{version:020}.json"))) else {
            let newer = fs::read_dir(&log).ok()?.flatten().any(|e| {
                let name = e.file_name().to_string_lossy().into_owned();
                name.len() > 20
                    && name.ends_with(".json")
                    && name[..20].parse::<u64>().is_ok_and(|v| v > version)
            });
            return (version > 0 && !newer).then(|| files.into_values().collect());
        };
        for action in
            serde_json::Deserializer::from_str(text.trim_start_matches('\u{feff}')).into_iter::<Value>()
        {
            let action = action.ok()?;
            let key = |a: &Value| {
                let path = a["path"].as_str().unwrap_or_default();
                let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
                (
                    path,
                    a["deletionVector"]["pathOrInlineDv"].to_string()
                        + &a["deletionVector"]["offset"].to_string(),
                )
            };
            if action["remove"].is_object() {
                files.remove(&key(&action["remove"]));
            }
            if action["add"].is_object() {
                let stats = action["add"]["stats"].as_str().unwrap_or("null");
                files.insert(key(&action["add"]), serde_json::from_str(stats).unwrap_or_default());
            }
        }
    }
    None
}

/// A column's figures over all files.
struct Naive {
    null_count: Option<u64>,
    min: Option<Value>,
    max: Option<Value>,
}

impl Naive {
    fn of(files: &[Value], name: &str, kind: &str) -> Naive {
        let null_count = files.iter().map(|f| f["nullCount"][name].as_u64()).sum::<Option<u64>>();
        let all_null = |f: &Value| {
            let rows = f["numRecords"].as_u64();
            rows == Some(0) || (rows.is_some() && f["nullCount"][name].as_u64() == rows)
        };
        let has = |f: &Value| !f["minValues"][name].is_null() && !f["maxValues"][name].is_null();
        // Where a file's range is not known, the table's is not.
        if !files.iter().all(|f| has(f) || all_null(f)) {
            return Naive { null_count, min: None, max: None };
        }
        let values =
            |side: &str| files.iter().filter(|f| has(f)).map(|f| f[side][name].clone()).collect::<Vec<_>>();
        let less = |a: &Value, b: &Value| order(kind, a, b);
        Naive {
            null_count,
            min: values("minValues").into_iter().min_by(less),
            max: values("maxValues").into_iter().max_by(less),
        }
    }
}

fn order(kind: &str, a: &Value, b: &Value) -> std::cmp::Ordering {
    let number = |v: &Value| v.as_f64().or_else(|| v.as_str()?.parse().ok());
    match (kind, a.as_str(), b.as_str()) {
        ("string" | "date" | "timestamp" | "timestamp_ntz", Some(a), Some(b)) => {
            a.as_bytes().cmp(b.as_bytes())
        }
        _ => number(a).partial_cmp(&number(b)).unwrap_or(std::cmp::Ordering::Equal),
    }
}

/// Whether the program's value is the log's: as numbers, as times, or as text.
fn same(shown: &Value, is: Option<&Value>) -> bool {
    let Some(is) = is else { return shown.is_null() };
    let number = |v: &Value| v.as_f64().or_else(|| v.as_str()?.parse().ok());
    let time = |v: &Value| {
        let text = v.as_str()?.replace(' ', "T");
        // A column that was widened from dates to times has both in its statistics.
        let text = if text.len() == 10 { text + "T00:00:00" } else { text };
        let text = if text.len() > 10
            && text.contains('T')
            && !text.ends_with('Z')
            && !text[11..].contains(['+', '-'])
        {
            text + "Z"
        } else {
            text
        };
        chrono::DateTime::parse_from_rfc3339(&text).ok()
    };
    shown == is
        || number(shown).is_some_and(|n| number(is) == Some(n))
        || time(shown).is_some_and(|t| time(is) == Some(t))
}
