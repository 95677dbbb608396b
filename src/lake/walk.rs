//! A walk through the whole log, oldest commit first: what only a replay can tell of the history.

use std::collections::HashMap;

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::diff::slim;
use super::history;
use super::log::{Files, Listing, OpenTable, Source, TailFile, Want, file_times, read_commits};
use super::present::Present;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::actions::CommitActions;
use crate::model::expiry::Tombstone;
use crate::model::follow::Follow;
use crate::model::history::Commit;
use crate::model::levels::{Anchor, Level, SmallFiles};
use crate::model::past::{Looked, MissingFile, Past, Walked};
use crate::model::progress::Progress;
use crate::model::rollup::Measures;
use crate::model::table::{AsOf, Table, Tombstones};
use crate::model::target::{SizeTarget, size_target};
use crate::model::units::Millis;

/// Commits, and bytes of their files, up to which each file is followed; beyond, only the sums of
/// the newest commits are taken.
const MOST_COMMITS: usize = 200_000;
const MOST_BYTES: u64 = 1 << 30;

/// Missing files that are named at most.
const NAMED: usize = 1000;

/// What to look at, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// List the data files, to tell which versions miss some.
    pub look_for_files: bool,
    /// What a vacuum keeps; none: as the table's properties say.
    pub retain: Option<Millis>,
    pub now: Millis,
}

/// Walks up to the table's version. Commits that cannot be read whole are gaps in the figures.
///
/// Faults: those of [`OpenTable::files`], and of the store.
pub async fn walk(table: &OpenTable, ask: Ask, watch: &Watch) -> Outcome<Past> {
    let version = table.table.version;
    let want = Want { records: true, tombstones: true, ..Want::default() };
    let latest = table.files(want, watch).await?;
    let total = Measures::of(&latest.list);
    let target = size_target(&table.table.metadata, total.bytes);
    let listing = table.listing();
    let oldest = oldest(listing, version);
    let end = listing.commits.partition_point(|c| c.version <= version);
    let files: Vec<TailFile> =
        listing.commits[..end].iter().map(|c| TailFile::commit(c.version, c.size)).collect();
    let present = match ask.look_for_files {
        true => Some(Present::list(&table.place, watch).await?),
        false => None,
    };
    let mut found = Found::new(&latest, total, target, version);
    let (mut left_out, mut older) = (0, Tombstones::default());
    let bytes: u64 = files.iter().map(|f| f.size).sum();
    // Also where the log is too long: what is missing now is told by the listing alone.
    found.miss(present.as_ref(), &latest);
    let tombstones = if files.len() <= MOST_COMMITS && bytes <= MOST_BYTES {
        older = found.follow(table, oldest, &files, watch).await?;
        found.tombstones(present.as_ref())
    } else {
        left_out = files.len().saturating_sub(MOST_COMMITS) as u64;
        history::commits(table, None, MOST_COMMITS, watch, &mut |c| found.commits.push(slim(c))).await?;
        Err("the log is too long to follow each file through it")
    };
    let unlooked = |stones: &Vec<Tombstone>| stones.iter().filter(|t| t.present.is_none()).count() as u64;
    let removed_elsewhere = tombstones.as_ref().map_or(0, unlooked);
    let walked = Walked {
        metadata: &table.table.metadata,
        version,
        oldest_by_log: oldest,
        commits: &found.commits,
        anchors: &found.anchors,
        small: &found.small,
        target,
        tombstones: tombstones.as_deref().map_err(|why| *why),
        older,
        left_out,
        log: listing.dated.clone(),
        last_checkpoint: listing.checkpoints.last().map(|c| c.version),
        looked: present.is_some().then_some(Looked {
            missing_active: found.missing.len() as u64,
            elsewhere: found.elsewhere + removed_elsewhere,
        }),
        missing: found.named(),
        more_files: has_more_files(&table.table),
    };
    Ok(Past::of(walked, ask.retain, ask.now))
}

/// Whether there can be files besides the data files.
fn has_more_files(table: &Table) -> bool {
    table.protocol.features().iter().any(|f| f == "deletionVectors")
        || table.metadata.is_on("delta.enableChangeDataFeed")
}

/// The oldest version that can be rebuilt, and from which on each commit is there. (Versions that
/// only older checkpoints tell of, with commits missing after them, are not counted on.)
fn oldest(listing: &Listing, version: u64) -> u64 {
    let ranges = history::rebuildable(listing);
    let first = ranges.iter().find(|r| (r.first..=r.last).contains(&version)).map_or(version, |r| r.first);
    let end = listing.commits.partition_point(|c| c.version <= version);
    let back = listing.commits[..end].iter().rev().zip((first + 1..=version).rev());
    let steps = back.take_while(|(commit, wanted)| commit.version == *wanted).count() as u64;
    version - steps
}

/// What the walk collects.
struct Found {
    version: u64,
    follow: Follow,
    small_below: u64,
    commits: Vec<Commit>,
    anchors: Vec<Anchor>,
    small: Vec<SmallFiles>,
    /// Active files that are not there, with the first version that has them, once known.
    missing: FxHashMap<String, Option<u64>>,
    /// Active files outside the table's folder.
    elsewhere: u64,
}

impl Found {
    fn new(latest: &Files, total: Measures, target: SizeTarget, version: u64) -> Found {
        let level = Level {
            files: Some(total.files),
            bytes: Some(total.bytes),
            rows: total.rows(),
            small_files: Some(latest.list.sizes().filter(|s| *s < target.low).count() as u64),
        };
        Found {
            version,
            follow: Follow::default(),
            small_below: target.low,
            commits: Vec::new(),
            anchors: vec![Anchor { version, level }],
            small: Vec::new(),
            missing: HashMap::default(),
            elsewhere: 0,
        }
    }

    fn miss(&mut self, present: Option<&Present<'_>>, latest: &Files) {
        let Some(present) = present else { return };
        for file in latest.list.iter() {
            match present.has(file.path) {
                Some(true) => {}
                Some(false) => drop(self.missing.insert(file.path.to_owned(), None)),
                None => self.elsewhere += 1,
            }
        }
    }

    /// Reads the commits, each file followed from version `oldest` on. Gives what was removed before.
    async fn follow(
        &mut self,
        table: &OpenTable,
        oldest: u64,
        files: &[TailFile],
        watch: &Watch,
    ) -> Outcome<Tombstones> {
        let from_start = oldest == 0 && files.first().is_some_and(|f| f.version == 0);
        let mut older = Tombstones::default();
        self.follow = if from_start {
            Follow::from_start(self.small_below)
        } else {
            let start = table.at(AsOf::Version(oldest), watch).await?;
            let want = Want { records: true, tombstones: true, ..Want::default() };
            let start = start.files(want, watch).await?;
            older = start.tombstones.unwrap_or_default();
            Follow::from_list(oldest, &start.list, self.small_below)
        };
        let listing = table.listing();
        let mut times: FxHashMap<u64, Millis> =
            listing.commits.iter().map(|c| (c.version, c.modified)).collect();
        times.extend(file_times(listing));
        let parse = |group: &[(TailFile, Bytes)]| {
            let read = |(file, bytes): &(TailFile, Bytes)| {
                (file.version, CommitActions::parse(&String::from_utf8_lossy(bytes)))
            };
            Ok(group.iter().map(read).collect::<Vec<_>>())
        };
        let from = Source { store: &table.place.store, log: table.log_folder(), watch };
        let total = Some(files.len() as u64);
        read_commits(&from, files, Vec::new(), parse, |commits, done| {
            for (version, actions) in commits {
                let followed = from_start || version > oldest;
                self.take(version, &actions, times.get(&version).copied(), followed);
            }
            watch.progress(Progress::new("walking through the log", done as u64, total, "commits"));
            Ok(())
        })
        .await?;
        Ok(older)
    }

    fn take(&mut self, version: u64, actions: &CommitActions, time: Option<Millis>, followed: bool) {
        let mut commit = actions.commit(version, time, true);
        if followed {
            let step = self.follow.apply(version, actions);
            step.complete(&mut commit);
            self.small.push(step.small_files());
            if step.level.files.is_some() && version != self.version {
                self.anchors.push(step.anchor());
            }
        }
        if !self.missing.is_empty() {
            for file in &actions.added.kept {
                if let Some(since) = self.missing.get_mut(&file.path) {
                    since.get_or_insert(version);
                }
            }
        }
        self.commits.push(slim(commit));
    }

    /// The missing files, the one needed longest first.
    fn named(&self) -> Vec<MissingFile> {
        let mut all: Vec<(&Option<u64>, &String)> = self.missing.iter().map(|(path, v)| (v, path)).collect();
        all.sort_unstable();
        let named = |(first, path): (&Option<u64>, &String)| MissingFile {
            path: path.clone(),
            first_version: *first,
        };
        all.into_iter().take(NAMED).map(named).collect()
    }

    /// The removed files, and as such also active ones that are not there.
    fn tombstones(&self, present: Option<&Present<'_>>) -> Result<Vec<Tombstone>, &'static str> {
        if !self.follow.is_complete() {
            return Err("commits are missing or damaged, so that files cannot be followed through the log");
        }
        let look = |(path, stone): (String, Tombstone)| Tombstone {
            present: present.and_then(|p| p.has(&path)),
            ..stone
        };
        let mut out: Vec<Tombstone> = self.follow.tombstones_by_path().into_iter().map(look).collect();
        out.extend(self.missing.values().map(|since| Tombstone {
            added_in: *since,
            removed_in: self.version.saturating_add(1),
            present: Some(false),
            ..Tombstone::default()
        }));
        Ok(out)
    }
}
