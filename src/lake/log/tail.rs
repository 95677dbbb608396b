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
/// `each` gets the results in order, with the number of files read so far. If `kept` has the
/// content of all these files, it is used.
pub async fn read<T: Send + 'static>(
    from: &Source<'_>,
    files: &[TailFile],
    kept: Vec<(TailFile, Bytes)>,
    parse: impl Fn(&[(TailFile, Bytes)]) -> Outcome<T> + Send + Sync + 'static,
    mut each: impl FnMut(T, usize) -> Outcome<()> + Send,
) -> Outcome<()> {
    let (store, log, watch) = (from.store.clone(), from.log.clone(), from.watch.clone());
    let groups: Vec<Group> = if kept.len() == files.len() {
        groups(&kept, |(file, _)| file.size).into_iter().map(|g| Group::Kept(g.to_vec())).collect()
    } else {
        groups(files, |file| file.size).into_iter().map(|g| Group::Stored(g.to_vec())).collect()
    };
    drop(kept);
    let parse = Arc::new(parse);
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
    while let Some((parsed, count)) = store::cancellable(from.watch, results.try_next()).await?? {
        done += count;
        each(parsed, done)?;
    }
    Ok(())
}

/// Where commits are read from.
pub struct Source<'a> {
    pub store: &'a Arc<dyn ObjectStore>,
    pub log: &'a Path,
    pub watch: &'a Watch,
}

enum Group {
    Kept(Vec<(TailFile, Bytes)>),
    Stored(Vec<TailFile>),
}

async fn fetch(
    store: Arc<dyn ObjectStore>,
    log: Path,
    group: Group,
    watch: Watch,
) -> Outcome<Vec<(TailFile, Bytes)>> {
    let files = match group {
        Group::Kept(files) => return Ok(files),
        Group::Stored(files) => files,
    };
    let files = futures::stream::iter(files).map(|file| {
        let (store, path, watch) = (store.clone(), file.path(&log), watch.clone());
        async move {
            let bytes = store::get_whole(&store, &path, file.size, &watch).await?;
            Ok((file, bytes))
        }
    });
    files.buffered(FILES_AT_ONCE).try_collect().await
}

/// Cuts files into groups, in order.
fn groups<T>(files: &[T], size: impl Fn(&T) -> u64) -> Vec<&[T]> {
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
