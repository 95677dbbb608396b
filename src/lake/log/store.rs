//! Reading from object stores: cancellable, and with faults that a person understands.

use std::future::Future;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use object_store::path::Path;
use object_store::{ListResult, ObjectStore, ObjectStoreExt};

use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

/// Waits for `work`, but no longer than until the watch is cancelled.
pub async fn cancellable<T>(watch: &Watch, work: impl Future<Output = T>) -> Outcome<T> {
    tokio::select! {
        biased;
        () = watch.cancel.cancelled() => Err(Fault::cancelled()),
        done = work => Ok(done),
    }
}

/// Runs CPU work beside the async threads.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Outcome<T> {
    tokio::task::spawn_blocking(work).await.map_err(|e| {
        if e.is_cancelled() {
            Fault::cancelled()
        } else {
            Fault::read("internal", "A reader thread failed").because(e)
        }
    })
}

/// All of an object.
pub async fn get(store: &Arc<dyn ObjectStore>, path: &Path, watch: &Watch) -> Outcome<Bytes> {
    let read = async { store.get(path).await?.bytes().await };
    cancellable(watch, read).await?.map_err(|e| fault(path, e))
}

/// All of an object whose size is known from a listing; with local files that is half the work.
pub async fn get_whole(
    store: &Arc<dyn ObjectStore>,
    path: &Path,
    size: u64,
    watch: &Watch,
) -> Outcome<Bytes> {
    if size == 0 {
        return Ok(Bytes::new());
    }
    let all = 0..size;
    let mut parts = get_ranges(store, path, std::slice::from_ref(&all), watch).await?;
    match parts.pop() {
        Some(bytes) if bytes.len() as u64 == size => Ok(bytes),
        // It is not what was listed: take it as it is now.
        _ => get(store, path, watch).await,
    }
}

/// Parts of an object, in the order of `ranges`.
pub async fn get_ranges(
    store: &Arc<dyn ObjectStore>,
    path: &Path,
    ranges: &[Range<u64>],
    watch: &Watch,
) -> Outcome<Vec<Bytes>> {
    cancellable(watch, store.get_ranges(path, ranges)).await?.map_err(|e| fault(path, e))
}

/// The size of an object in bytes.
pub async fn size(store: &Arc<dyn ObjectStore>, path: &Path, watch: &Watch) -> Outcome<u64> {
    Ok(cancellable(watch, store.head(path)).await?.map_err(|e| fault(path, e))?.size)
}

/// The objects and sub-folders of a folder. A folder that does not exist is empty, and so is a
/// "folder" below a file.
pub async fn list(store: &Arc<dyn ObjectStore>, folder: &Path, watch: &Watch) -> Outcome<ListResult> {
    match cancellable(watch, store.list_with_delimiter(Some(folder))).await? {
        Ok(found) => Ok(found),
        Err(e) if is_missing(&e) => Ok(ListResult { common_prefixes: Vec::new(), objects: Vec::new() }),
        Err(e) => Err(fault(folder, e)),
    }
}

fn is_missing(error: &object_store::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        let io = inner.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        if matches!(io, Some(std::io::ErrorKind::NotADirectory | std::io::ErrorKind::NotFound)) {
            return true;
        }
        cause = inner.source();
    }
    matches!(error, object_store::Error::NotFound { .. })
}

/// What a store's error means for a person.
pub fn fault(path: &Path, error: object_store::Error) -> Fault {
    use object_store::Error as E;
    // That something is not there the message says already, with its path.
    let text = match &error {
        E::NotFound { source, .. } => redact(&source.to_string()),
        _ => redact(&with_sources(&error)),
    };
    let local = text.contains("LocalFileSystem") || text.contains("os error");
    let denied = matches!(error, E::PermissionDenied { .. } | E::Unauthenticated { .. })
        || text.contains("Permission denied");
    let (code, what, hint) = match &error {
        E::NotFound { .. } => ("not-found", "does not exist", ""),
        _ if denied => (
            "permission-denied",
            "may not be read",
            "Check the rights on it, or the credentials in the storage options and the environment",
        ),
        _ if local => ("unreadable", "cannot be read", "Check the disk and the file"),
        _ if text.to_ascii_lowercase().contains("credential") => (
            "unreadable",
            "cannot be read",
            "Check the credentials in the storage options (`--option k=v`) and the environment",
        ),
        _ => (
            "unreadable",
            "cannot be read",
            "Check the connection and the storage options; `timeout`, `max_retries` and `retry_timeout` set the patience",
        ),
    };
    // A local store's paths count from the root folder, without its slash.
    let root = if local { "/" } else { "" };
    Fault::read(code, format!("{root}{path} {what}")).because(text).hint(hint)
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = inner.source();
    }
    text
}

/// Takes query strings, which can hold signatures, and user parts out of the URLs in a text.
pub fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            out.push(' ');
        }
        let Some(scheme) = word.find("://") else {
            out.push_str(word);
            continue;
        };
        let (head, rest) = word.split_at(scheme + 3);
        let rest = rest.split('?').next().unwrap_or_default();
        let host_end = rest.find('/').unwrap_or(rest.len());
        let at = if head.contains("abfs") { None } else { rest[..host_end].rfind('@') };
        out.push_str(head);
        out.push_str(&rest[at.map_or(0, |i| i + 1)..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_taken_out() {
        let text = "GET https://u:p@h.net/c/t?sv=1&sig=abc: (403), see abfss://c@a.net/x";
        assert_eq!(redact(text), "GET https://h.net/c/t (403), see abfss://c@a.net/x");
    }
}
