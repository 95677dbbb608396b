//! A table's history as a whole: how it grew, how it is written, how much of it can be kept.

use std::collections::BTreeMap;

use serde::Serialize;

use super::expiry::{HistoryCost, Horizon, Tombstone, history_cost};
use super::history::Commit;
use super::levels::{Anchor, SmallFiles};
use super::log_cleanup::{LogCleanup, LogFile, log_cleanup};
use super::operation::OperationKind;
use super::pattern::{Patterns, patterns};
use super::retention::Retention;
use super::table::{Metadata, Tombstones};
use super::target::SizeTarget;
use super::trend_rates::{OperationShare, operation_mix};
use super::trends::Trends;
use super::units::Millis;

/// Ranges of versions that the costs of history are told for.
pub const RANGES: usize = 8;

/// What was found by walking through the log.
#[derive(Debug)]
pub struct Walked<'a> {
    pub metadata: &'a Metadata,
    pub version: u64,
    /// The oldest version that can be rebuilt and from which on each commit up to `version` is there.
    pub oldest_by_log: u64,
    /// Of the versions up to `version`, in any order.
    pub commits: &'a [Commit],
    pub anchors: &'a [Anchor],
    pub small: &'a [SmallFiles],
    pub target: SizeTarget,
    /// None if the files could not be followed through the whole log; and why.
    pub tombstones: Result<&'a [Tombstone], &'static str>,
    /// Remove actions of commits before the walk, which no version needs that can be rebuilt.
    pub older: Tombstones,
    /// Commits that were left out because there are too many.
    pub left_out: u64,
    /// Files of the log folder, and the newest complete checkpoint.
    pub log: Vec<LogFile>,
    pub last_checkpoint: Option<u64>,
    /// None if the data files were not listed.
    pub looked: Option<Looked>,
    /// The missing active files, or the first ones of many.
    pub missing: Vec<MissingFile>,
    /// The table can have deletion vectors or change data, which are files too and were not followed.
    pub more_files: bool,
}

/// What a listing of the data files tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Looked {
    /// Active files whose data is not there.
    pub missing_active: u64,
    /// Files outside the table's folder (a shallow clone's), which were not looked at.
    pub elsewhere: u64,
}

/// An active file whose data is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MissingFile {
    pub path: String,
    /// The first version that needs it; none if its add is no longer in the log.
    pub first_version: Option<u64>,
}

/// The history as a whole, at one version and one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    pub version: u64,
    /// When it was looked at.
    pub now: Millis,
    pub trends: Trends,
    pub patterns: Patterns,
    pub mix: BTreeMap<OperationKind, OperationShare>,
    /// Files below this size, bytes, are small.
    pub small_below: u64,
    pub left_out: u64,
    pub keeping: Keeping,
}

/// What is kept, for how long, and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Keeping {
    pub retention: Retention,
    /// What a vacuum is assumed to keep, milliseconds.
    pub retain: Millis,
    /// None if the files could not be followed; then `unknown` says why.
    pub horizon: Option<Horizon>,
    pub unknown: Option<&'static str>,
    /// Oldest versions first.
    pub costs: Vec<HistoryCost>,
    pub cleanup: LogCleanup,
    /// Files removed before the oldest version; a vacuum may delete them without ending a version.
    pub older: Tombstones,
    pub looked: Option<Looked>,
    /// The missing active files by the version that needs them first; of many the first ones.
    pub missing: Vec<MissingFile>,
    /// Only data files are told of: deletion vectors and change data come on top.
    pub more_files: bool,
}

impl Past {
    /// `retain`: what a vacuum keeps, milliseconds; none: as the table's properties say.
    pub fn of(walked: Walked<'_>, retain: Option<Millis>, now: Millis) -> Past {
        let trends = Trends::of(walked.commits, walked.anchors, walked.small, now);
        let patterns = patterns(walked.commits, &trends, &walked.target, now);
        let mix = operation_mix(walked.commits);
        let (version, small_below, left_out) = (walked.version, walked.target.low, walked.left_out);
        Past {
            version,
            now,
            trends,
            patterns,
            mix,
            small_below,
            left_out,
            keeping: Keeping::of(walked, retain, now),
        }
    }
}

impl Keeping {
    fn of(walked: Walked<'_>, retain: Option<Millis>, now: Millis) -> Keeping {
        let retention = Retention::of(&walked.metadata.configuration);
        let retain = retain.unwrap_or(retention.deleted_files.value);
        let (oldest, latest) = (walked.oldest_by_log, walked.version);
        let (horizon, costs) = match walked.tombstones {
            Ok(stones) => (
                Some(Horizon::of(stones, walked.looked.is_some(), oldest, latest, retain, now)),
                history_cost(stones, oldest, latest, RANGES),
            ),
            Err(_) => (None, Vec::new()),
        };
        Keeping {
            cleanup: log_cleanup(walked.log, walked.last_checkpoint, retention.log.value, now),
            retention,
            retain,
            horizon,
            unknown: walked.tombstones.err(),
            costs,
            older: walked.older,
            looked: walked.looked,
            missing: walked.missing,
            more_files: walked.more_files,
        }
    }

    /// Bytes that history keeps beyond the active files, as far as removes state them.
    pub fn history_bytes(&self) -> u64 {
        self.costs.last().map_or(0, |c| c.cumulative_bytes)
    }
}
