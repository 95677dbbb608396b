//! Where the demo may be written: a new folder, an empty one, or a demo of its own.

use std::fs;
use std::io;
use std::path::Path;

use crate::model::{Fault, FaultKind, Outcome};

/// The file that marks a folder as the demo's own.
pub const MARKER: &str = ".deltop-demo";

const MARKER_TEXT: &str = "This folder was made by `deltop demo`, which writes it anew when it runs again.\n";

/// Makes the folder ready: creates it, or removes an earlier demo's `parts` (nothing else) from it.
pub fn prepare(dir: &Path, parts: &[&str]) -> Outcome<()> {
    let marker = dir.join(MARKER);
    let is_own = marker.is_file();
    match fs::read_dir(dir) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(dir).map_err(|e| failed(dir, e))?
        }
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => {
            return Err(refused(dir, "It is a file, not a folder"));
        }
        Err(e) => return Err(failed(dir, e)),
        Ok(mut entries) => {
            if !is_own && entries.next().is_some() {
                return Err(refused(dir, "The folder holds files that are not an earlier demo's"));
            }
        }
    }
    fs::write(&marker, MARKER_TEXT).map_err(|e| failed(&marker, e))?;
    for part in parts {
        let part = dir.join(part);
        match fs::remove_dir_all(&part) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(&part, e)),
            _ => {}
        }
    }
    Ok(())
}

fn refused(dir: &Path, cause: &str) -> Fault {
    Fault::refused("folder-not-empty", format!("Cannot make the demo in {}", dir.display()))
        .because(cause)
        .hint("Name a new or an empty folder: deltop demo --dir FOLDER")
}

/// What to say when the disk does not take the demo.
pub fn failed(path: &Path, cause: io::Error) -> Fault {
    Fault::new(FaultKind::Change, "cannot-write", format!("Cannot write {}", path.display()))
        .because(cause)
        .hint("Name a folder that you may write to: deltop demo --dir FOLDER")
}
