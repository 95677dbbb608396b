//! Where replay starts: the newest checkpoint that can be read, else an older one, else commit 0.

use std::collections::BTreeSet;
use std::sync::Mutex;

use bytes::Bytes;
use object_store::path::Path;

use super::checkpoint::files::is_recoverable;
use super::checkpoint::{OpenCheckpoint, as_checkpoint};
use super::listing::{Checkpoint, Listing};
use super::segment::{self, TailFile, commit_name};
use super::state::State;
use super::tail::{self, Source};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::progress::Progress;
use crate::model::{Fault, Outcome};

/// Commits are kept in memory between opening a table and reading its files up to this size, so
/// that they are fetched once.
const KEEP_BYTES: u64 = 32 << 20;

/// A checkpoint, if any, and the commits after it.
pub struct Start {
    pub checkpoint: Option<OpenCheckpoint>,
    /// Newest first.
    pub tail: Vec<TailFile>,
    /// Of checkpoint and commits.
    pub state: State,
    kept: Mutex<Vec<(TailFile, Bytes)>>,
}

impl Start {
    /// The start with newer commits (newest first) on top.
    pub fn followed_by(&self, commits: &[(TailFile, Bytes)]) -> Outcome<Start> {
        let mut state = State::default();
        for (file, bytes) in commits {
            state = state.or_older(State::parse(file, bytes)?);
        }
        Ok(Start {
            checkpoint: self.checkpoint.clone(),
            tail: commits.iter().map(|(file, _)| file).chain(&self.tail).cloned().collect(),
            state: state.or_older(self.state.clone()),
            kept: Mutex::default(),
        })
    }

    /// The commits that were kept; whoever comes second reads them anew.
    pub fn take_kept(&self) -> Vec<(TailFile, Bytes)> {
        self.kept.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
    }
}

/// What turned out to be unreadable: not tried again.
#[derive(Debug, Clone, Default)]
pub struct Broken {
    /// Main files of checkpoints.
    checkpoints: BTreeSet<Path>,
    compacted: bool,
}

impl Broken {
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.checkpoints.extend(checkpoint.files.first().map(|f| f.path.clone()));
    }

    fn has(&self, checkpoint: &Checkpoint) -> bool {
        checkpoint.files.first().is_some_and(|f| self.checkpoints.contains(&f.path))
    }

    /// The checkpoint to try next for a version.
    pub fn next<'a>(&self, listing: &'a Listing, version: u64) -> Option<&'a Checkpoint> {
        listing.checkpoints_down_from(version).find(|c| !self.has(c))
    }
}

/// Finds the start for `version`, and reads the state there. What had to be got over is added to
/// `broken` and, in sentences, to `warnings`.
///
/// Faults: `log-gap`, `version-cleaned-up`, `bad-commit`, `bad-checkpoint`, those of the store.
pub async fn find(
    place: &Place,
    log: &Path,
    listing: &Listing,
    version: u64,
    broken: &mut Broken,
    warnings: &mut Vec<String>,
    watch: &Watch,
) -> Outcome<Start> {
    let mut first_fault: Option<Fault> = None;
    loop {
        let checkpoint = broken.next(listing, version);
        let tail = match segment::tail(listing, checkpoint, version, !broken.compacted) {
            Ok(tail) => tail,
            Err(missing) => return Err(gap(listing, checkpoint, version, missing, first_fault)),
        };
        let open = match checkpoint {
            Some(c) => {
                watch.progress(Progress::new(format!("opening checkpoint {}", c.version), 0, None, "files"));
                match OpenCheckpoint::open(&place.store, log, c, watch).await {
                    Ok(open) => Some(open),
                    Err(fault) if is_recoverable(&fault) => {
                        warnings.push(passed_over(c, &fault));
                        broken.checkpoint(c);
                        first_fault.get_or_insert(fault);
                        continue;
                    }
                    Err(fault) => return Err(fault),
                }
            }
            None => None,
        };
        match read_state(place, log, open, tail, watch).await {
            Err(fault) if !broken.compacted && is_of_compacted(&fault) => {
                warnings.push(format!(
                    "A compacted commit file was passed over. {}: {}",
                    fault.message, fault.cause
                ));
                broken.compacted = true;
            }
            Err(fault) if fault.code == "bad-checkpoint" => {
                let Some(checkpoint) = checkpoint else { return Err(fault) };
                warnings.push(passed_over(checkpoint, &fault));
                broken.checkpoint(checkpoint);
                first_fault.get_or_insert(fault);
            }
            done => return done,
        }
    }
}

/// The sentence that says that a checkpoint was not used.
pub fn passed_over(checkpoint: &Checkpoint, fault: &Fault) -> String {
    format!(
        "Checkpoint {} cannot be read and was passed over; older parts of the log stood in for it ({}: {})",
        checkpoint.version, fault.message, fault.cause
    )
}

/// Whether a `bad-commit` fault is about a compacted file: only those have two versions in their name.
fn is_of_compacted(fault: &Fault) -> bool {
    fault.code == "bad-commit" && fault.message.matches('.').count() == 2
}

async fn read_state(
    place: &Place,
    log: &Path,
    checkpoint: Option<OpenCheckpoint>,
    tail: Vec<TailFile>,
    watch: &Watch,
) -> Outcome<Start> {
    let keep = tail.iter().map(|f| f.size).sum::<u64>() <= KEEP_BYTES;
    let total = tail.len() as u64;
    let mut state = State::default();
    let mut kept = Vec::new();
    let parse = |files: &[(TailFile, Bytes)]| {
        let mut state = State::default();
        for (file, bytes) in files {
            state = state.or_older(State::parse(file, bytes)?);
        }
        Ok((state, files.to_vec()))
    };
    let from = Source { store: &place.store, log, watch };
    tail::read(&from, &tail, Vec::new(), parse, |(older, files), done| {
        state = std::mem::take(&mut state).or_older(older);
        if keep {
            kept.extend(files);
        }
        watch.progress(Progress::new("reading commits", done as u64, Some(total), "commits"));
        Ok(())
    })
    .await?;
    if let Some(open) = &checkpoint {
        let file = TailFile { name: open.name.clone(), version: open.version, size: 0, compacted: false };
        state = state.or_older(State::parse(&file, &open.small).map_err(as_checkpoint)?);
    }
    Ok(Start { checkpoint, tail, state, kept: Mutex::new(kept) })
}

/// Why `version` cannot be rebuilt, when commit `missing` is not there.
fn gap(
    listing: &Listing,
    checkpoint: Option<&Checkpoint>,
    version: u64,
    missing: u64,
    damaged: Option<Fault>,
) -> Fault {
    let ranges = listing.rebuildable();
    let name = commit_name(missing);
    if let Some(fault) = damaged {
        return Fault::read("bad-checkpoint", format!("Version {version} cannot be rebuilt"))
            .because(format!(
                "{} ({}), and without it {name} is needed, which is missing",
                fault.message, fault.cause
            ))
            .hint(others(&ranges));
    }
    let oldest = ranges.first().map(|(first, _)| *first);
    if checkpoint.is_none() && oldest.is_some_and(|oldest| version < oldest) {
        return Fault::read("version-cleaned-up", format!("Version {version} can no longer be rebuilt"))
            .because("its part of the log was cleaned up")
            .hint(others(&ranges));
    }
    let after = checkpoint.map_or(String::new(), |c| format!(", after checkpoint {}", c.version));
    Fault::read("log-gap", format!("Version {version} cannot be rebuilt: commit {missing} is missing"))
        .because(format!("the log has no {name}{after}"))
        .hint(others(&ranges))
}

fn others(ranges: &[(u64, u64)]) -> String {
    match ranges {
        [] => "No version can be rebuilt; look for a backup of _delta_log".into(),
        [(first, last), ..] if first == last => format!("Oldest version available: {first}"),
        [(first, last), ..] => format!("Oldest version available: {first} (up to {last})"),
    }
}
