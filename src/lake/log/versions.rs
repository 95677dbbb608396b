//! From "as of" to a version.

use bytes::Bytes;
use object_store::path::Path;

use super::action::TimestampLine;
use super::lines;
use super::listing::Listing;
use super::segment::TailFile;
use super::store;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::table::Metadata;
use crate::model::units::{Millis, exact_time};
use crate::model::{Fault, Outcome};

/// The versions whose commits carry in-commit timestamps (protocol, "In-Commit Timestamps").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InCommit {
    /// The first version that has one.
    pub since_version: u64,
    /// Its timestamp.
    pub since_time: Millis,
}

impl InCommit {
    /// None if the table does not use them.
    pub fn of(metadata: &Metadata) -> Option<InCommit> {
        if !metadata.is_on("delta.enableInCommitTimestamps") {
            return None;
        }
        let property = |name: &str| metadata.configuration.get(name);
        let version = property("delta.inCommitTimestampEnablementVersion").and_then(|v| v.parse().ok());
        let time = property("delta.inCommitTimestampEnablementTimestamp").and_then(|v| v.parse().ok());
        // Without these the table had them from its first commit on.
        Some(InCommit { since_version: version.unwrap_or(0), since_time: time.unwrap_or(Millis::MIN) })
    }
}

/// Checks that the log can tell of `version`.
pub fn check(listing: &Listing, version: u64) -> Outcome<u64> {
    match listing.newest() {
        Some(newest) if version > newest => {
            Err(Fault::read("no-such-version", format!("Version {version} does not exist"))
                .because(format!("the latest version is {newest}"))
                .hint(format!("Use `--as-of {newest}` or leave it out")))
        }
        _ => Ok(version),
    }
}

/// The newest version whose commit is not after `time`.
pub async fn at_time(
    place: &Place,
    log: &Path,
    listing: &Listing,
    in_commit: Option<InCommit>,
    time: Millis,
    watch: &Watch,
) -> Outcome<u64> {
    let times = file_times(listing);
    let (found, oldest) = match in_commit {
        Some(since) if time >= since.since_time => {
            let from = times.partition_point(|(version, _)| *version < since.since_version);
            let mut low = from;
            let mut high = times.len();
            // The protocol makes in-commit timestamps increase from version to version.
            while low < high {
                let middle = usize::midpoint(low, high);
                let (version, file_time) = times[middle];
                let at = in_commit_timestamp(place, log, listing, version, watch).await?.unwrap_or(file_time);
                if at <= time { low = middle + 1 } else { high = middle }
            }
            (low.checked_sub(1).map(|i| times[i].0), None)
        }
        Some(since) => by_file_time(&times, time, since.since_version),
        None => by_file_time(&times, time, u64::MAX),
    };
    found.ok_or_else(|| {
        let why = match oldest {
            Some((version, at)) => {
                format!("the oldest version in the log is {version} of {}", exact_time(at))
            }
            None => "the log has no version as old as that".into(),
        };
        Fault::read("no-such-version", format!("There is no version as of {} (UTC)", exact_time(time)))
            .because(why)
            .hint("Give a later time, or a version number")
    })
}

/// A version and its time.
pub type Timed = (u64, Millis);

fn by_file_time(times: &[Timed], time: Millis, below: u64) -> (Option<u64>, Option<Timed>) {
    let end = times.partition_point(|(version, at)| *version < below && *at <= time);
    (end.checked_sub(1).map(|i| times[i].0), times.first().copied())
}

/// The times of the commit files that can be replayed, made to increase as Spark does: one
/// millisecond after the commit before where the clock went back.
pub fn file_times(listing: &Listing) -> Vec<Timed> {
    let ranges = listing.rebuildable();
    let readable = |version: u64| ranges.iter().any(|(from, to)| (*from..=*to).contains(&version));
    let mut last = Millis::MIN;
    let commits = listing.commits.iter().filter(|c| readable(c.version));
    commits
        .map(|c| {
            last = c.modified.max(last.saturating_add(1));
            (c.version, last)
        })
        .collect()
}

/// The time of one version by its commit file, as [`file_times`] has it; of a commit that cannot be
/// replayed the file's own time.
pub fn file_time(listing: &Listing, version: u64) -> Option<Millis> {
    let times = file_times(listing);
    match times.binary_search_by_key(&version, |(v, _)| *v) {
        Ok(at) => Some(times[at].1),
        Err(_) => listing.commit(version).map(|c| c.modified),
    }
}

/// The in-commit timestamp of a version, if its commit is there and has one.
pub async fn in_commit_timestamp(
    place: &Place,
    log: &Path,
    listing: &Listing,
    version: u64,
    watch: &Watch,
) -> Outcome<Option<Millis>> {
    /// commitInfo comes first in such commits.
    const ENOUGH: u64 = 64 << 10;
    let Some(commit) = listing.commit(version) else {
        return Ok(None);
    };
    let path = TailFile::commit(version, commit.size).path(log);
    let bytes = if commit.size <= ENOUGH {
        store::get(&place.store, &path, watch).await?
    } else {
        let head = 0..ENOUGH;
        store::get_ranges(&place.store, &path, std::slice::from_ref(&head), watch)
            .await?
            .pop()
            .unwrap_or_else(Bytes::new)
    };
    Ok(stated_in_commit(&bytes))
}

/// The in-commit timestamp in a commit's content, or in its beginning.
pub fn stated_in_commit(bytes: &Bytes) -> Option<Millis> {
    let (lines, _) = lines::parse::<TimestampLine>(bytes, &["{\"add\"", "{\"remove\"", "{\"metaData\""]);
    lines.into_iter().find_map(|l| l.commit_info?.in_commit_timestamp.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_time() {
        let times = [(3, 10), (4, 20), (5, 30)];
        assert_eq!(by_file_time(&times, 9, u64::MAX).0, None);
        assert_eq!(by_file_time(&times, 10, u64::MAX).0, Some(3));
        assert_eq!(by_file_time(&times, 29, u64::MAX).0, Some(4));
        assert_eq!(by_file_time(&times, 99, u64::MAX).0, Some(5));
        assert_eq!(by_file_time(&times, 99, 4).0, Some(3));
    }

    #[test]
    fn who_has_in_commit_timestamps() {
        let mut metadata = Metadata::default();
        assert_eq!(InCommit::of(&metadata), None);
        metadata.configuration.insert("delta.enableInCommitTimestamps".into(), "true".into());
        assert_eq!(InCommit::of(&metadata).map(|i| i.since_version), Some(0));
        metadata.configuration.insert("delta.inCommitTimestampEnablementVersion".into(), "7".into());
        assert_eq!(InCommit::of(&metadata).map(|i| i.since_version), Some(7));
    }
}
