//! Which data files are there, by one listing of the table's folder.

use std::collections::HashSet;
use std::sync::Arc;

use futures::StreamExt;
use object_store::path::Path;
use rustc_hash::FxBuildHasher;

use super::footer::Locator;
use super::log::store;
use super::place::Place;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::progress::Progress;

/// The objects below a table's folder, its log apart.
pub struct Present<'a> {
    place: &'a Place,
    locator: Locator<'a>,
    paths: HashSet<Path, FxBuildHasher>,
}

impl<'a> Present<'a> {
    /// Lists the folder. Faults: those of the store.
    pub async fn list(place: &'a Place, watch: &Watch) -> Outcome<Present<'a>> {
        let log = place.root.clone().join("_delta_log");
        let mut paths = HashSet::default();
        let mut objects = place.store.list(Some(&place.root));
        while let Some(object) = store::cancellable(watch, objects.next()).await? {
            let object = object.map_err(|e| store::fault(&place.root, e))?;
            if object.location.prefix_matches(&log) {
                continue;
            }
            paths.insert(object.location);
            if paths.len() % 1000 == 0 {
                watch.progress(Progress::new("listing data files", paths.len() as u64, None, "files"));
            }
        }
        Ok(Present { place, locator: Locator::new(place), paths })
    }

    /// Whether the file is there; none if it lies elsewhere (a shallow clone's), or nowhere that a
    /// store could tell. `path` as in the log, decoded.
    pub fn has(&self, path: &str) -> Option<bool> {
        let (store, path) = self.locator.locate(path).ok()?;
        let own = Arc::ptr_eq(&store, &self.place.store) && path.prefix_matches(&self.place.root);
        own.then(|| self.paths.contains(&path))
    }
}
