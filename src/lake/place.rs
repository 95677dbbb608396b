//! Locations: from what a person types to an object store and a root in it.

use std::path::{Path as FsPath, PathBuf};
use std::sync::Arc;

use deltalake::logstore::{StorageConfig, object_store_factories};
use object_store::ObjectStore;
use object_store::path::{Path, PathPart};
use url::Url;

use super::azure_url;
use super::log::store;
use super::watch::Watch;
use crate::model::{Fault, Outcome};

/// Storage options (`--option k=v`), as delta-rs's stores take them.
pub type StorageOptions = Vec<(String, String)>;

/// Set unless the user sets them: the stores' own defaults (10 tries over 180 s) would let a
/// screen wait for minutes on a host that does not answer.
const PATIENCE: [(&str, &str); 2] = [("max_retries", "3"), ("retry_timeout", "30s")];

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
    /// Resolves a path, `file://`, `s3://`, `abfss://`/`az://`, `gs://` URL, or the `https://` address
    /// of Azure storage or OneLake. Creates nothing.
    ///
    /// Faults: `not-found` for a local path that does not exist, `bad-location` for what is no
    /// location or names an unknown kind of store, `bad-storage-options`.
    pub fn parse(location: &str, options: &StorageOptions) -> Outcome<Place> {
        match Url::parse(location) {
            Ok(url) if url.scheme() == "file" => match url.to_file_path() {
                Ok(path) => local(&path, options),
                Err(()) => {
                    Err(bad_location(location, "a file URL must name an absolute path, without a host"))
                }
            },
            // A single letter is a drive on Windows; a name with a colon may still be a path.
            Ok(url) if url.scheme().len() > 1 && location.contains("://") => {
                remote(&azure_url::as_abfss(&url).unwrap_or(url), options)
            }
            _ if location.is_empty() => Err(bad_location(location, "the location is empty")),
            _ => local(&expand_home(location), options),
        }
    }

    /// As [`Place::parse`], on a thread of its own: setting up a store may ask a metadata service for
    /// credentials, which can take its time where there is none.
    ///
    /// Faults: those of [`Place::parse`]; cancelled.
    pub async fn resolve(location: &str, options: &StorageOptions, watch: &Watch) -> Outcome<Place> {
        let (location, options) = (location.to_owned(), options.clone());
        store::cancellable(watch, store::blocking(move || Place::parse(&location, &options))).await??
    }

    /// A place below this one. `relative` is a decoded path.
    pub fn child(&self, relative: &str) -> Place {
        let parts = relative.split('/').filter(|p| !p.is_empty() && *p != ".");
        let mut place = self.clone();
        if let Ok(mut segments) = place.url.path_segments_mut() {
            segments.pop_if_empty().extend(parts.clone()).push("");
        }
        place.root = below(&self.root, relative);
        for part in parts {
            if !place.display.ends_with('/') {
                place.display.push('/');
            }
            place.display.push_str(part);
            place.name = part.to_owned();
        }
        place
    }

    /// Whether the location is on this machine's file system.
    pub fn is_local(&self) -> bool {
        self.url.scheme() == "file"
    }
}

/// A name as it stands in the store. `PathPart::from` would percent-encode characters such as `%`
/// and `#`, and so name another object.
fn path_part(name: &str) -> PathPart<'_> {
    PathPart::parse(name).unwrap_or_else(|_| PathPart::from(name))
}

/// The path of `relative`, which is decoded, below `folder`.
pub fn below(folder: &Path, relative: &str) -> Path {
    let parts = relative.split('/').filter(|p| !p.is_empty() && *p != ".");
    parts.fold(folder.clone(), |path, part| path.join(path_part(part)))
}

fn bad_location(location: &str, why: &str) -> Fault {
    Fault::usage("bad-location", format!("\"{}\" is not a location", without_secrets(location)))
        .because(why)
        .hint("Give a path, or a URL such as s3://bucket/table, abfss://container@account.dfs.core.windows.net/table, gs://bucket/table")
}

/// `~` and `~/…` stand for the home folder, as in a shell.
fn expand_home(text: &str) -> PathBuf {
    let rest = match text.strip_prefix('~') {
        Some("") => "",
        Some(rest) => match rest.strip_prefix('/') {
            Some(rest) => rest,
            None => return text.into(),
        },
        None => return text.into(),
    };
    directories::BaseDirs::new().map_or_else(|| text.into(), |dirs| dirs.home_dir().join(rest))
}

fn local(path: &FsPath, options: &StorageOptions) -> Outcome<Place> {
    let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = std::fs::canonicalize(path).map_err(|e| missing(&shown, &e))?;
    let url = if real.is_dir() { Url::from_directory_path(&real) } else { Url::from_file_path(&real) }
        .map_err(|()| bad_location(&shown.to_string_lossy(), "the path cannot be written as a URL"))?;
    let (store, root) = open_store(&url, options)?;
    // The name is the one that was typed, even where it is a link to something else.
    let name = shown.file_name().or_else(|| real.file_name()).unwrap_or(shown.as_os_str());
    Ok(Place {
        store,
        root,
        url,
        name: name.to_string_lossy().into_owned(),
        display: without_dots(&shown).to_string_lossy().into_owned(),
        options: options.clone(),
    })
}

/// Without `.` parts and a trailing slash; `..` stays, since links make it mean more than text.
fn without_dots(path: &FsPath) -> PathBuf {
    path.components().collect()
}

fn missing(path: &FsPath, error: &std::io::Error) -> Fault {
    use std::io::ErrorKind;
    let (code, what) = match error.kind() {
        ErrorKind::PermissionDenied => ("permission-denied", "cannot be read"),
        ErrorKind::NotFound | ErrorKind::NotADirectory => ("not-found", "does not exist"),
        _ => ("unreadable", "cannot be read"),
    };
    let nearest = path.ancestors().skip(1).find(|p| p.is_dir());
    let fault = Fault::read(code, format!("{} {what}", path.display())).because(error);
    match nearest {
        Some(parent) if code == "not-found" => {
            fault.hint(format!("The nearest folder that exists is {}: run `deltop {0}`", parent.display()))
        }
        _ => fault.hint("Check the path and the rights on its folders"),
    }
}

fn remote(url: &Url, options: &StorageOptions) -> Outcome<Place> {
    let options: StorageOptions = {
        let set = |key: &str| options.iter().any(|(k, _)| k.eq_ignore_ascii_case(key));
        let more = PATIENCE.iter().filter(|(k, _)| !set(k)).map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        options.iter().cloned().chain(more).collect()
    };
    let mut url = url.clone();
    let trimmed = url.path().trim_end_matches('/').to_owned();
    url.set_path(&trimmed);
    let (store, root) = open_store(&url, &options)?;
    let name = root.filename().map(str::to_owned).or_else(|| url.host_str().map(str::to_owned));
    url.set_path(&format!("{trimmed}/"));
    Ok(Place {
        store,
        root,
        display: without_secrets(url.as_str()).trim_end_matches('/').to_owned(),
        name: name.unwrap_or_default(),
        url,
        options,
    })
}

/// The store whose root is the URL's host, and the path in it.
fn open_store(url: &Url, options: &StorageOptions) -> Outcome<(Arc<dyn ObjectStore>, Path)> {
    let factories = object_store_factories();
    let factory = Url::parse(&format!("{}://", url.scheme())).ok().and_then(|scheme| factories.get(&scheme));
    let Some(factory) = factory.map(|f| f.value().clone()) else {
        let why = format!("no store is known for \"{}://\"", url.scheme());
        return Err(bad_location(url.as_str(), &why));
    };
    let config = StorageConfig::parse_options(options.iter().cloned()).map_err(|e| bad_options(url, &e))?;
    factory.parse_url_opts(url, &config).map_err(|e| bad_options(url, &e))
}

fn bad_options(url: &Url, error: &deltalake::DeltaTableError) -> Fault {
    Fault::read("bad-storage-options", format!("Cannot set up access to {}", without_secrets(url.as_str())))
        .because(super::log::store::redact(&error.to_string()))
        .hint("Check the storage options (--option key=value) and the environment")
}

/// The location without user, password, query and fragment.
fn without_secrets(location: &str) -> String {
    let Ok(mut url) = Url::parse(location) else {
        return location.split(['?', '#']).next().unwrap_or_default().to_owned();
    };
    url.set_query(None);
    url.set_fragment(None);
    // In abfss://container@account… the user part is the container; a password never is.
    let _ = url.set_password(None);
    if !url.scheme().starts_with("abfs") {
        let _ = url.set_username("");
    }
    let text = url.as_str();
    percent_encoding::percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_paths_of_all_kinds() {
        let dir = tempfile::tempdir().unwrap();
        let table = dir.path().join("a b%20c#1");
        std::fs::create_dir(&table).unwrap();
        std::os::unix::fs::symlink(&table, dir.path().join("link")).unwrap();
        let none = Vec::new();
        let typed = format!("{}/", table.display());
        let place = Place::parse(&typed, &none).unwrap();
        assert_eq!(place.display, table.display().to_string());
        assert_eq!(place.name, "a b%20c#1");
        assert!(place.url.as_str().ends_with("/a%20b%2520c%231/"), "{}", place.url);
        let again = Place::parse(place.url.as_str(), &none).unwrap();
        assert_eq!(again.root, place.root);
        let link = Place::parse(&dir.path().join("link").display().to_string(), &none).unwrap();
        assert_eq!((link.name.as_str(), &link.root), ("link", &place.root));
        let child = place.child("x y/z");
        assert!(child.url.as_str().ends_with("%231/x%20y/z/"), "{}", child.url);
        assert_eq!(child.name, "z");
        let fault = Place::parse(&dir.path().join("none/deeper").display().to_string(), &none).err().unwrap();
        assert_eq!((fault.code, fault.exit_status()), ("not-found", 3));
        assert!(!dir.path().join("none").exists());
    }

    #[test]
    fn urls_are_shown_without_credentials() {
        let keys: StorageOptions = [
            ("AWS_ACCESS_KEY_ID", "k"),
            ("AWS_SECRET_ACCESS_KEY", "s"),
            ("AWS_REGION", "r"),
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:1"),
            ("AWS_ALLOW_HTTP", "true"),
        ]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .to_vec();
        let place = Place::parse("s3://user:pass@bucket/some/table/?sig=secret", &keys).unwrap();
        assert_eq!(place.display, "s3://bucket/some/table");
        assert_eq!((place.name.as_str(), place.root.as_ref()), ("table", "some/table"));
        assert!(place.options.iter().any(|(k, v)| k == "max_retries" && v == "3"));
        let key = vec![("AZURE_STORAGE_ACCOUNT_KEY".to_owned(), "a2V5".to_owned())];
        let onelake = "https://onelake.dfs.fabric.microsoft.com/11aa/22bb/Tables/t?sig=secret";
        let place = Place::parse(onelake, &key).unwrap();
        assert_eq!(place.display, "abfss://11aa@onelake.dfs.fabric.microsoft.com/22bb/Tables/t");
        assert_eq!((place.name.as_str(), place.root.as_ref()), ("t", "22bb/Tables/t"));
        let fault = Place::parse("ftp://u:p@host/x?token=t", &Vec::new()).err().unwrap();
        assert_eq!((fault.code, fault.exit_status()), ("bad-location", 2));
        assert!(!format!("{fault}{}", fault.hint).contains("token"), "{fault}");
    }
}
