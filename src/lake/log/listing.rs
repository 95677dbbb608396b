//! What a log folder holds, from one listing.

use std::collections::{BTreeMap, BTreeSet};

use object_store::ObjectMeta;
use object_store::path::Path;

use super::names::{CheckpointName, LogName};
use crate::model::log_cleanup::{self, LogFileKind};
use crate::model::units::Millis;

/// The files of a log folder, sorted out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// By version, ascending.
    pub commits: Vec<CommitFile>,
    /// By first version, ascending.
    pub compacted: Vec<CompactedFile>,
    /// Complete ones, by version, ascending.
    pub checkpoints: Vec<Checkpoint>,
    /// Versions with a `.crc`, ascending.
    pub crcs: Vec<u64>,
    pub has_hint: bool,
    /// Commits, checkpoints and checksums with their times, by version, ascending: what a clean-up of
    /// the log looks at.
    pub dated: Vec<log_cleanup::LogFile>,
    /// Bytes of all files directly in the folder.
    pub bytes: u64,
    /// Files of any kind directly in the folder.
    pub files: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitFile {
    pub version: u64,
    pub size: u64,
    /// The file's time in the store.
    pub modified: Millis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactedFile {
    pub from: u64,
    pub to: u64,
    pub size: u64,
}

/// A complete checkpoint: all its files are there (sidecars, which only it can name, aside).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub version: u64,
    pub json: bool,
    pub files: Vec<LogFile>,
}

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    pub path: Path,
    /// Bytes.
    pub size: u64,
}

impl Listing {
    pub fn new(objects: Vec<ObjectMeta>) -> Self {
        let mut listing = Listing { files: objects.len(), ..Listing::default() };
        let mut parts: BTreeMap<(u64, u32), BTreeMap<u32, LogFile>> = BTreeMap::new();
        for object in objects {
            listing.bytes += object.size;
            let name = object.location.filename().unwrap_or_default();
            let (bytes, modified) = (object.size, object.last_modified.timestamp_millis());
            let mut date = |version, kind| {
                listing.dated.push(log_cleanup::LogFile { version, kind, modified, bytes });
            };
            let name = LogName::parse(name);
            match name {
                LogName::Commit(version) => date(version, LogFileKind::Commit),
                LogName::Crc(version) => date(version, LogFileKind::Checksum),
                LogName::Checkpoint(version, CheckpointName::Part { part, of }) if part < of => {
                    date(version, LogFileKind::CheckpointPart);
                }
                LogName::Checkpoint(version, _) => date(version, LogFileKind::Checkpoint),
                LogName::Compacted(..) | LogName::Hint | LogName::Stray => {}
            }
            match name {
                LogName::Commit(version) => listing.commits.push(CommitFile {
                    version,
                    size: object.size,
                    modified: object.last_modified.timestamp_millis(),
                }),
                LogName::Compacted(from, to) => {
                    listing.compacted.push(CompactedFile { from, to, size: object.size });
                }
                LogName::Checkpoint(version, kind) => {
                    let json = kind == CheckpointName::UuidJson;
                    let file = LogFile { path: object.location, size: object.size };
                    if let CheckpointName::Part { part, of } = kind {
                        parts.entry((version, of)).or_default().insert(part, file);
                    } else {
                        listing.checkpoints.push(Checkpoint { version, json, files: vec![file] });
                    }
                }
                LogName::Crc(version) => listing.crcs.push(version),
                LogName::Hint => listing.has_hint = true,
                LogName::Stray => {}
            }
        }
        for ((version, of), files) in parts {
            if files.len() == of as usize {
                let files = files.into_values().collect();
                listing.checkpoints.push(Checkpoint { version, json: false, files });
            }
        }
        listing.commits.sort_unstable_by_key(|c| c.version);
        listing.commits.dedup_by_key(|c| c.version);
        listing.compacted.sort_unstable_by_key(|c| (c.from, c.to));
        listing.checkpoints.sort_by_key(|c| c.version);
        listing.crcs.sort_unstable();
        listing.dated.sort_by_key(|f| (f.version, f.kind));
        listing
    }

    /// The listing with these commits, which follow the ones that it has.
    #[must_use]
    pub fn with(&self, commits: impl Iterator<Item = CommitFile>) -> Listing {
        let mut out = self.clone();
        for commit in commits {
            out.bytes += commit.size;
            out.files += 1;
            let CommitFile { version, size: bytes, modified } = commit;
            out.dated.push(log_cleanup::LogFile { version, kind: LogFileKind::Commit, modified, bytes });
            out.commits.push(commit);
        }
        out
    }

    pub fn commit(&self, version: u64) -> Option<&CommitFile> {
        let at = self.commits.binary_search_by_key(&version, |c| c.version).ok()?;
        self.commits.get(at)
    }

    /// The newest version that the folder names.
    pub fn newest(&self) -> Option<u64> {
        let commit = self.commits.last().map(|c| c.version);
        commit.max(self.checkpoints.last().map(|c| c.version))
    }

    /// Complete checkpoints at or below `version`, newest first.
    pub fn checkpoints_down_from(&self, version: u64) -> impl Iterator<Item = &Checkpoint> {
        let end = self.checkpoints.partition_point(|c| c.version <= version);
        self.checkpoints[..end].iter().rev()
    }

    /// The versions that can be rebuilt from these files, as ascending ranges (both ends included).
    pub fn rebuildable(&self) -> Vec<(u64, u64)> {
        let mut starts: BTreeSet<u64> = self.checkpoints.iter().map(|c| c.version).collect();
        starts.extend(self.commit(0).map(|_| 0));
        starts.extend(self.compacted.iter().filter(|c| c.from == 0).map(|c| c.to));
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        while let Some(start) = starts.pop_first() {
            let begin = match ranges.last() {
                Some((_, end)) if start <= *end => continue,
                Some((first, end)) if end + 1 == start => *first,
                _ => start,
            };
            if begin < start {
                ranges.pop();
            }
            let end = self.contiguous(start);
            ranges.push((begin, end));
            let bridges = self.compacted.iter().filter(|c| c.from <= end + 1 && c.to > end);
            starts.extend(bridges.map(|c| c.to));
        }
        ranges
    }

    /// How far commit files lead on from a state at `version`.
    fn contiguous(&self, version: u64) -> u64 {
        let after = self.commits.partition_point(|c| c.version <= version);
        let steps = self.commits[after..].iter().zip(version + 1..).take_while(|(c, v)| c.version == *v);
        version + steps.count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(names: &[&str]) -> Listing {
        let object = |name: &&str| ObjectMeta {
            location: Path::from(format!("t/_delta_log/{name}")),
            last_modified: chrono::DateTime::UNIX_EPOCH,
            size: 10,
            e_tag: None,
            version: None,
        };
        Listing::new(names.iter().map(object).collect())
    }

    fn commits(versions: impl IntoIterator<Item = u64>) -> Vec<String> {
        versions.into_iter().map(|v| format!("{v:020}.json")).collect()
    }

    fn ranges(commit_versions: &[u64], more: &[&str]) -> Vec<(u64, u64)> {
        let own = commits(commit_versions.iter().copied());
        let names: Vec<&str> = own.iter().map(String::as_str).chain(more.iter().copied()).collect();
        listing(&names).rebuildable()
    }

    #[test]
    fn what_can_be_rebuilt() {
        let c3 = "00000000000000000003.checkpoint.parquet";
        assert_eq!(ranges(&[0, 1, 2], &[]), [(0, 2)]);
        assert_eq!(ranges(&[0, 2], &[]), [(0, 0)]);
        assert_eq!(ranges(&[1, 2], &[]), []);
        assert_eq!(ranges(&[4, 5], &[c3]), [(3, 5)]);
        assert_eq!(ranges(&[0, 1, 2, 3, 4], &[c3]), [(0, 4)]);
        assert_eq!(ranges(&[0, 1, 2, 4], &[c3]), [(0, 4)]);
        assert_eq!(ranges(&[0, 4, 6], &[c3]), [(0, 0), (3, 4)]);
        let bridge = "00000000000000000002.00000000000000000004.json";
        assert_eq!(ranges(&[0, 1, 5], &[bridge]), [(0, 1), (4, 5)]);
        assert_eq!(ranges(&[5], &[c3, bridge]), [(3, 5)]);
    }

    #[test]
    fn a_checkpoint_needs_all_its_parts() {
        let part = |n| format!("00000000000000000005.checkpoint.{n:010}.0000000002.parquet");
        assert_eq!(listing(&[&part(1)]).checkpoints, []);
        assert_eq!(listing(&[&part(2), &part(1)]).checkpoints[0].files.len(), 2);
        assert_eq!(listing(&[&part(2), &part(1)]).newest(), Some(5));
    }
}
