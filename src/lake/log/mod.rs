//! The log at one version: table state at once, files on demand.
//!
//! ```text
//! names, listing   what the log folder holds; which versions can be rebuilt
//! versions         "as of" → version
//! start            newest usable checkpoint + commits after it (segment), and the state there
//! checkpoint/      parquet and JSON checkpoints, sidecars
//! tail, lines      commits: fetching, lenient JSON
//! state, overlay   reconciliation: everything but files, and files
//! read, removed    the file list, and the tombstones
//! raw              whole add actions, as they stand in the log
//! traces           removed and once referenced files, for a vacuum
//! news             newer commits, over what is held already
//! totals           .crc and _last_checkpoint
//! ```

mod action;
mod checkpoint;
pub(crate) mod key;
mod lines;
mod listing;
mod loose;
mod names;
mod news;
mod overlay;
mod partitions;
pub(crate) mod raw;
mod read;
mod removed;
mod segment;
mod start;
mod state;
mod stats;
pub(crate) mod store;
mod tail;
mod totals;
mod traces;
mod versions;

use std::sync::Arc;

use object_store::path::Path;

pub(super) use action::{CommitInfo, HistoryLine, Vector};
pub(super) use key::decode_path;
pub(crate) use lines::parse as parse_lines;
pub(crate) use listing::Listing;
pub use news::{Look, News};
pub(crate) use segment::{TailFile, commit_name};
pub(crate) use stats::num_records;
pub(super) use stats::num_records_escaped;
pub(super) use tail::{Source, read as read_commits};
pub use traces::Traces;
pub(super) use versions::file_times;

use super::discover;
use super::place::Place;
use super::watch::Watch;
use crate::model::files::FileList;
use crate::model::progress::Progress;
use crate::model::recover::{Unreadable, readable_version};
use crate::model::stats::{StatsTable, WantedColumn};
use crate::model::table::{AsOf, LogState, Protocol, Table, Tombstones};
use crate::model::{Fault, Outcome};
use checkpoint::OpenCheckpoint;
use removed::Removed;
use start::{Broken, Start};
use versions::InCommit;

/// Which optional columns of the file list to read; path, size, time, partition, vector always come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Want {
    /// `numRecords` of each file.
    pub records: bool,
    pub tags: bool,
    /// Count the remove actions.
    pub tombstones: bool,
}

/// A log folder and what it holds. No version was opened, so that whatever is damaged can be looked at.
#[derive(Clone)]
pub struct Log {
    pub place: Place,
    folder: Path,
    listing: Arc<Listing>,
}

impl Log {
    /// Lists the folder. Faults: `not-a-table`, `not-found`, `empty-log`, those of the store.
    pub async fn list(place: &Place, watch: &Watch) -> Outcome<Log> {
        watch.progress(Progress::new("listing the log", 0, None, "files"));
        let folder = place.root.clone().join("_delta_log");
        let listing = Listing::new(store::list(&place.store, &folder, watch).await?.objects);
        if listing.newest().is_none() {
            return Err(no_log(place, &listing, watch).await);
        }
        Ok(Log { place: place.clone(), folder, listing: Arc::new(listing) })
    }

    /// The newest version that the folder names.
    pub fn newest(&self) -> u64 {
        self.listing.newest().unwrap_or(0)
    }

    /// Checks that there is such a version. Faults: `no-such-version`.
    pub fn check(&self, version: u64) -> Outcome<u64> {
        versions::check(&self.listing, version)
    }

    /// The table as of a version or time. Faults: as [`OpenTable::open`].
    pub async fn open(&self, as_of: AsOf, watch: &Watch) -> Outcome<OpenTable> {
        let (place, newest) = (&self.place, self.newest());
        let open = |version| open_version(place, self.folder.clone(), self.listing.clone(), version, watch);
        match as_of {
            AsOf::Latest => open(newest).await,
            AsOf::Version(version) => open(self.check(version)?).await,
            AsOf::Time(time) => {
                let latest = open(newest).await?;
                let in_commit = InCommit::of(&latest.table.metadata);
                let found = versions::at_time(place, &self.folder, &self.listing, in_commit, time, watch);
                let version = found.await?;
                if version == newest { Ok(latest) } else { open(version).await }
            }
        }
    }

    /// The newest version that can be opened; and, if that is not the newest there is, why that one
    /// cannot. For looks at the past, which a damaged last commit shall not end.
    ///
    /// Faults: those of the newest version, where no older one can be opened either.
    pub async fn open_newest(&self, watch: &Watch) -> Outcome<(OpenTable, Option<Unreadable>)> {
        /// Damaged commits that are got over, each of which costs an attempt.
        const ATTEMPTS: usize = 8;
        let newest = self.newest();
        let first = match self.open(AsOf::Version(newest), watch).await {
            Ok(table) => return Ok((table, None)),
            Err(fault) => fault,
        };
        let reason = first.to_string();
        let mut next = readable_version(&first).filter(|v| *v < newest);
        for _ in 0..ATTEMPTS {
            let Some(version) = next else { break };
            match self.open(AsOf::Version(version), watch).await {
                Ok(table) => return Ok((table, Some(Unreadable { version: newest, reason }))),
                Err(fault) => next = readable_version(&fault).filter(|v| *v < version),
            }
        }
        Err(first)
    }

    /// Its files, as listed.
    pub(super) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Its path in the place's store.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// A table opened at one version: its log folder was listed; protocol, metadata, transactions
/// and domains were read.
#[derive(Clone)]
pub struct OpenTable {
    pub place: Place,
    pub table: Arc<Table>,
    log: Path,
    listing: Arc<Listing>,
    start: Arc<Start>,
    broken: Broken,
}

/// All files of the version.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub list: FileList,
    /// None if not asked for.
    pub tombstones: Option<Tombstones>,
    /// What was got over while reading, beyond [`Table::warnings`].
    pub warnings: Vec<String>,
    /// Empty if tombstones were not asked for.
    removed: Arc<Removed>,
    want: Want,
}

impl Files {
    fn new(list: FileList, want: Want, removed: Removed, warnings: Vec<String>) -> Self {
        let tombstones = want.tombstones.then(|| removed.count());
        Files { list, tombstones, warnings, removed: Arc::new(removed), want }
    }
}

impl OpenTable {
    /// Lists the log and reads everything but the files.
    ///
    /// Faults: `not-a-table`, `not-found`, `empty-log`, `no-such-version`, `version-cleaned-up`,
    /// `log-gap`, `bad-commit`, `bad-checkpoint`, `no-protocol`, `no-metadata`, those of the store.
    pub async fn open(place: &Place, as_of: AsOf, watch: &Watch) -> Outcome<OpenTable> {
        Log::list(place, watch).await?.open(as_of, watch).await
    }

    /// The table as of something else, by the same listing of the log. Faults: as [`OpenTable::open`].
    pub async fn at(&self, as_of: AsOf, watch: &Watch) -> Outcome<OpenTable> {
        self.log_as_listed().open(as_of, watch).await
    }

    /// The log folder, as listed when the table was opened.
    pub fn log_as_listed(&self) -> Log {
        Log { place: self.place.clone(), folder: self.log.clone(), listing: self.listing.clone() }
    }

    /// Reads the active files, streaming partial lists to `watch`.
    ///
    /// Faults: `bad-commit`, `bad-checkpoint`, `log-gap`, those of the store.
    pub async fn files(&self, want: Want, watch: &Watch) -> Outcome<Files> {
        Ok(read::files(self, want, None, None, watch).await?.0)
    }

    /// As [`OpenTable::files`], when less of each file was read before: what is the same is kept once.
    pub async fn files_after(&self, before: &FileList, want: Want, watch: &Watch) -> Outcome<Files> {
        Ok(read::files(self, want, None, Some(before), watch).await?.0)
    }

    /// Bytes of the checkpoint that the files are read from, as far as it states them; 0 without one.
    pub fn checkpoint_bytes(&self) -> u64 {
        self.start.checkpoint.as_ref().map_or(0, OpenCheckpoint::bytes)
    }

    /// As [`OpenTable::files`], with the statistics of the given columns by index in the list.
    pub async fn files_with_stats(
        &self,
        want: Want,
        columns: &[WantedColumn],
        watch: &Watch,
    ) -> Outcome<(Files, StatsTable)> {
        let (files, stats) = read::files(self, want, Some(StatsTable::new(columns)), None, watch).await?;
        Ok((files, stats.unwrap_or_default()))
    }

    /// What every commit that is left, and the checkpoint, tell of files that are not active.
    ///
    /// Faults: `bad-commit`, `bad-checkpoint`, those of the store.
    pub async fn traces(&self, watch: &Watch) -> Outcome<Traces> {
        traces::read(self, watch).await
    }

    /// The files of the log folder, as listed when the table was opened.
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }

    /// The log folder's path in the place's store.
    pub(crate) fn log_folder(&self) -> &Path {
        &self.log
    }
}

/// Why a log folder names no version.
async fn no_log(place: &Place, listing: &Listing, watch: &Watch) -> Fault {
    let empty = Fault::read("empty-log", format!("{} has no version", place.display))
        .because("its _delta_log holds neither a commit nor a complete checkpoint");
    if listing.files > 0 {
        return empty;
    }
    match discover::look(place, watch).await {
        Ok(crate::model::lakehouse::Found::Table) => empty,
        Ok(found) => discover::not_a_table(place, &found),
        Err(fault) => fault,
    }
}

async fn open_version(
    place: &Place,
    log: Path,
    listing: Arc<Listing>,
    version: u64,
    watch: &Watch,
) -> Outcome<OpenTable> {
    let mut warnings = Vec::new();
    let mut broken = Broken::default();
    let stated = totals::stated(&place.store, &log, &listing, version, watch);
    let start = start::find(place, &log, &listing, version, &mut broken, &mut warnings, watch);
    let (stated, start) = futures::join!(stated, start);
    let (stated, more) = stated?;
    let start = start?;
    warnings.extend(more);
    let (protocol, metadata, txns, domains) = start.state.clone().finish()?;
    if let Some(problem) = &metadata.schema_problem {
        warnings.push(format!("The schema cannot be shown: {problem}"));
    }
    warnings.extend(protocol_warnings(&protocol));
    let modified = match InCommit::of(&metadata) {
        Some(_) => versions::in_commit_timestamp(place, &log, &listing, version, watch).await?,
        None => None,
    };
    let table = Table {
        location: place.display.clone(),
        name: metadata.name.clone().filter(|n| !n.is_empty()).unwrap_or_else(|| place.name.clone()),
        version,
        modified: modified.or_else(|| versions::file_time(&listing, version)),
        protocol,
        metadata,
        txns,
        domains,
        log: log_state(&listing, version, &start),
        stated,
        warnings,
    };
    Ok(OpenTable {
        place: place.clone(),
        table: Arc::new(table),
        log,
        listing,
        start: Arc::new(start),
        broken,
    })
}

fn log_state(listing: &Listing, version: u64, start: &Start) -> LogState {
    LogState {
        commits: listing.commits.partition_point(|c| c.version <= version) as u64,
        first_commit: listing.commits.first().map(|c| c.version).filter(|v| *v <= version),
        last_checkpoint: listing.checkpoints_down_from(version).next().map(|c| c.version),
        replay_from: start.checkpoint.as_ref().map(|c| c.version),
        bytes: listing.bytes,
        newer_versions: listing.newest().unwrap_or(version) - version,
    }
}

/// What the protocol says that a reader must know and this one does not.
fn protocol_warnings(protocol: &Protocol) -> Vec<String> {
    let mut warnings = Vec::new();
    let features = protocol.features();
    if let Some(name) =
        features.iter().find(|f| f.starts_with("catalogManaged") || f.starts_with("catalogOwned"))
    {
        warnings.push(format!(
            "A catalog manages this table ({name}): commits that it has not yet published in the log folder are not shown"
        ));
    }
    if protocol.min_reader == 0 || protocol.min_writer == 0 {
        warnings.push(
            "The protocol action gives no version that can be read; the table is shown as if any reader would do"
                .into(),
        );
    }
    if protocol.min_reader > 3 {
        warnings.push(format!(
            "The table asks for reader version {}, which no published protocol defines; it is shown as far as it can be read",
            protocol.min_reader
        ));
    }
    let unknown: Vec<&str> = protocol
        .reader_features
        .iter()
        .flatten()
        .map(String::as_str)
        .filter(|f| crate::model::features::support(f).name.is_empty())
        .filter(|f| !f.starts_with("catalog"))
        .collect();
    if !unknown.is_empty() {
        warnings.push(format!(
            "The table uses reader features unknown here ({}); it is shown as far as it can be read",
            unknown.join(", ")
        ));
    }
    warnings
}
