//! Runs the real binary without a terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use deltop::tune::demo;
use serde_json::Value;
use tempfile::TempDir;

/// What the binary gave.
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
    call: String,
}

/// A call of the binary that knows nothing of the user's own configuration and credentials.
pub fn command<S: AsRef<str>>(args: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deltop"));
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("home");
    command.args(args.iter().map(AsRef::as_ref)).stdin(Stdio::null());
    command.env("HOME", &nowhere).env("DELTOP_LOG", "off");
    let own =
        ["DELTOP_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "COLUMNS"];
    for name in own {
        command.env_remove(name);
    }
    for (name, _) in std::env::vars() {
        if name.starts_with("AWS_") || name.starts_with("AZURE_") || name.starts_with("GOOGLE_") {
            command.env_remove(name);
        }
    }
    command
}

pub fn deltop<S: AsRef<str>>(args: &[S]) -> Ran {
    finish(args, command(args).output().unwrap())
}

/// With a text on standard input.
pub fn deltop_reading<S: AsRef<str>>(args: &[S], input: &str) -> Ran {
    use std::io::Write;
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    finish(args, child.wait_with_output().unwrap())
}

fn finish<S: AsRef<str>>(args: &[S], output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        call: args.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" "),
    }
}

impl Ran {
    /// The answer of a call that went well.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.status, 0, "deltop {}\n{}{}", self.call, self.stdout, self.stderr);
        assert_eq!(self.stderr, "", "deltop {}", self.call);
        self.stdout
    }

    /// The JSON answer of a call that went well.
    #[track_caller]
    pub fn json(self) -> Value {
        let call = self.call.clone();
        let text = self.ok();
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("deltop {call}: {e}\n{text}"))
    }

    /// Exit status and code of a call with `--json` that failed, whose error has the agreed form.
    #[track_caller]
    pub fn error(&self) -> (i32, String) {
        assert_eq!(self.stderr, "", "deltop {}", self.call);
        let value: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("deltop {}: {e}\n{}", self.call, self.stdout));
        let keys: Vec<&str> = value["error"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["code", "message", "hint"], "deltop {}", self.call);
        let code = value["error"]["code"].as_str().unwrap();
        assert!(code.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{code:?} is not kebab-case");
        assert!(value["error"]["message"].as_str().is_some_and(|m| !m.is_empty() && !m.contains('\n')));
        (self.status, code.to_owned())
    }
}

/// A demo lakehouse of its own, removed at the end.
pub struct Demo(TempDir);

impl Demo {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        demo::make(folder.path()).unwrap();
        Demo(folder)
    }

    /// One for all tests that only read; it lives as long as one of them runs.
    pub fn shared() -> Arc<Demo> {
        use std::sync::{Mutex, PoisonError, Weak};
        static SHARED: Mutex<Weak<Demo>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let demo = Arc::new(Demo::new());
            *shared = Arc::downgrade(&demo);
            demo
        })
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// A part's path as an argument.
    pub fn part(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// The shared test tables; none in a checkout that stands alone.
pub fn shared_tables() -> Option<PathBuf> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tables");
    let found = tables.join("expected.json").is_file();
    if !found {
        println!("skipped: there are no shared tables at {}", tables.display());
    }
    found.then_some(tables)
}
