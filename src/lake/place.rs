//! Locations: from what a person types to an object store and a root in it.

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;
use url::Url;

use crate::model::Outcome;

/// Storage options (`--option k=v`), as delta-rs's stores take them.
pub type StorageOptions = Vec<(String, String)>;

/// A resolved location. Nothing was read yet, so it may not exist.
#[derive(Clone)]
pub struct Place {
    /// The store; paths in it are relative to `root`'s parent as object stores have them.
    pub store: Arc<dyn ObjectStore>,
    /// The location's own path in `store`; empty if `store` already starts there.
    pub root: Path,
    /// With a trailing slash. May hold credentials: never shown, see `display`.
    pub url: Url,
    /// For people: a local path as such, else the URL without credentials and query.
    pub display: String,
    /// The last part of the path.
    pub name: String,
    pub options: StorageOptions,
}

impl Place {
    /// Resolves a path, `file://`, `s3://`, `abfss://`/`az://`, `gs://` URL. Creates nothing.
    pub fn parse(_location: &str, _options: &StorageOptions) -> Outcome<Place> {
        todo!()
    }

    /// A place below this one. `relative` is a decoded path.
    pub fn child(&self, _relative: &str) -> Place {
        todo!()
    }
}
