//! From a path in the log to an object in a store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use object_store::ObjectStore;
use object_store::path::Path;

use crate::lake::place::Place;
use crate::model::{Fault, Outcome};

/// Finds data files of one table. Shallow clones name files of other tables by absolute URIs
/// (Delta protocol, "Add File and Remove File": the path is relative, or an absolute URI).
pub struct Locator<'a> {
    place: &'a Place,
    /// Other stores that absolute paths lead to, opened once each; by scheme and host.
    others: Mutex<HashMap<String, Outcome<Base>>>,
}

/// A store, and what stands before its paths in a URI of its host.
#[derive(Clone)]
struct Base {
    store: Arc<dyn ObjectStore>,
    prefix: String,
}

impl<'a> Locator<'a> {
    pub fn new(place: &'a Place) -> Self {
        Locator { place, others: Mutex::default() }
    }

    /// `path` as in the log, decoded. Faults: `bad-path`, and those of opening another store.
    pub fn locate(&self, path: &str) -> Outcome<(Arc<dyn ObjectStore>, Path)> {
        let Some((scheme, host, rest)) = absolute(path) else {
            let root = self.place.root.as_ref();
            let full = if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
            return Ok((self.place.store.clone(), parse(path, &full)?));
        };
        let own_host = self.place.url.host_str().unwrap_or_default();
        let own_user = self.place.url.username();
        let own = if own_user.is_empty() { own_host.to_owned() } else { format!("{own_user}@{own_host}") };
        let same = scheme.is_empty() || (family(scheme) == family(self.place.url.scheme()) && host == own);
        let base = if same { Ok(base(self.place)) } else { self.other(scheme, host, path) }?;
        match rest.strip_prefix(base.prefix.as_str()) {
            Some(inner) => Ok((base.store, parse(path, inner)?)),
            None => Err(bad_path(path, "it lies in another container of the store")),
        }
    }

    fn other(&self, scheme: &str, host: &str, path: &str) -> Outcome<Base> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || Place::parse(path, &self.place.options).map(|place| base(&place));
        if scheme == "file" {
            // A local path that does not exist is no place; that says nothing of the next one.
            return open();
        }
        others.entry(format!("{scheme}://{host}")).or_insert_with(open).clone()
    }
}

fn base(place: &Place) -> Base {
    let path = percent_encoding::percent_decode_str(place.url.path()).decode_utf8_lossy();
    let path = path.trim_matches('/');
    let prefix = path.strip_suffix(place.root.as_ref()).unwrap_or_default();
    Base { store: place.store.clone(), prefix: prefix.to_owned() }
}

/// Scheme, host and path of an absolute URI: `s3://host/path`, Hadoop's `file:/path`, and `/path` on
/// the table's own host (empty scheme). None for a relative path.
fn absolute(path: &str) -> Option<(&str, &str, &str)> {
    if let Some(rest) = path.strip_prefix('/') {
        return Some(("", "", rest));
    }
    let (scheme, rest) = path.split_once(":/")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(is_scheme) {
        return None;
    }
    match rest.strip_prefix('/') {
        Some(authority) => {
            let (host, rest) = authority.split_once('/').unwrap_or((authority, ""));
            Some((scheme, host, rest))
        }
        None => Some((scheme, "", rest)),
    }
}

/// Schemes that name the same stores.
fn family(scheme: &str) -> &str {
    match scheme {
        "s3a" | "s3n" => "s3",
        "abfss" | "abfs" | "az" | "adl" | "azure" => "abfss",
        "gcs" => "gs",
        other => other,
    }
}

fn parse(shown: &str, path: &str) -> Outcome<Path> {
    Path::parse(path).map_err(|e| bad_path(shown, &e.to_string()))
}

fn bad_path(shown: &str, why: &str) -> Fault {
    Fault::read("bad-path", format!("{shown} is not a path that this store can have")).because(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(url: &str, root: &str) -> Place {
        Place {
            store: Arc::new(object_store::memory::InMemory::new()),
            root: Path::parse(root).unwrap(),
            url: url::Url::parse(url).unwrap(),
            display: url.to_owned(),
            name: "t".to_owned(),
            options: Vec::new(),
        }
    }

    fn at(url: &str, root: &str, path: &str) -> Result<String, &'static str> {
        let place = place(url, root);
        let found = Locator::new(&place).locate(path);
        found.map(|(_, at)| at.to_string()).map_err(|f| f.code)
    }

    #[test]
    fn relative_paths_are_taken_as_they_are() {
        let (url, root) = ("s3://b/lake/t/", "lake/t");
        assert_eq!(at(url, root, "p=a%20b/x y#1.parquet").unwrap(), "lake/t/p=a%20b/x y#1.parquet");
        assert_eq!(at("s3://b/", "", "x.parquet").unwrap(), "x.parquet");
        assert_eq!(at(url, root, "p=10:/x.parquet").unwrap(), "lake/t/p=10:/x.parquet");
        assert_eq!(at(url, root, "../other/x.parquet"), Err("bad-path"));
        assert_eq!(at(url, root, "a//x.parquet"), Err("bad-path"));
    }

    #[test]
    fn absolute_paths_lead_out_of_the_table() {
        assert_eq!(at("s3://b/lake/t/", "lake/t", "s3a://b/src/x y.parquet").unwrap(), "src/x y.parquet");
        assert_eq!(
            at("file:///data/my%20t/", "data/my t", "file:///data/src%20/x.parquet").unwrap(),
            "data/src%20/x.parquet"
        );
        assert_eq!(
            at("file:///data/t/", "data/t", "file:/data/src/x.parquet").unwrap(),
            "data/src/x.parquet"
        );
        assert_eq!(at("file:///data/t/", "data/t", "/data/src/x.parquet").unwrap(), "data/src/x.parquet");
        let (url, root) = ("abfss://c@acc.dfs.core.windows.net/lake/t/", "lake/t");
        assert_eq!(at(url, root, "abfss://c@acc.dfs.core.windows.net/s/x.parquet").unwrap(), "s/x.parquet");
        let (url, root) = ("https://acc.blob.core.windows.net/c/lake/t/", "lake/t");
        assert_eq!(at(url, root, "https://acc.blob.core.windows.net/c/s/x.parquet").unwrap(), "s/x.parquet");
        assert_eq!(at(url, root, "https://acc.blob.core.windows.net/d/x.parquet"), Err("bad-path"));
    }
}
