//! The folder of a new table: under another name until the table is whole.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::lake::export::cannot_write;
use crate::model::{Fault, Outcome};

/// Dropped before [`NewFolder::keep`], nothing is left of it.
#[derive(Debug)]
pub struct NewFolder {
    path: PathBuf,
    /// None: its fate is settled.
    temporary: Option<PathBuf>,
}

impl NewFolder {
    /// Begins the folder, beside the one that it will be.
    ///
    /// # Errors
    /// `folder-exists` (refused) where there is something of that name; `cannot-write`.
    pub fn create(path: &Path) -> Outcome<NewFolder> {
        if path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{}.part", uuid::Uuid::new_v4().simple()));
        fs::create_dir(&temporary).map_err(|e| {
            let parent = path.parent().unwrap_or(path).display();
            match e.kind() {
                io::ErrorKind::NotFound => cannot_write(path, format!("there is no folder {parent}")),
                _ => cannot_write(path, e),
            }
        })?;
        Ok(NewFolder { path: path.to_owned(), temporary: Some(temporary) })
    }

    /// Where the files go for now.
    pub fn path(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.path)
    }

    /// Writes the first version, then gives the folder its name.
    pub fn keep(mut self, version: &str) -> Outcome<()> {
        let log = self.path().join("_delta_log");
        let written = fs::create_dir(&log).and_then(|()| {
            let mut file = fs::File::create_new(log.join(format!("{:020}.json", 0)))?;
            file.write_all(version.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|e| cannot_write(&self.path, e))?;
        // An empty folder of that name would be replaced.
        if self.path.symlink_metadata().is_ok() {
            return Err(exists(&self.path));
        }
        fs::rename(self.path(), &self.path).map_err(|e| cannot_write(&self.path, e))?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            drop(fs::remove_dir_all(temporary));
        }
    }
}

fn exists(path: &Path) -> Fault {
    Fault::refused("folder-exists", format!("{} is there already", path.display()))
        .because("that name is taken, and a new table needs a folder of its own")
        .hint("Name a folder that does not exist yet")
}
