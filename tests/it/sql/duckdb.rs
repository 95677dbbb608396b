//! The same queries through another engine with a Delta reader of its own: DuckDB and its delta
//! extension, both from PyPI, in a virtual environment that is made when first needed.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;

/// Pinned: an extension fits one version of DuckDB only. pytz is for times with a zone.
const PACKAGES: [&str; 3] = ["duckdb==1.4.4", "duckdb-ext-delta==1.4.4.20260205", "pytz==2026.6"];

#[test]
fn queries_equal_another_engines() {
    let Some(tables) = shared_tables() else { return };
    let Some(python) = python() else { return };
    let queries: Vec<&str> =
        include_str!("duckdb.sql").lines().filter(|l| !l.starts_with("--") && !l.is_empty()).collect();
    assert!(queries.len() >= 60);
    let theirs: Vec<String> = queries
        .iter()
        .map(|q| with_tables(q, |name| format!("delta_scan('{}')", tables.join(name).display())))
        .collect();
    let theirs = ask(&python, &theirs);
    let session = Session::open(&tables.join("gen__sales"));
    let mut wrong = Vec::new();
    for (query, theirs) in queries.iter().zip(theirs) {
        let ours = with_tables(query, |name| format!("delta.`{}`", tables.join(name).display()));
        let ours = match session.try_rows(&ours) {
            Ok(rows) => rows.into_iter().map(|row| cells(&row)).collect::<Vec<_>>(),
            Err(fault) => {
                wrong.push(format!("{query}\n  {fault:?}"));
                continue;
            }
        };
        let Value::Array(theirs) = theirs else {
            wrong.push(format!("{query}\n  the other engine: {theirs}"));
            continue;
        };
        let same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| alike(a, b));
        if !same {
            let differ = ours.iter().zip(&theirs).find(|(a, b)| !alike(a, b));
            wrong.push(format!("{query}\n  {} and {} rows; {differ:?}", ours.len(), theirs.len()));
        }
    }
    assert!(wrong.is_empty(), "{} of {} queries differ:\n{}", wrong.len(), queries.len(), wrong.join("\n"));
}

/// The query with something in the place of each `@table`.
fn with_tables(query: &str, relation: impl Fn(&str) -> String) -> String {
    let mut parts = query.split('@');
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let end = part.find([' ', ')', ',']).unwrap_or(part.len());
        out.push_str(&relation(&part[..end]));
        out.push_str(&part[end..]);
    }
    out
}

fn cells(row: &Value) -> Value {
    Value::Array(row.as_object().unwrap().values().cloned().collect())
}

/// Numbers by their value (sums of doubles depend on the order), times without their notation,
/// the rest as it is.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| {
                    let other = b
                        .get(key)
                        .or_else(|| b.iter().find(|(k, _)| alike(&json!(k), &json!(key))).map(|(_, v)| v));
                    other.is_some_and(|other| alike(value, other))
                })
        }
        (Value::Number(_) | Value::String(_), Value::String(b)) => {
            let a = a.as_str().map_or_else(|| a.to_string(), str::to_owned);
            a == *b || same_number(&a, b) || same_time(&a, b)
        }
        (a, b) => a == b,
    }
}

fn same_number(a: &str, b: &str) -> bool {
    let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    // Whole numbers beyond what a double holds must be the same to the digit.
    let whole = |t: &str| t.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
    if whole(a) && whole(b) {
        return a == b;
    }
    (x.is_nan() && y.is_nan()) || x == y || (x - y).abs() <= 1e-6 * x.abs().max(y.abs())
}

fn same_time(a: &str, b: &str) -> bool {
    let time =
        |t: &str| chrono::NaiveDateTime::parse_from_str(t.trim_end_matches('Z'), "%Y-%m-%dT%H:%M:%S%.f");
    matches!((time(a), time(b)), (Ok(a), Ok(b)) if a == b)
}

fn ask(python: &Path, queries: &[String]) -> Vec<Value> {
    let mut child = Command::new(python)
        .args(["-c", include_str!("duckdb.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(json!(queries).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn python() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("duckdb");
    let python = home.join("bin/python");
    let quiet = |command: &mut Command| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|s| s.success())
    };
    let ready = || quiet(Command::new(&python).args(["-c", "import duckdb, duckdb_ext, pytz"]));
    if !ready() {
        let made = quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))
            && quiet(Command::new(&python).args(["-m", "pip", "install", "-q"]).args(PACKAGES));
        if !made || !ready() {
            println!("skipped: python3 with venv, or {} from PyPI, cannot be had", PACKAGES.join(" and "));
            return None;
        }
    }
    Some(python)
}
