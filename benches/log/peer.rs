//! The same work by python `deltalake`: opening the table, and all add actions with their figures.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{self, Run};

const PACKAGE: &str = "deltalake==1.6.6";

/// Prints seconds and the number of files; what the import takes is not counted.
const SCRIPT: &str = "
import sys, time
from deltalake import DeltaTable
start = time.perf_counter()
actions = DeltaTable(sys.argv[1]).get_add_actions(flatten=True)
print(time.perf_counter() - start, actions.num_rows)
";

/// A python that has the package, if there is one.
pub struct Peer(Option<PathBuf>);

impl Peer {
    /// `DELTOP_BENCH_PYTHON`, else a virtual environment below the target folder, which is made
    /// when first needed.
    pub fn find() -> Peer {
        if let Some(python) = std::env::var_os("DELTOP_BENCH_PYTHON") {
            return Peer(Some(python.into()));
        }
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peer");
        let python = home.join("bin/python");
        let has_it = || quiet(Command::new(&python).args(["-c", "import deltalake"]));
        let made = has_it()
            || (quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&home))
                && quiet(Command::new(&python).args(["-m", "pip", "install", "-q", PACKAGE, "pyarrow"]))
                && has_it());
        if !made {
            println!("python3 with venv, or {PACKAGE} from PyPI, cannot be had: no comparison");
        }
        Peer(made.then_some(python))
    }

    pub fn version(&self) -> String {
        let Some(python) = &self.0 else { return "not there".into() };
        let asked =
            Command::new(python).args(["-c", "import deltalake; print(deltalake.__version__)"]).output();
        asked.map_or_else(|e| e.to_string(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
    }

    pub fn run(&self, location: &str) -> Option<Run> {
        process::timed(&self.0.as_ref()?.to_string_lossy(), &["-c", SCRIPT, location])
    }
}

fn quiet(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}
