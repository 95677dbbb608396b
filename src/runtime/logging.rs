//! The log file: the terminal is the screen's, so nothing else writes there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

use directories::ProjectDirs;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::SubscriberInitExt;

use crate::lake::place::StorageOptions;

use super::settings::{LogLevel, Settings};

/// Wins over the configured level: a level for deltop itself, or filter directives such as
/// `warn,deltop::lake=trace`.
pub const LOG_VARIABLE: &str = "DELTOP_LOG";

/// The file is put aside as `deltop.log.1` when it would outgrow this, bytes.
const MOST: u64 = 4 << 20;

static FILE: OnceLock<PathBuf> = OnceLock::new();
static SECRETS: RwLock<Vec<String>> = RwLock::new(Vec::new());

/// The program's own folders; none without a home folder.
pub(super) fn folders() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "deltop")
}

/// Where the program keeps what it must remember, such as the journal of staged files; none without
/// a home folder.
pub fn data_folder() -> Option<PathBuf> {
    folders().map(|f| f.data_dir().to_owned())
}

/// Opens the log file. The program works the same without one, so failures are passed over.
pub fn init(settings: &Settings) {
    let Some(filter) = filter(std::env::var(LOG_VARIABLE).ok().as_deref(), settings.log_level) else {
        return;
    };
    let Some(path) = folders().map(|f| f.state_dir().unwrap_or(f.cache_dir()).join("deltop.log")) else {
        return;
    };
    for location in settings.locations.values() {
        redact(&location.options);
    }
    let Ok(writer) = LogFile::open(&path, MOST) else { return };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_thread_names(true)
        .with_writer(Mutex::new(writer))
        .finish();
    if subscriber.try_init().is_ok() {
        drop(FILE.set(path));
        tracing::info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), "start");
    }
}

/// The log file, if one is written.
pub fn file() -> Option<PathBuf> {
    FILE.get().cloned()
}

/// Values of these options that may be secret are blotted out of the log from now on.
pub fn redact(options: &StorageOptions) {
    let secret = options.iter().filter(|(key, value)| is_secret(key) && !value.is_empty());
    let mut secrets = SECRETS.write().unwrap_or_else(PoisonError::into_inner);
    secrets.extend(secret.map(|(_, value)| value.clone()));
    // A value that is part of another would leave the rest of that one readable.
    secrets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    secrets.dedup();
}

/// Whether a storage option's value is a credential, by its name.
pub(super) fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["key", "secret", "token", "password", "sas", "signature", "credential"].iter().any(|w| key.contains(w))
}

/// None if nothing shall be logged. Libraries are heard from `warn` up unless directives say more.
fn filter(variable: Option<&str>, level: LogLevel) -> Option<EnvFilter> {
    let variable = variable.map(str::trim).filter(|v| !v.is_empty());
    let for_deltop = |level: &str| EnvFilter::try_new(format!("warn,deltop={level}")).ok();
    let configured = match level {
        LogLevel::Off => None,
        LogLevel::Error => Some("error"),
        LogLevel::Warn => Some("warn"),
        LogLevel::Info => Some("info"),
        LogLevel::Debug => Some("debug"),
        LogLevel::Trace => Some("trace"),
    };
    match variable.map(str::to_ascii_lowercase).as_deref() {
        Some("off") => None,
        Some(level @ ("error" | "warn" | "info" | "debug" | "trace")) => for_deltop(level),
        Some(directives) => EnvFilter::try_new(directives).ok().or_else(|| for_deltop(configured?)),
        None => for_deltop(configured?),
    }
}

/// A file that starts anew when it is full, keeping its predecessor.
struct LogFile {
    path: PathBuf,
    file: File,
    length: u64,
    most: u64,
}

impl LogFile {
    fn open(path: &Path, most: u64) -> io::Result<LogFile> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        {
            // Table names and paths are nobody else's business.
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(path)?;
        let length = file.metadata()?.len();
        Ok(LogFile { path: path.to_owned(), file, length, most })
    }
}

impl Write for LogFile {
    /// Gets one whole line at a time.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.length > 0 && self.length + line.len() as u64 > self.most {
            fs::rename(&self.path, self.path.with_extension("log.1"))?;
            *self = LogFile::open(&self.path, self.most)?;
        }
        let text = blot(line);
        self.file.write_all(text.as_deref().unwrap_or(line))?;
        self.length += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The line without secrets; none if it holds none.
fn blot(line: &[u8]) -> Option<Vec<u8>> {
    let secrets = SECRETS.read().unwrap_or_else(PoisonError::into_inner);
    let text = std::str::from_utf8(line).ok()?;
    let held: Vec<&String> = secrets.iter().filter(|s| text.contains(s.as_str())).collect();
    if held.is_empty() {
        return None;
    }
    let blotted = held.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "[hidden]"));
    Some(blotted.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_blotted_out_and_full_files_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("deltop.log");
        let options = [("aws_secret_access_key", "abc/123+xyz"), ("aws_region", "eu-central-1")];
        redact(&options.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec());
        let mut log = LogFile::open(&path, 100).unwrap();
        log.write_all(b"key abc/123+xyz in eu-central-1\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "key [hidden] in eu-central-1\n");
        log.write_all(&[b'x'; 90]).unwrap();
        assert_eq!(fs::read(&path).unwrap().len(), 90);
        let aside = fs::read_to_string(path.with_extension("log.1")).unwrap();
        assert!(aside.starts_with("key [hidden]"));
    }

    #[test]
    fn the_variable_wins_over_the_setting() {
        let of = |variable, level| filter(variable, level).map(|f| f.to_string());
        let has = |filter: Option<String>, directive: &str| filter.is_some_and(|f| f.contains(directive));
        assert_eq!(of(None, LogLevel::Off), None);
        assert_eq!(of(Some("off"), LogLevel::Info), None);
        assert!(has(of(None, LogLevel::Info), "deltop=info"));
        assert!(has(of(Some("debug"), LogLevel::Off), "deltop=debug"));
        assert!(has(of(Some("deltop::lake=trace"), LogLevel::Info), "deltop::lake=trace"));
    }
}
