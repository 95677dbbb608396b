//! Another program's hands on the same table: Python with the `deltalake` package of PyPI, in a
//! virtual environment below the target folder that is made when first needed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// Pinned, so that a change there breaks nothing here.
const PACKAGES: [&str; 2] = ["deltalake==1.6.6", "pyarrow==26.0.1"];

/// The interpreter; none where Python or the packages cannot be had, which is said once.
pub fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    PYTHON.get_or_init(make).as_deref()
}

fn make() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deltalake");
    let python = home.join("bin/python");
    let ready = |python: &Path| quiet(Command::new(python).args(["-c", "import deltalake, pyarrow"]));
    if !ready(&python) {
        let made = quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))
            && quiet(Command::new(&python).args(["-m", "pip", "install", "-q"]).args(PACKAGES));
        if !made || !ready(&python) {
            println!("skipped: python3 with venv, or {} from PyPI, cannot be had", PACKAGES.join(" and "));
            return None;
        }
    }
    Some(python)
}

pub fn quiet(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}

/// What every script begins with. `t` is the table's path, `rows(n, start)` makes rows.
const HEAD: &str = r#"
import json, sys
import pyarrow as pa
from deltalake import DeltaTable, write_deltalake
t = sys.argv[1]
def rows(n, start=0, p=None):
    columns = {"id": pa.array(range(start, start + n), pa.int64()),
               "s": pa.array([f"row {i}" for i in range(start, start + n)])}
    if p is not None:
        columns["p"] = pa.array([p(i) for i in range(start, start + n)])
    return pa.table(columns)
def say(value):
    print(json.dumps(value), flush=True)
"#;

/// What every script that came through ends with: without the interpreter's own way out, on which
/// worker threads that are still at work can break the process off.
const TAIL: &str = "import os\nsys.stdout.flush()\nos._exit(0)\n";

/// Runs a script over a table; gives the JSON value that its last line of output is.
#[track_caller]
pub fn run(python: &Path, table: &Path, script: &str) -> Value {
    let output = command(python, table, script).output().expect("python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{script}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
}

/// As [`run`], with standard input and output for a conversation.
pub fn started(python: &Path, table: &Path, script: &str) -> Child {
    let mut command = command(python, table, script);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command.spawn().expect("python starts")
}

fn command(python: &Path, table: &Path, script: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-c", &format!("{HEAD}{script}\n{TAIL}")]).arg(table).stdin(Stdio::null());
    command
}

/// All values of column `id` that the table has now, sorted: no row is lost or doubled if they are as
/// they should be.
#[track_caller]
pub fn ids(python: &Path, table: &Path) -> Vec<i64> {
    let script = "say(sorted(DeltaTable(t).to_pyarrow_table(columns=['id'])['id'].to_pylist()))";
    serde_json::from_value(run(python, table, script)).expect("a list of numbers")
}
