//! Following a table: newer commits, read over what is held already.

use std::sync::Arc;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStoreExt;

use super::listing::{CommitFile, Listing};
use super::overlay::{Batch, Overlay};
use super::partitions::Partitions;
use super::read::{Reading, odd_sizes};
use super::removed::Removed;
use super::segment::{TailFile, commit_name};
use super::versions::{self, InCommit};
use super::{Files, OpenTable, key, log_state, protocol_warnings, store};
use crate::lake::history;
use crate::lake::watch::Watch;
use crate::model::history::Commit;
use crate::model::table::{AsOf, Metadata, Table};
use crate::model::{Fault, Outcome};

/// Commits that are looked for by their names, one after the other; if there are more, the folder
/// is listed.
const PROBED: usize = 16;
/// Commits fetched at once.
const AT_ONCE: usize = 16;
/// With more news than this, bytes, the table is opened anew.
const TOO_MUCH: u64 = 256 << 20;

/// How to look for newer commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Asks for the next commit by its name, and whether the newest one held is still there: two
    /// requests when there is nothing new. Does not see new checkpoints.
    Next,
    /// Lists the log folder.
    List,
}

/// A table that has moved on.
pub struct News {
    pub table: OpenTable,
    /// What was added since, newest first; empty if only the log folder changed.
    commits: Vec<(TailFile, Bytes)>,
    /// The table was replaced, or the way from the old version to the new one is not in the log:
    /// nothing that was held is of use.
    pub reopened: bool,
}

impl OpenTable {
    /// What is newer than this version of the table, if anything.
    ///
    /// Faults: those of [`OpenTable::open`].
    pub async fn news(&self, look: Look, watch: &Watch) -> Outcome<Option<News>> {
        if look == Look::Next {
            let commits = self.probe(watch).await?;
            // Not so if the table was deleted or replaced, or its log cleaned up: the listing tells.
            let same = self.is_still_there(watch).await?;
            if same && commits.is_empty() {
                return Ok(None);
            }
            if same && commits.len() < PROBED {
                let listing = self.listing.with(commits.iter().rev().map(|(file, _)| *file));
                return self.with(listing, commits, watch).await.map(Some);
            }
        }
        let listing = Listing::new(store::list(&self.place.store, &self.log, watch).await?.objects);
        let version = self.table.version;
        let same = listing.commit(version) == self.listing.commit(version);
        let newer: Vec<CommitFile> =
            listing.commits.iter().filter(|c| c.version > version).copied().collect();
        let contiguous = newer.iter().zip(version + 1..).all(|(c, v)| c.version == v);
        let newest = newer.last().map_or(version, |c| c.version);
        let bytes = newer.iter().fold(0, |sum: u64, c| sum.saturating_add(c.size));
        if !same || !contiguous || listing.newest() != Some(newest) || bytes > TOO_MUCH {
            let table = OpenTable::open(&self.place, AsOf::Latest, watch).await?;
            return Ok(Some(News { table, commits: Vec::new(), reopened: true }));
        }
        if newer.is_empty() && listing == *self.listing {
            return Ok(None);
        }
        let reads = newer.into_iter().rev().map(|file| async move {
            let path = TailFile::commit(file.version, file.size).path(&self.log);
            let bytes = store::get_whole(&self.place.store, &path, file.size, watch).await?;
            Ok::<_, Fault>((file, bytes))
        });
        let commits = futures::stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
        self.with(listing, commits, watch).await.map(Some)
    }

    /// Whether this version's commit is the one that was read: not so if the table was replaced, or
    /// its log cleaned up.
    async fn is_still_there(&self, watch: &Watch) -> Outcome<bool> {
        let Some(held) = self.listing.commit(self.table.version) else { return Ok(true) };
        let path = self.log.clone().join(commit_name(held.version));
        let read = async { self.place.store.head(&path).await };
        match store::cancellable(watch, read).await? {
            Ok(now) => Ok((now.size, now.last_modified.timestamp_millis()) == (held.size, held.modified)),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(e) => Err(store::fault(&path, e)),
        }
    }

    /// The commits that follow this version, newest first; at most [`PROBED`].
    async fn probe(&self, watch: &Watch) -> Outcome<Vec<(CommitFile, Bytes)>> {
        let mut found = Vec::new();
        for version in (self.table.version + 1..).take(PROBED) {
            let path = self.log.clone().join(commit_name(version));
            let read = async {
                let answer = self.place.store.get(&path).await?;
                let (size, modified) = (answer.meta.size, answer.meta.last_modified.timestamp_millis());
                Ok((CommitFile { version, size, modified }, answer.bytes().await?))
            };
            match store::cancellable(watch, read).await? {
                Ok(commit) => found.push(commit),
                Err(object_store::Error::NotFound { .. }) => break,
                Err(e) => return Err(store::fault(&path, e)),
            }
        }
        found.reverse();
        Ok(found)
    }

    async fn with(
        &self,
        listing: Listing,
        commits: Vec<(CommitFile, Bytes)>,
        watch: &Watch,
    ) -> Outcome<News> {
        let named = |(file, bytes)| {
            let CommitFile { version, size, .. } = file;
            (TailFile::commit(version, size), bytes)
        };
        let commits: Vec<(TailFile, Bytes)> = commits.into_iter().map(named).collect();
        let start = {
            let (start, commits) = (self.start.clone(), commits.clone());
            store::blocking(move || start.followed_by(&commits)).await??
        };
        watch.check()?;
        let before = &self.table;
        let version = commits.first().map_or(before.version, |(file, _)| file.version);
        let (protocol, metadata, txns, domains) = start.state.clone().finish()?;
        let mut warnings = before.warnings.clone();
        for warning in protocol_warnings(&protocol) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        let in_commit = InCommit::of(&metadata)
            .and_then(|_| versions::stated_in_commit(commits.first().map(|(_, bytes)| bytes)?));
        let table = Table {
            version,
            modified: in_commit.or_else(|| versions::file_time(&listing, version)),
            name: metadata.name.clone().filter(|n| !n.is_empty()).unwrap_or_else(|| self.place.name.clone()),
            protocol,
            metadata,
            txns,
            domains,
            log: log_state(&listing, version, &start),
            stated: before.stated.filter(|_| version == before.version),
            warnings,
            location: before.location.clone(),
        };
        let table = OpenTable {
            table: Arc::new(table),
            listing: Arc::new(listing),
            start: Arc::new(start),
            ..self.clone()
        };
        Ok(News { table, commits, reopened: false })
    }
}

impl News {
    /// The new commits as the history has them, newest first.
    pub fn history(&self) -> Vec<Commit> {
        let listing = self.table.listing();
        let time = |version| versions::file_time(listing, version).unwrap_or_default();
        let one = |(file, bytes): &(TailFile, Bytes)| Commit {
            readable: true,
            ..history::read(file.version, time(file.version), bytes)
        };
        self.commits.iter().map(one).collect()
    }

    /// New commits.
    pub fn count(&self) -> usize {
        self.commits.len()
    }

    /// The files of the new version, given those of the version before. Only the new commits are
    /// read, unless the table was replaced or its partitioning changed.
    ///
    /// Faults: those of [`OpenTable::files`].
    pub async fn files(&self, before: &OpenTable, held: &Files, watch: &Watch) -> Outcome<Changed> {
        let same = same_partitions(&before.table.metadata, &self.table.table.metadata);
        if self.reopened || !same {
            let files = self.table.files(held.want, watch).await?;
            return Ok(Changed { files, removed_again: false });
        }
        let metadata = self.table.table.metadata.clone();
        let (commits, held, watch) = (self.commits.clone(), held.clone(), watch.clone());
        store::blocking(move || overlay(&commits, &held, &metadata, &watch)).await?
    }
}

/// Files after newer commits.
pub struct Changed {
    pub files: Files,
    /// Some commit named a file that had been removed before: the same rows may have been rewritten
    /// twice, or a version was restored.
    pub removed_again: bool,
}

/// As replay does it: what the new commits name no longer counts where it is older.
fn overlay(
    commits: &[(TailFile, Bytes)],
    held: &Files,
    metadata: &Metadata,
    watch: &Watch,
) -> Outcome<Changed> {
    let partitions = Partitions::new(metadata, (*held.list.partitions).clone());
    let reading = Reading { want: held.want, partitions, stats: None, before: None };
    let mut newer = Overlay::default();
    let new = newer.apply(Batch::parse(commits, &reading, watch)?);
    let mut scratch = Vec::new();
    let mut named = |path: &str, vector| key::holds(&newer.seen, path, vector, &mut scratch);
    let mut gone = Vec::new();
    for chunk in held.list.chunks() {
        watch.check()?;
        let rows = 0..chunk.len();
        gone.push(
            rows.filter(|row| named(chunk.path(*row), chunk.deletion_vector(*row).map(key::id))).collect(),
        );
    }
    let list = held.list.changed(new.files, Arc::new(reading.partitions.dict()), &gone);
    let removed_again = held.removed.meets(&newer.seen);
    let mut removed: Removed = held.removed.without(&newer.seen);
    if held.want.tombstones {
        removed.append(newer.removed);
    }
    let mut warnings = held.warnings.clone();
    warnings.extend(odd_sizes(new.odd_sizes).filter(|w| !held.warnings.contains(w)));
    Ok(Changed { files: Files::new(list, held.want, removed, warnings), removed_again })
}

/// Whether files of both have their partition values in the same columns.
fn same_partitions(a: &Metadata, b: &Metadata) -> bool {
    let mode = |m: &Metadata| m.configuration.get("delta.columnMapping.mode").cloned();
    a.id == b.id && a.partition_columns == b.partition_columns && mode(a) == mode(b)
}
