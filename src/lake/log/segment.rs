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
        let commit = listing.commit(next);
        // Where a commit is missing, one that begins earlier does too: it holds the last action of
        // each file that its commits touched, so that replaying some of them twice changes nothing.
        let fits = |from: u64| if commit.is_none() { from <= next } else { from == next };
        let bridges = listing.compacted.iter().filter(|c| fits(c.from) && (next..=version).contains(&c.to));
        let bridge = bridges.max_by_key(|c| c.to);
        match (bridge, commit) {
            (Some(bridge), commit) if compacted || commit.is_none() => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str], checkpoint: Option<u64>, version: u64) -> Result<Vec<String>, u64> {
        let object = |name: &&str| object_store::ObjectMeta {
            location: Path::from(format!("t/_delta_log/{name}")),
            last_modified: chrono::DateTime::UNIX_EPOCH,
            size: 10,
            e_tag: None,
            version: None,
        };
        let listing = Listing::new(files.iter().map(object).collect());
        let checkpoint = checkpoint.map(|version| Checkpoint { version, json: false, files: Vec::new() });
        let files = tail(&listing, checkpoint.as_ref(), version, true)?;
        Ok(files.into_iter().map(|f| f.name).collect())
    }

    #[test]
    fn a_compacted_file_that_begins_earlier_bridges_a_gap() {
        let (bridge, two) = ("00000000000000000000.00000000000000000001.json", "00000000000000000002.json");
        assert_eq!(names(&[bridge, two], Some(0), 2), Ok(vec![two.into(), bridge.into()]));
        assert_eq!(names(&[bridge, two], None, 1), Ok(vec![bridge.into()]));
        assert_eq!(names(&[two], Some(0), 2), Err(1));
    }
}
