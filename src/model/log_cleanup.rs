//! What a clean-up of expired log files would delete.

use serde::Serialize;

use super::units::Millis;

const DAY: Millis = 86_400_000;

/// What a file of the log folder is to the clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogFileKind {
    /// A complete checkpoint; of one in parts its last part. (`Checkpoint` sorts before the commit
    /// of its version, as the file names do.)
    Checkpoint,
    /// A part of a checkpoint, complete or not.
    CheckpointPart,
    /// A `.crc` file.
    Checksum,
    /// `N.json`.
    Commit,
}

/// A file of the log folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogFile {
    pub version: u64,
    pub kind: LogFileKind,
    /// The file's own time, as the store says; clean-up looks at no other.
    pub modified: Millis,
    pub bytes: u64,
}

/// What would be deleted: everything of versions below `keeps_from`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogCleanup {
    pub commits: u64,
    pub checkpoints: u64,
    /// Checksums and checkpoint parts.
    pub other_files: u64,
    pub bytes: u64,
    /// First and last version whose commit would go.
    pub first: Option<u64>,
    pub last: Option<u64>,
    /// The checkpoint from which versions stay readable; none if nothing would be deleted.
    pub keeps_from: Option<u64>,
    /// Files last written at or before this time are expired: now − retention, down to the UTC day.
    #[serde(serialize_with = "super::units::serialize_iso")]
    pub cut_off: Millis,
}

/// Spark's rule (`MetadataCleanup.cleanUpExpiredLogs`, `DeltaHistoryManager.BufferingLogDeletionIterator`;
/// protocol, "Metadata Cleanup"):
///
/// * the cut-off is `now` − `delta.logRetentionDuration`, truncated to midnight UTC;
/// * a commit whose time is not later than that of the commit before counts as one millisecond
///   later than that one (clocks go backwards; time travel must not change);
/// * files before a complete checkpoint are deleted if the last commit among them is not after the
///   cut-off and the checkpoint is not newer than the last one known: so the newest checkpoint
///   whose predecessors are all expired, all after it, and everything where there is no checkpoint stay.
///
/// Spark also adjusts checkpoint files to the commits before them and commits to checkpoints; this
/// differs only where clocks went backwards, and then keeps what Spark may delete.
///
/// Writers do this only where `delta.enableExpiredLogCleanup` holds, and while writing a checkpoint.
/// `last_checkpoint`: what `_last_checkpoint` says, else the newest complete one. The order of
/// `files` does not matter.
pub fn log_cleanup(
    mut files: Vec<LogFile>,
    last_checkpoint: Option<u64>,
    retention: Millis,
    now: Millis,
) -> LogCleanup {
    let cut_off = now.saturating_sub(retention.max(0)).div_euclid(DAY).saturating_mul(DAY);
    let mut out = LogCleanup { cut_off, ..LogCleanup::default() };
    let Some(last_checkpoint) = last_checkpoint else { return out };
    files.sort_by_key(|f| (f.version, f.kind));
    let keeps_from = kept_checkpoint(&files, last_checkpoint, cut_off);
    for file in files.iter().filter(|f| keeps_from.is_some_and(|k| f.version < k)) {
        out.bytes = out.bytes.saturating_add(file.bytes);
        match file.kind {
            LogFileKind::Checkpoint => out.checkpoints += 1,
            LogFileKind::CheckpointPart | LogFileKind::Checksum => out.other_files += 1,
            LogFileKind::Commit => {
                out.commits += 1;
                out.first = out.first.or(Some(file.version));
                out.last = Some(file.version);
            }
        }
    }
    let any = out.commits + out.checkpoints + out.other_files > 0;
    out.keeps_from = keeps_from.filter(|_| any);
    out
}

/// The newest checkpoint before which all files may go.
fn kept_checkpoint(files: &[LogFile], last_checkpoint: u64, cut_off: Millis) -> Option<u64> {
    let mut kept = None;
    // The newest commit so far, at its adjusted time; before the first commit, the newest file.
    let mut clock: Option<Millis> = None;
    let mut commits = false;
    for file in files {
        if file.kind == LogFileKind::Checkpoint {
            if file.version > last_checkpoint || clock.is_some_and(|t| t > cut_off) {
                break;
            }
            kept = Some(file.version);
        }
        let commit = file.kind == LogFileKind::Commit;
        if commit || !commits {
            let later = clock.filter(|_| commits).map_or(Millis::MIN, |t| t.saturating_add(1));
            clock = Some(file.modified.max(later));
            commits |= commit;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn commit(version: u64, day: i64) -> LogFile {
        LogFile { version, kind: LogFileKind::Commit, modified: day * DAY + 1, bytes: 10 }
    }

    fn checkpoint(version: u64, day: i64) -> LogFile {
        LogFile { version, kind: LogFileKind::Checkpoint, modified: day * DAY + 2, bytes: 100 }
    }

    /// A commit a day from day 0 on, a checkpoint each ten.
    fn daily(days: u64) -> Vec<LogFile> {
        let checkpoints = (10..days).step_by(10).map(|v| checkpoint(v, v as i64));
        (0..days).map(|v| commit(v, v as i64)).chain(checkpoints).collect()
    }

    #[test]
    fn only_what_an_old_enough_checkpoint_replaces_goes() {
        // Day 55, 30 days kept: cut-off is midnight of day 25, so commit 24 is the last expired one.
        let got = log_cleanup(daily(50), Some(40), 30 * DAY, 55 * DAY + 5);
        assert_eq!((got.commits, got.checkpoints, got.bytes), (20, 1, 300));
        assert_eq!((got.first, got.last, got.keeps_from), (Some(0), Some(19), Some(20)));
        // Commit 29 expires when the cut-off is midnight of day 30.
        assert_eq!(log_cleanup(daily(50), Some(40), 30 * DAY, 59 * DAY).keeps_from, Some(20));
        assert_eq!(log_cleanup(daily(50), Some(40), 30 * DAY, 60 * DAY).keeps_from, Some(30));
    }

    #[test]
    fn nothing_goes_without_a_checkpoint_or_before_its_time() {
        let commits: Vec<LogFile> = (0..50).map(|v| commit(v, v as i64)).collect();
        assert_eq!(log_cleanup(commits.clone(), None, 0, 999 * DAY).commits, 0);
        assert_eq!(log_cleanup(commits, Some(40), 0, 999 * DAY).keeps_from, None);
        assert_eq!(log_cleanup(daily(50), Some(40), 30 * DAY, 31 * DAY).commits, 0);
        assert_eq!(log_cleanup(daily(50), Some(10), 0, 999 * DAY).keeps_from, Some(10));
    }

    #[test]
    fn a_clock_that_went_back_keeps_files_longer() {
        let mut files = daily(30);
        files[5].modified = 100 * DAY;
        assert_eq!(log_cleanup(files, Some(20), 30 * DAY, 90 * DAY).commits, 0);
    }

    proptest! {
        #[test]
        fn the_kept_state_can_be_rebuilt(
            days in proptest::collection::vec(-5i64..100, 1..60),
            points in proptest::collection::btree_set(0u64..60, 0..6),
            now in 0i64..200,
            keep in 0i64..50,
        ) {
            let mut files: Vec<LogFile> = days.iter().enumerate().map(|(v, d)| commit(v as u64, *d)).collect();
            let points: Vec<u64> = points.into_iter().filter(|p| *p < days.len() as u64).collect();
            files.extend(points.iter().map(|p| checkpoint(*p, days[*p as usize])));
            let got = log_cleanup(files, points.last().copied(), keep * DAY, now * DAY);
            match got.keeps_from {
                Some(kept) => {
                    prop_assert!(points.contains(&kept));
                    prop_assert_eq!(got.commits, kept);
                    for day in &days[..kept as usize] {
                        prop_assert!(day * DAY <= got.cut_off);
                    }
                }
                None => prop_assert_eq!((got.commits, got.bytes), (0, 0)),
            }
        }
    }
}
