//! The commits to replay on top of a checkpoint.

use object_store::path::Path;

use super::listing::{Checkpoint, Listing};

/// A commit file, or a compacted one that stands for several commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailFile {
    pub name: String,
    /// The newest version in it.
    pub version: u64,
    /// Bytes.
    pub size: u64,
    pub compacted: bool,
}

impl TailFile {
    pub fn commit(version: u64, size: u64) -> Self {
        TailFile { name: commit_name(version), version, size, compacted: false }
    }

    pub fn path(&self, log: &Path) -> Path {
        log.clone().join(self.name.as_str())
    }
}

/// The name of a version's commit file.
pub fn commit_name(version: u64) -> String {
    format!("{version:020}.json")
}

/// The files after `checkpoint` (none: from version 0) up to `version`, newest first; or the
/// version whose commit is missing. Compacted files are used where they save reading, if
/// `compacted` says so, and where they bridge a gap.
pub fn tail(
    listing: &Listing,
    checkpoint: Option<&Checkpoint>,
    version: u64,
    compacted: bool,
) -> Result<Vec<TailFile>, u64> {
    let mut next = checkpoint.map_or(0, |c| c.version + 1);
    let mut files = Vec::new();
    while next <= version {
        // One that begins earlier serves too: it holds the last word on each file that it names.
        let after = listing.compacted.partition_point(|c| c.from <= next);
        let bridges = listing.compacted[..after].iter().filter(|c| (next..=version).contains(&c.to));
        let bridge = bridges.max_by_key(|c| (c.to, c.from));
        match (bridge, listing.commit(next)) {
            (Some(bridge), commit) if commit.is_none() || (compacted && bridge.from == next) => {
                files.push(TailFile {
                    name: format!("{:020}.{:020}.json", bridge.from, bridge.to),
                    version: bridge.to,
                    size: bridge.size,
                    compacted: true,
                });
                next = bridge.to + 1;
            }
            (_, Some(commit)) => {
                files.push(TailFile::commit(next, commit.size));
                next += 1;
            }
            (_, None) => return Err(next),
        }
    }
    files.reverse();
    Ok(files)
}
