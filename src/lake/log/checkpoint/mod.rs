//! Checkpoints: classic, multi-part, and V2 with sidecars (protocol, "Checkpoints").

mod columns;
mod figures;
pub mod files;
mod parquet_file;
mod raw;
mod removes;
mod small;
mod stream;

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;
use object_store::path::Path;

use super::action::StateLine;
use super::lines;
use super::listing::{Checkpoint, LogFile};
use super::store;
use crate::lake::place::below;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};
use parquet_file::{ParquetFile, damaged};

/// Requests under way at once while a checkpoint is opened.
const AT_ONCE: usize = 16;

/// A checkpoint whose footers and small actions were read.
#[derive(Clone)]
pub struct OpenCheckpoint {
    pub version: u64,
    /// Of its first file.
    pub name: String,
    /// Everything but files, as JSON lines.
    pub small: Bytes,
    /// Parquet files that hold file actions; sidecars aside.
    parts: Vec<ParquetFile>,
    /// The main file of a V2 checkpoint in JSON, which may hold file actions too.
    pub json: Option<Bytes>,
    sidecars: Vec<Sidecar>,
}

#[derive(Clone)]
struct Sidecar {
    path: Path,
    /// As the checkpoint states it.
    size: Option<u64>,
}

impl OpenCheckpoint {
    /// Faults: those of the store, `bad-checkpoint`.
    pub async fn open(
        store: &Arc<dyn ObjectStore>,
        log: &Path,
        checkpoint: &Checkpoint,
        watch: &Watch,
    ) -> Outcome<OpenCheckpoint> {
        let version = checkpoint.version;
        let first = checkpoint.files.first().ok_or_else(|| no_files(version))?;
        let name = first.path.filename().unwrap_or_default().to_owned();
        if checkpoint.json {
            let bytes = store::get(store, &first.path, watch).await?;
            let sidecars = sidecars(&bytes, log, &first.path)?;
            let small = bytes.clone();
            return Ok(OpenCheckpoint {
                version,
                name,
                small,
                parts: Vec::new(),
                json: Some(bytes),
                sidecars,
            });
        }
        let open = |file: LogFile| {
            let (store, watch) = (store.clone(), watch.clone());
            async move {
                let part = ParquetFile::open(&store, &file.path, file.size, &watch).await?;
                let small = small_lines(&store, &part, &watch).await?;
                Ok::<_, Fault>((part, small))
            }
        };
        let files = futures::stream::iter(checkpoint.files.clone()).map(open);
        let opened: Vec<_> = files.buffered(AT_ONCE).try_collect().await?;
        let (parts, lines): (Vec<ParquetFile>, Vec<Vec<u8>>) = opened.into_iter().unzip();
        let small = Bytes::from(lines.concat());
        let sidecars = sidecars(&small, log, &first.path)?;
        Ok(OpenCheckpoint { version, name, small, parts, json: None, sidecars })
    }
}

impl OpenCheckpoint {
    /// Bytes of its parquet files, as far as they are stated.
    pub fn bytes(&self) -> u64 {
        let parts = self.parts.iter().map(ParquetFile::size);
        parts.chain(self.sidecars.iter().filter_map(|s| s.size)).fold(0, u64::saturating_add)
    }
}

/// What is wrong with the lines of a checkpoint, found where commits are read in the same way.
pub fn as_checkpoint(fault: Fault) -> Fault {
    if fault.code != "bad-commit" {
        return fault;
    }
    let message = fault.message.replacen("The commit ", "The checkpoint file ", 1);
    Fault { code: "bad-checkpoint", message, hint: String::new(), ..fault }
}

fn no_files(version: u64) -> Fault {
    Fault::read("bad-checkpoint", format!("Checkpoint {version} has no files"))
}

/// Columns of the actions that are not files, each with a leaf that is never null in it.
const SMALL: [(&str, &str); 5] = [
    ("protocol", "minReaderVersion"),
    ("metaData", "id"),
    ("txn", "appId"),
    ("domainMetadata", "domain"),
    ("sidecar", "path"),
];

async fn small_lines(store: &Arc<dyn ObjectStore>, part: &ParquetFile, watch: &Watch) -> Outcome<Vec<u8>> {
    let is_small = |path: &[String]| SMALL.iter().any(|(name, _)| path.first().is_some_and(|p| p == name));
    let marks = |path: &[String]| SMALL.iter().any(|(name, leaf)| path == [*name, *leaf]);
    let leaves = part.leaves(is_small);
    let mut out = Vec::new();
    if leaves.is_empty() {
        return Ok(out);
    }
    for group in part.groups_with(&part.leaves(marks)) {
        let group = part.fetch(store, group, &leaves, watch).await?;
        let watch = watch.clone();
        out = store::blocking(move || {
            for batch in group.reader(8192)? {
                watch.check()?;
                small::append_lines(&batch?, &mut out);
            }
            Ok::<_, Fault>(out)
        })
        .await??;
    }
    Ok(out)
}

/// The sidecar files that the checkpoint names: file names in `_sidecars`, or absolute paths.
fn sidecars(small: &[u8], log: &Path, file: &Path) -> Outcome<Vec<Sidecar>> {
    let (lines, bad) = lines::parse::<StateLine<'_>>(small, &["{\"add\"", "{\"remove\""]);
    if let Some(bad) = bad {
        return Err(damaged(file, &format!("line {}: {}", bad.line, bad.why)));
    }
    let named = lines.into_iter().filter_map(|line| line.sidecar);
    let resolve = |name: &str| {
        let name = super::key::decode_path(name);
        match name.split_once("://") {
            // The store's root is the URL's host.
            Some((_, rest)) => below(&Path::default(), rest.split_once('/').map_or("", |(_, path)| path)),
            None if name.starts_with('/') => below(&Path::default(), &name),
            None => below(&log.clone().join("_sidecars"), &name),
        }
    };
    Ok(named
        .filter_map(|s| {
            let size = s.size_in_bytes.natural();
            s.path.0.map(|path| Sidecar { path: resolve(&path), size })
        })
        .collect())
}
