//! Commits: fetched many at once, parsed beside the async threads, handed on in order.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;
use object_store::path::Path;

use super::lines::BadLine;
use super::segment::TailFile;
use super::store;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

/// Files fetched at once within a group, and groups under way at once.
const FILES_AT_ONCE: usize = 16;
const GROUPS_AT_ONCE: usize = 3;
/// A group ends at so many files or bytes: enough to make a parsing task worth its while.
const GROUP_FILES: usize = 64;
const GROUP_BYTES: u64 = 2 << 20;

/// Reads files in the order given and calls `parse` with a group of them on a thread of its own;
/// `each` gets the results in order, with the number of files read so far.
pub async fn read<T: Send + 'static>(
    store: &Arc<dyn ObjectStore>,
    log: &Path,
    files: &[TailFile],
    watch: &Watch,
    parse: impl Fn(&[(TailFile, Bytes)]) -> Outcome<T> + Send + Sync + 'static,
    mut each: impl FnMut(T, usize) -> Outcome<()> + Send,
) -> Outcome<()> {
    let parse = Arc::new(parse);
    let groups: Vec<Vec<TailFile>> =
        groups(files, |file| file.size).into_iter().map(<[TailFile]>::to_vec).collect();
    let (store, log) = (store.clone(), log.clone());
    let parsed = futures::stream::iter(groups).map(|group| {
        let (parse, read) = (parse.clone(), fetch(store.clone(), log.clone(), group, watch.clone()));
        async move {
            let read = read.await?;
            let count = read.len();
            Ok::<_, Fault>((store::blocking(move || parse(&read)).await??, count))
        }
    });
    let mut done = 0;
    let mut results = parsed.buffered(GROUPS_AT_ONCE);
    while let Some((parsed, count)) = store::cancellable(watch, results.try_next()).await?? {
        done += count;
        each(parsed, done)?;
    }
    Ok(())
}

async fn fetch(
    store: Arc<dyn ObjectStore>,
    log: Path,
    group: Vec<TailFile>,
    watch: Watch,
) -> Outcome<Vec<(TailFile, Bytes)>> {
    let files = futures::stream::iter(group).map(|file| {
        let (store, path, watch) = (store.clone(), file.path(&log), watch.clone());
        async move { Ok((file, store::get(&store, &path, &watch).await?)) }
    });
    files.buffered(FILES_AT_ONCE).try_collect().await
}

/// Cuts files into groups, in order.
pub fn groups<T>(files: &[T], size: impl Fn(&T) -> u64) -> Vec<&[T]> {
    let mut groups = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (i, file) in files.iter().enumerate() {
        bytes += size(file);
        if i + 1 - start >= GROUP_FILES || bytes >= GROUP_BYTES {
            groups.push(&files[start..=i]);
            (start, bytes) = (i + 1, 0);
        }
    }
    if start < files.len() {
        groups.push(&files[start..]);
    }
    groups
}

/// The fault of a commit that is not what the protocol says.
pub fn bad_commit(name: &str, bad: &BadLine) -> Fault {
    Fault::read("bad-commit", format!("The commit {name} cannot be read"))
        .because(format!("line {}: {}", bad.line, bad.why))
        .hint("An earlier version may still open: add `--as-of` with its number")
}
