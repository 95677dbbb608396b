//! What the log still knows of files that are not active: for a vacuum.

use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::action::Vector;
use super::key::decode_path;
use super::lines;
use super::loose::{Int, Text};
use super::segment::TailFile;
use super::tail::{self, Source, bad_commit};
use super::{OpenTable, file_times};
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::plan::vacuum::{ChangeFile, LogVersion, Tombstone};
use crate::model::progress::Progress;
use crate::model::units::Millis;

/// The remove actions and paths of every commit that is left, and of the checkpoint.
#[derive(Debug, Default)]
pub struct Traces {
    pub tombstones: Vec<Tombstone>,
    pub change_files: Vec<ChangeFile>,
    /// Paths that the commits added or removed, and the files of their deletion vectors.
    pub once_referenced: FxHashSet<String>,
    /// Versions that the log can rebuild, ascending, with the times of their commits.
    pub versions: Vec<LogVersion>,
    /// The newest commit file's time, by the store's clock.
    pub newest_file: Option<Millis>,
}

/// A line as this reader sees it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    add: Option<FileAction<'a>>,
    #[serde(borrow)]
    remove: Option<FileAction<'a>>,
    #[serde(borrow)]
    cdc: Option<FileAction<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct FileAction<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    size: Int,
    deletion_timestamp: Int,
    #[serde(borrow)]
    deletion_vector: Option<Vector<'a>>,
}

const SKIP: [&str; 5] =
    ["{\"commitInfo\"", "{\"metaData\"", "{\"protocol\"", "{\"txn\"", "{\"domainMetadata\""];

pub async fn read(table: &OpenTable, watch: &Watch) -> Outcome<Traces> {
    let version = table.table.version;
    let times: Arc<FxHashMap<u64, Millis>> = Arc::new(file_times(&table.listing).into_iter().collect());
    let mut files: Vec<TailFile> = table.start.tail.iter().filter(|f| f.compacted).cloned().collect();
    let commits = table.listing.commits.iter().filter(|c| c.version <= version);
    files.extend(commits.map(|c| TailFile::commit(c.version, c.size)));
    let total = files.len() as u64;
    let newest_file = table.listing.commits.iter().map(|c| c.modified).max();
    let mut all = Traces { versions: versions(table, &times), newest_file, ..Traces::default() };
    let from = Source { store: &table.place.store, log: &table.log, watch };
    let parse = move |group: &[(TailFile, Bytes)]| {
        let mut some = Traces::default();
        for (file, bytes) in group {
            some.commit(file, bytes, times.get(&file.version).copied())?;
        }
        Ok(some)
    };
    tail::read(&from, &files, Vec::new(), parse, |some, done| {
        all.tombstones.extend(some.tombstones);
        all.change_files.extend(some.change_files);
        all.once_referenced.extend(some.once_referenced);
        watch.progress(Progress::new("reading commits", done as u64, Some(total), "commits"));
        Ok(())
    })
    .await?;
    if let Some(checkpoint) = &table.start.checkpoint {
        if let Some(json) = &checkpoint.json {
            let file = TailFile { name: checkpoint.name.clone(), version: 0, size: 0, compacted: true };
            all.commit(&file, json, None).map_err(super::checkpoint::as_checkpoint)?;
        }
        all.tombstones.extend(checkpoint.removes(&table.place.store, watch).await?);
    }
    all.date_removals();
    Ok(all)
}

fn versions(table: &OpenTable, times: &FxHashMap<u64, Millis>) -> Vec<LogVersion> {
    let ranges = table.listing.rebuildable();
    let commits = table.listing.commits.iter().map(|c| c.version).filter(|v| *v <= table.table.version);
    let readable = commits.filter(|v| ranges.iter().any(|(first, last)| (first..=last).contains(&v)));
    readable.filter_map(|version| Some(LogVersion { version, timestamp: *times.get(&version)? })).collect()
}

impl Traces {
    /// Takes the actions of a commit. Those of a compacted file or a checkpoint do not tell which
    /// version they are from.
    fn commit(&mut self, file: &TailFile, bytes: &[u8], time: Option<Millis>) -> Outcome<()> {
        let (lines, bad) = lines::parse::<Line<'_>>(bytes, &SKIP);
        if let Some(bad) = bad {
            return Err(bad_commit(&file.name, &bad));
        }
        for line in lines {
            if let Some(add) = &line.add {
                self.once_referenced.extend(add.path());
                self.once_referenced.extend(add.vector_file());
            }
            if let Some((remove, path)) = line.remove.as_ref().and_then(|r| Some((r, r.path()?))) {
                self.tombstones.push(Tombstone {
                    path,
                    deleted_at: remove.deletion_timestamp.value(),
                    size: remove.size.natural(),
                    removed_in: (!file.compacted).then_some(file.version),
                    vector_file: remove.vector_file(),
                });
            }
            if let Some((cdc, path)) = line.cdc.as_ref().and_then(|c| Some((c, c.path()?)))
                && let Some(written_at) = time
            {
                self.change_files.push(ChangeFile { path, size: cdc.size.natural(), written_at });
            }
        }
        Ok(())
    }

    /// A checkpoint repeats removes without their versions: where a commit says the same, it knows.
    fn date_removals(&mut self) {
        let key = |t: &Tombstone| (t.path.clone(), t.deleted_at, t.vector_file.clone());
        let dated: FxHashSet<_> =
            self.tombstones.iter().filter(|t| t.removed_in.is_some()).map(key).collect();
        self.tombstones.retain(|t| t.removed_in.is_some() || !dated.contains(&key(t)));
    }
}

impl FileAction<'_> {
    fn path(&self) -> Option<String> {
        self.path.0.as_deref().map(|path| decode_path(path).into_owned())
    }

    fn vector_file(&self) -> Option<String> {
        let file = self.deletion_vector.as_ref()?.to_model().file()?;
        Some(decode_path(&file).into_owned())
    }
}
