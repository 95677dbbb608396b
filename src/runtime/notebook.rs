//! What the SQL console keeps between sessions, in files of the data folder: the queries that were
//! run, those that were saved, the texts that were not finished. Losing one is no failure of what the
//! person does, so faults only go to the log.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::msg::Keepsake;
use crate::app::pane::sql::queries::{KEPT, Notebook};

const HISTORY: &str = "sql-history.jsonl";
const SAVED: &str = "sql-saved.json";
const DRAFTS: &str = "sql-drafts.json";

/// Where the files are; none without a home folder.
pub fn folder() -> Option<PathBuf> {
    super::logging::folders().map(|folders| folders.data_dir().to_owned())
}

/// What earlier sessions kept; what cannot be read is not there.
pub fn read(folder: &Path) -> Notebook {
    let text = |name| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let mut notebook = Notebook {
        saved: serde_json::from_str(&text(SAVED)).unwrap_or_default(),
        drafts: serde_json::from_str(&text(DRAFTS)).unwrap_or_default(),
        ..Notebook::default()
    };
    let lines = text(HISTORY);
    lines
        .lines()
        .filter_map(|line| serde_json::from_str::<String>(line).ok())
        .for_each(|query| notebook.ran(&query));
    notebook
}

/// Keeps one thing. Sessions at the same time share the history: each adds its lines to it.
pub fn keep(folder: &Path, what: &Keepsake) {
    let kept = fs::create_dir_all(folder).and_then(|()| match what {
        Keepsake::Ran(text) => append(&folder.join(HISTORY), text),
        Keepsake::Saved(all) => replace(&folder.join(SAVED), &serde_json::to_vec_pretty(all)?),
        Keepsake::Draft { location, text } => draft(&folder.join(DRAFTS), location, text),
    });
    if let Err(e) = kept {
        tracing::warn!("the query notebook cannot be written: {e}");
    }
}

/// A file of twice as many queries as are kept is cut down to those.
fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut line = serde_json::to_string(text)?;
    line.push('\n');
    let all = fs::read_to_string(path).unwrap_or_default();
    let lines = all.lines().count();
    if lines > 2 * KEPT {
        let newest: Vec<&str> = all.lines().skip(lines - KEPT).collect();
        return replace(path, format!("{}\n{line}", newest.join("\n")).as_bytes());
    }
    fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}

fn draft(path: &Path, location: &str, text: &str) -> io::Result<()> {
    let all = fs::read_to_string(path).unwrap_or_default();
    let mut all: BTreeMap<String, String> = serde_json::from_str(&all).unwrap_or_default();
    if text.trim().is_empty() {
        all.remove(location);
    } else {
        all.insert(location.to_owned(), text.to_owned());
    }
    replace(path, &serde_json::to_vec_pretty(&all)?)
}

/// Never half of it: a new file takes the place of the old one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension(format!("new-{}", std::process::id()));
    fs::write(&new, bytes)?;
    fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("data");
        assert_eq!(read(&folder), Notebook::default());
        for text in ["select 1", "select\n'ü'", "select 1"] {
            keep(&folder, &Keepsake::Ran(text.into()));
        }
        keep(&folder, &Keepsake::Saved(vec!["select 2".into()]));
        let draft = |text: &str| Keepsake::Draft { location: "/a".into(), text: text.into() };
        keep(&folder, &draft("sel"));
        let notebook = read(&folder);
        assert_eq!(notebook.history, ["select\n'ü'", "select 1"]);
        assert_eq!(notebook.saved, ["select 2"]);
        assert_eq!(notebook.drafts["/a"], "sel");
        keep(&folder, &draft(" "));
        assert!(read(&folder).drafts.is_empty());
        fs::write(folder.join(SAVED), "{").unwrap();
        assert!(read(&folder).saved.is_empty());
    }
}
