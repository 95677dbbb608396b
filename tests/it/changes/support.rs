//! Tables for other programs to write to as well, and the binary at work on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::headless::command;
use crate::support::peer;

/// Set to a number to do that many rounds of each test that has rounds, instead of a few.
const ROUNDS: &str = "DELTOP_TEST_ROUNDS";
/// How long a condition may take to come true.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn rounds(usual: usize) -> usize {
    std::env::var(ROUNDS).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// A table of its own in a temporary folder.
pub struct Table {
    _folder: TempDir,
    path: PathBuf,
}

impl Table {
    /// Twelve files of 100 rows in two partitions, ids 0 to 1199, as a peer writes them.
    pub fn small(python: &Path) -> Table {
        static MADE: OnceLock<TempDir> = OnceLock::new();
        Self::copy_of(MADE.get_or_init(|| {
            make(
                python,
                "
for i in range(6):
    write_deltalake(t, rows(200, i * 200, lambda i: f'a {i % 2}'), partition_by=['p'], mode='append')
",
            )
        }))
    }

    /// Forty files of 20,000 rows, so that a rewrite takes a moment.
    pub fn large(python: &Path) -> Table {
        static MADE: OnceLock<TempDir> = OnceLock::new();
        Self::copy_of(MADE.get_or_init(|| {
            make(
                python,
                "
for i in range(40):
    write_deltalake(t, rows(20000, i * 20000), mode='append')
",
            )
        }))
    }

    /// Many files that a vacuum deletes, and few that stay: ids 0 to 299.
    pub fn littered(python: &Path) -> Table {
        static MADE: OnceLock<TempDir> = OnceLock::new();
        Self::copy_of(MADE.get_or_init(|| {
            make(
                python,
                "
for i in range(300):
    write_deltalake(t, rows(1, i), mode='append')
DeltaTable(t).optimize.compact()
",
            )
        }))
    }

    fn copy_of(made: &TempDir) -> Table {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("t");
        copy(&made.path().join("t"), &path);
        Table { _folder: folder, path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn at(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// A file beside the table.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }

    /// Every file of the table with its length.
    pub fn tree(&self) -> BTreeMap<PathBuf, u64> {
        let (mut folders, mut out) = (vec![self.path.clone()], BTreeMap::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                match entry.metadata() {
                    Ok(data) if data.is_dir() => folders.push(entry.path()),
                    Ok(data) => drop(out.insert(entry.path(), data.len())),
                    // Gone since.
                    Err(_) => {}
                }
            }
        }
        out
    }

    /// Data files.
    pub fn data_files(&self) -> Vec<PathBuf> {
        let is_data = |path: &PathBuf| {
            path.extension().is_some_and(|e| e == "parquet")
                && !path.starts_with(self.path.join("_delta_log"))
        };
        self.tree().into_keys().filter(is_data).collect()
    }

    pub fn commits(&self) -> usize {
        let log = fs::read_dir(self.path.join("_delta_log")).unwrap();
        log.flatten().filter(|e| e.path().extension().is_some_and(|e| e == "json")).count()
    }

    pub fn active(&self) -> usize {
        let detail = crate::support::headless::deltop(&["detail", self.at(), "--json"]).json();
        detail["numFiles"].as_u64().unwrap() as usize
    }
}

fn make(python: &Path, script: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    peer::run(python, &folder.path().join("t"), script);
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Waits until something holds; false if the process ended before.
#[track_caller]
pub fn wait_for(child: &mut Child, what: &str, mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return holds();
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::yield_now();
    }
}

/// The binary on a change that runs, quietly; killed if it is dropped.
pub struct Running(pub Child);

pub fn start(args: &[&str]) -> Running {
    start_with(args, |_| {})
}

pub fn start_with(args: &[&str], more: impl FnOnce(&mut Command)) -> Running {
    let mut command = command(&[args, &["--yes", "--allow-writes"]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    more(&mut command);
    Running(command.spawn().unwrap())
}

impl Running {
    pub fn end(&mut self) -> ExitStatus {
        self.0.wait().unwrap()
    }

    pub fn status(&mut self) -> i32 {
        self.end().code().unwrap_or(-1)
    }

    pub fn signal(&self, signal: i32) {
        // SAFETY: a plain system call on a process that this test started and has not yet waited for.
        unsafe { libc::kill(self.0.id() as i32, signal) };
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A change that stands still between staging and commit until it is let go.
pub struct Held {
    pub change: Running,
    gate: PathBuf,
}

impl Held {
    pub fn at_commit(table: &Table, args: &[&str]) -> Held {
        let gate = table.beside("gate");
        drop(fs::remove_file(&gate));
        let held = gate.with_extension("held");
        drop(fs::remove_file(&held));
        let mut change = start_with(args, |command| {
            command.env("DELTOP_TEST_HOLD", &gate);
        });
        assert!(wait_for(&mut change.0, "the change to be held", || held.exists()), "{args:?} ended early");
        Held { change, gate }
    }

    /// Lets it commit; its exit status.
    pub fn release(mut self) -> i32 {
        fs::write(&self.gate, "go").unwrap();
        self.change.status()
    }
}
