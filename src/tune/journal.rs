//! The journal: which files a change has staged, written before the files themselves, in the
//! program's own data folder (safety contract, point 7).
//!
//! A journal's owner holds a lock on it as long as the process lives, however it ends; so whoever
//! gets the lock knows that the owner is gone.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::lake::place::Place;

/// What the first line says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The table, see [`table_key`].
    pub table: String,
    /// The table's id, so that another table at the same place is not taken for it.
    pub table_id: String,
    /// No version up to this one refers to a file in this journal.
    pub version: u64,
    /// The change's task id, as its commits have it.
    pub task: String,
}

/// What a journal calls a table: the same however its location was typed, without credentials.
pub fn table_key(place: &Place) -> String {
    if place.is_local() { place.url.to_string() } else { place.display.clone() }
}

/// A journal that this process owns. Dropped without [`Journal::close`], it stays behind.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Starts a journal in the folder.
    pub fn start(data_folder: &Path, header: &Header) -> io::Result<Journal> {
        let folder = folder(data_folder);
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}.ndjson", header.task));
        let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
        // Where locks do not exist, nobody can ever tell that the owner is gone: the files are
        // kept and listed.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("the journal is in use")),
            Err(TryLockError::Error(_)) => {}
        }
        let mut journal = Journal { path, file };
        journal.line(&serde_json::to_string(header)?)?;
        Ok(journal)
    }

    /// Notes paths in the table, decoded, that are about to be written.
    pub fn stage(&mut self, paths: &[String]) -> io::Result<()> {
        let lines: Vec<String> =
            paths.iter().map(|p| serde_json::json!({ "staged": p }).to_string()).collect();
        if lines.is_empty() { Ok(()) } else { self.line(&lines.join("\n")) }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }

    /// Removes the journal: every staged file was committed or removed.
    pub fn close(self) {
        // What stays behind is looked at by the next clean-up, which finds nothing to do.
        drop(fs::remove_file(&self.path));
    }
}

/// A journal that was left behind.
#[derive(Debug)]
pub struct Left {
    pub header: Header,
    /// Paths in the table, decoded.
    pub staged: Vec<String>,
    /// Its owner still runs, or nobody can tell.
    pub in_use: bool,
    journal: Journal,
}

impl Left {
    pub fn close(self) {
        self.journal.close();
    }
}

/// The journals in the folder that are about this table; those that cannot be read are left alone.
pub fn of_table(data_folder: &Path, table: &str) -> Vec<Left> {
    let entries = fs::read_dir(folder(data_folder)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ndjson"));
    paths.sort();
    paths.into_iter().filter_map(|path| read(path, table)).collect()
}

fn read(path: PathBuf, table: &str) -> Option<Left> {
    #[derive(Deserialize)]
    struct Line {
        staged: String,
    }
    let file = OpenOptions::new().read(true).append(true).open(&path).ok()?;
    let text = fs::read_to_string(&path).ok()?;
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next()?).ok()?;
    if header.table != table {
        return None;
    }
    let in_use = file.try_lock().is_err();
    // A line that was cut off names a file that was never begun.
    let staged = lines.filter_map(|l| serde_json::from_str::<Line>(l).ok()).map(|l| l.staged).collect();
    Some(Left { header, staged, in_use, journal: Journal { path, file } })
}

fn folder(data_folder: &Path) -> PathBuf {
    data_folder.join("journal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_outlives_its_owner_and_tells_whether_he_lives() {
        let dir = tempfile::tempdir().unwrap();
        let header = Header { table: "/t".into(), table_id: "i".into(), version: 3, task: "x".into() };
        let mut journal = Journal::start(dir.path(), &header).unwrap();
        journal.stage(&["a b.parquet".into(), "c".into()]).unwrap();
        let seen = of_table(dir.path(), "/t");
        assert!(seen[0].in_use && seen[0].header == header);
        drop(seen);
        assert!(of_table(dir.path(), "/other").is_empty());
        drop(journal);
        let left = of_table(dir.path(), "/t").pop().unwrap();
        assert!(!left.in_use);
        assert_eq!(left.staged, ["a b.parquet", "c"]);
        left.close();
        assert!(of_table(dir.path(), "/t").is_empty());
    }
}
