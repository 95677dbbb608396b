//! Everything in a table's folder, as a vacuum must know it: files of any kind, and symbolic links,
//! which are named but never followed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path as FsPath, PathBuf};
use std::time::UNIX_EPOCH;

use futures::StreamExt;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt};

use super::log::store;
use super::place::{Place, below};
use super::watch::Watch;
use crate::model::plan::vacuum::Listed;
use crate::model::progress::Progress;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

const LOG: &str = "_delta_log";
/// Requests under way at once.
const AT_ONCE: usize = 64;

/// Lists the folder with all below it; the table's own log is left out. Of a nested table's log the
/// folder's name is told, even if it is empty.
///
/// Faults: those of the store; a folder that cannot be looked into.
pub async fn list(place: &Place, watch: &Watch) -> Outcome<Vec<Listed>> {
    if place.is_local()
        && let Ok(root) = place.url.to_file_path()
    {
        let watch = watch.clone();
        return store::blocking(move || Walk::through(root, &watch)).await?;
    }
    let mut out = Vec::new();
    let mut objects = place.store.list(Some(&place.root));
    while let Some(object) = store::cancellable(watch, objects.next()).await? {
        let object = object.map_err(|e| store::fault(&place.root, e))?;
        out.extend(listed(place, &object).filter(|f| !is_own_log(&f.path)));
        report(watch, out.len());
    }
    Ok(out)
}

/// Looks for single files in an object store, where that takes less than listing; others as [`list`].
pub async fn look_for(place: &Place, paths: &BTreeSet<String>, watch: &Watch) -> Outcome<Vec<Listed>> {
    // A page of a listing has a thousand objects, and a table usually more pages than one.
    const FEW: usize = 2000;
    if place.is_local() || paths.len() > FEW {
        return list(place, watch).await;
    }
    let found: Vec<_> = paths.iter().map(|path| look_at(place.clone(), below(&place.root, path))).collect();
    let mut found = futures::stream::iter(found).buffer_unordered(AT_ONCE);
    let mut out = Vec::new();
    while let Some(one) = store::cancellable(watch, found.next()).await? {
        out.extend(one?);
        report(watch, out.len());
    }
    Ok(out)
}

/// None if it is not there.
async fn look_at(place: Place, at: Path) -> Outcome<Option<Listed>> {
    match place.store.head(&at).await {
        Ok(object) => Ok(listed(&place, &object)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(e) => Err(store::fault(&at, e)),
    }
}

fn report(watch: &Watch, files: usize) {
    if files.is_multiple_of(1000) {
        watch.progress(Progress::new("listing files", files as u64, None, "files"));
    }
}

fn is_own_log(path: &str) -> bool {
    path.strip_prefix(LOG).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An object's path relative to the table.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Vec<String> = path.prefix_match(root)?.map(|p| p.as_ref().to_owned()).collect();
    Some(parts.join("/"))
}

fn listed(place: &Place, object: &ObjectMeta) -> Option<Listed> {
    Some(Listed {
        path: relative(&place.root, &object.location)?,
        size: object.size,
        modified: object.last_modified.timestamp_millis(),
        is_link: false,
    })
}

/// A walk through a folder of this machine.
struct Walk<'a> {
    root: PathBuf,
    watch: &'a Watch,
    out: Vec<Listed>,
    /// Where links within the folder lead to within it, relative.
    targets: Vec<String>,
}

impl Walk<'_> {
    fn through(root: PathBuf, watch: &Watch) -> Outcome<Vec<Listed>> {
        let mut walk = Walk { root, watch, out: Vec::new(), targets: Vec::new() };
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            walk.watch.check()?;
            walk.folder(&folder, &mut folders)?;
        }
        // What a link leads to is as good as the link: it may be in use by the link's name.
        for file in &mut walk.out {
            let is_target = |t: &String| {
                file.path
                    .strip_prefix(t.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            file.is_link |= walk.targets.iter().any(is_target);
        }
        Ok(walk.out)
    }

    fn folder(&mut self, folder: &str, folders: &mut Vec<String>) -> Outcome<()> {
        let at = self.root.join(folder);
        let entries = match fs::read_dir(&at) {
            Ok(entries) => entries,
            // Gone since its own folder was read.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && !folder.is_empty() => return Ok(()),
            Err(e) => return Err(cannot_list(&at, &e)),
        };
        for entry in entries {
            let entry = entry.map_err(|e| cannot_list(&at, &e))?;
            // No path of a log is like that.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if is_own_log(&path) {
                continue;
            }
            // Of the entry itself, not of what a link leads to.
            let data = match entry.metadata() {
                Ok(data) => data,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(cannot_list(&entry.path(), &e)),
            };
            if data.is_dir() && name != LOG {
                folders.push(path);
                continue;
            }
            if data.is_symlink() {
                self.follow_no_further(&entry.path());
            }
            let (size, modified) = (data.len(), modified(&data));
            self.out.push(Listed { path, size, modified, is_link: data.is_symlink() });
            report(self.watch, self.out.len());
        }
        Ok(())
    }

    fn follow_no_further(&mut self, link: &FsPath) {
        let target = fs::canonicalize(link).ok();
        let inside = target.as_deref().and_then(|t| t.strip_prefix(&self.root).ok());
        self.targets.extend(inside.and_then(FsPath::to_str).map(str::to_owned));
    }
}

/// A time that cannot be told is the newest.
fn modified(data: &fs::Metadata) -> Millis {
    let since = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|d| Millis::try_from(d.as_millis()).ok()).unwrap_or(Millis::MAX)
}

fn cannot_list(path: &FsPath, error: &std::io::Error) -> Fault {
    Fault::read("unreadable", format!("{} cannot be listed", path.display()))
        .because(error)
        .hint("Check the rights on the table's folders")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(listing: &[Listed]) -> Vec<(&str, bool)> {
        let mut names: Vec<_> = listing.iter().map(|f| (f.path.as_str(), f.is_link)).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn links_are_named_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let outside = tempfile::tempdir().unwrap();
        for folder in ["_delta_log", "p=a%20b", "kept/deep", "sub/_delta_log"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["_delta_log/0.json", "p=a%20b/x#1.parquet", "kept/deep/y.parquet", "keptelse.parquet"] {
            fs::write(root.join(file), "12345").unwrap();
        }
        fs::write(outside.path().join("far.parquet"), "").unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("far")).unwrap();
        std::os::unix::fs::symlink("kept", root.join("near")).unwrap();
        let listing = Walk::through(root, &Watch::default()).unwrap();
        assert_eq!(
            names(&listing),
            [
                ("far", true),
                ("kept/deep/y.parquet", true),
                ("keptelse.parquet", false),
                ("near", true),
                ("p=a%20b/x#1.parquet", false),
                ("sub/_delta_log", false),
            ]
        );
    }
}
