//! The same work by python `deltalake`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::process::{self, Run};

const PACKAGE: &str = "deltalake==1.6.6";

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
        let has_it = || quiet(Command::new(&python).args(["-c", "import deltalake, pyarrow, numpy"]));
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

    /// Runs a script that prints, on its last line, the seconds of its work and a count.
    pub fn run(&self, script: &str, arguments: &[&str]) -> Option<Run> {
        let arguments: Vec<&str> = ["-c", script].iter().chain(arguments).copied().collect();
        process::timed(&self.0.as_ref()?.to_string_lossy(), &arguments)
    }
}

fn quiet(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|s| s.success())
}
