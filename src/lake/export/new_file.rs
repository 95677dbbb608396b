//! A file that appears under its name only when all of it is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::cannot_write;
use super::place::parent;
use crate::model::{Fault, Outcome};

/// Bytes that are gathered before they go to the disk.
const BUFFER: usize = 1 << 18;

/// Dropped before [`NewFile::keep`], nothing is left of it.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// None: its fate is settled.
    temporary: Option<PathBuf>,
    file: BufWriter<File>,
    bytes: u64,
    replace: bool,
}

impl NewFile {
    /// Begins the file, in the folder of the one that it will be.
    ///
    /// # Errors
    /// `file-exists` (refused) where there is something of that name and it is not to be replaced;
    /// `cannot-write`.
    pub fn create(path: &Path, replace: bool) -> Outcome<NewFile> {
        let there = path.symlink_metadata().ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(exists(path).because("a folder has that name").hint("Name another file"));
        }
        if there.is_some() && !replace {
            return Err(exists(path));
        }
        if there.is_some_and(|t| !t.is_file() && !t.is_symlink()) {
            return Err(exists(path).because("it is no file").hint("Name another file"));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = parent(path).join(format!(".{name}.{}.part", uuid::Uuid::new_v4().simple()));
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(|e| cannot_write(path, no_folder(&e, path)))?;
        Ok(NewFile {
            path: path.to_owned(),
            temporary: Some(temporary),
            file: BufWriter::with_capacity(BUFFER, file),
            bytes: 0,
            replace,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives the file its name. All of it is on the disk by then.
    pub fn keep(mut self) -> Outcome<()> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        written.map_err(|e| cannot_write(&self.path, e))?;
        let Some(temporary) = self.temporary.as_deref() else { return Ok(()) };
        if self.replace {
            fs::rename(temporary, &self.path).map_err(|e| cannot_write(&self.path, e))?;
        } else {
            put_once(temporary, &self.path)?;
        }
        self.temporary = None;
        Ok(())
    }
}

/// Gives a file its name unless something has that name by now. A link does so in one step; file
/// systems without links are looked at first.
fn put_once(temporary: &Path, path: &Path) -> Outcome<()> {
    match fs::hard_link(temporary, path) {
        Ok(()) => {
            // The name is there; a second name for the same file does no harm.
            drop(fs::remove_file(temporary));
            Ok(())
        }
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(exists(path)),
        Err(_) if path.symlink_metadata().is_ok() => Err(exists(path)),
        Err(_) => fs::rename(temporary, path).map_err(|e| cannot_write(path, e)),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            drop(fs::remove_file(temporary));
        }
    }
}

fn exists(path: &Path) -> Fault {
    Fault::refused("file-exists", format!("{} is there already", path.display()))
        .hint("Name another file, or say that it shall be replaced")
}

fn no_folder(error: &io::Error, path: &Path) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("there is no folder {}", parent(path).display()),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut all: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = NewFile::create(&path, false).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert!(names(folder.path()).is_empty());
        let mut file = NewFile::create(&path, false).unwrap();
        file.write_all(b"whole").unwrap();
        file.keep().unwrap();
        assert_eq!(names(folder.path()), ["a.csv"]);
        assert_eq!(fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn what_is_there_stays_unless_it_is_to_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let late = NewFile::create(&path, false).unwrap();
        fs::write(&path, "other").unwrap();
        assert_eq!(late.keep().unwrap_err().code, "file-exists");
        assert_eq!(NewFile::create(&path, false).unwrap_err().code, "file-exists");
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
        assert_eq!(names(folder.path()), ["a.csv"]);
        NewFile::create(&path, true).unwrap().keep().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        assert_eq!(NewFile::create(folder.path(), true).unwrap_err().code, "file-exists");
        #[cfg(unix)]
        assert!(NewFile::create(Path::new("/dev/null"), true).unwrap_err().cause.contains("no file"));
        let nowhere = NewFile::create(&folder.path().join("no/a.csv"), false).unwrap_err();
        assert!(nowhere.cause.contains("no folder"), "{nowhere}");
    }
}
