//! The table's own files, by whatever name the log has them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::folder;
use super::footer::Locator;
use super::log::Traces;
use super::place::Place;
use crate::model::files::FileList;

/// Marks a file as used. An absolute path that is not known to lie in the table may still do so by
/// another name of it (a link, another spelling of the store): whatever it ends like is used too.
fn protect(in_use: &mut FxHashSet<String>, path: String) {
    if path.starts_with('/') || path.contains("://") {
        let ends = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
        in_use.extend(ends.filter(|end| !end.is_empty()).map(str::to_owned));
    }
    in_use.insert(path);
}

/// A file URL's path on this machine.
fn bare(path: &str) -> Option<String> {
    let rest = path.strip_prefix("file:").filter(|rest| rest.starts_with('/'))?;
    Some(format!("/{}", rest.trim_start_matches('/')))
}

/// Recognises the table's own files in absolute paths.
pub struct OwnPaths<'a> {
    place: &'a Place,
    locator: Locator<'a>,
}

impl<'a> OwnPaths<'a> {
    pub fn of(place: &'a Place) -> Self {
        OwnPaths { place, locator: Locator::new(place) }
    }

    /// Relative to the table where that is so.
    pub fn path(&self, path: &str) -> String {
        if !path.starts_with('/') && !path.contains(":/") {
            return path.to_owned();
        }
        match self.locator.locate(path) {
            Ok((store, at)) if Arc::ptr_eq(&store, &self.place.store) => {
                let own = folder::relative(&self.place.root, &at);
                own.or_else(|| bare(path)).unwrap_or_else(|| path.to_owned())
            }
            _ => bare(path).unwrap_or_else(|| path.to_owned()),
        }
    }

    /// Paths of active files and of their deletion vectors.
    pub fn in_use(&self, files: &FileList) -> FxHashSet<String> {
        let mut in_use = FxHashSet::default();
        for file in files.iter() {
            let vector = file.deletion_vector.and_then(|v| v.file());
            for path in std::iter::once(file.path).chain(vector.as_deref()) {
                protect(&mut in_use, self.path(path));
            }
        }
        in_use
    }

    /// What the log knows of removed files, by the same names.
    pub fn traces(&self, mut traces: Traces) -> Traces {
        for tombstone in &mut traces.tombstones {
            tombstone.path = self.path(&tombstone.path);
            tombstone.vector_file = tombstone.vector_file.as_deref().map(|v| self.path(v));
        }
        for change in &mut traces.change_files {
            change.path = self.path(&change.path);
        }
        traces.once_referenced = traces.once_referenced.iter().map(|p| self.path(p)).collect();
        traces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_recognised() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::parse(&dir.path().display().to_string(), &Vec::new()).unwrap();
        let root = dir.path().canonicalize().unwrap().display().to_string();
        let own = OwnPaths::of(&place);
        assert_eq!(own.path(&format!("{root}/p=1/a b.parquet")), "p=1/a b.parquet");
        assert_eq!(own.path(&format!("file://{root}/x.parquet")), "x.parquet");
        assert_eq!(own.path(&format!("file:{root}/x.parquet")), "x.parquet");
        assert_eq!(own.path("file:/elsewhere/x.parquet"), "/elsewhere/x.parquet");
        assert_eq!(own.path("p=a:b/x.parquet"), "p=a:b/x.parquet");
        let mut in_use = FxHashSet::default();
        protect(&mut in_use, "/mnt/alias/table/p=1/x.parquet".into());
        assert!(in_use.contains("p=1/x.parquet") && in_use.contains("x.parquet"));
    }
}
