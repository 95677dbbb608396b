//! The newest commits read whole: what they did to files, and what each operation wrote.

use std::collections::HashMap;

use bytes::Bytes;
use rustc_hash::FxHashSet;
use serde_json::value::RawValue;

use super::history::read_with;
use super::log::{OpenTable, Source, TailFile, decode_path, file_times, num_records_escaped, read_commits};
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::double_rewrite::{Detector, DoubleRewrite, Step, StepKind, Told};
use crate::model::evidence::HistoryEvidence;
use crate::model::history::Commit;
use crate::model::progress::Progress;
use crate::model::table::AsOf;
use crate::model::trend_rates::operation_mix;
use crate::model::units::Millis;

/// Bytes of commits that are read at most: beyond them, older commits are left alone.
const MOST_BYTES: u64 = 128 << 20;

/// A commit's line of the history, and what it did to files.
struct Read {
    commit: Commit,
    steps: Vec<(String, StepKind, Option<u64>)>,
}

/// Reads up to `limit` commits from the table's version down, as far as they follow each other.
pub async fn search(table: &OpenTable, limit: usize, watch: &Watch) -> Outcome<HistoryEvidence> {
    let times: HashMap<u64, Millis> = file_times(table.listing()).into_iter().collect();
    Ok(evidence(reads(table, limit, &times, watch).await?, &times))
}

/// The double rewrites among them whose damage still stands, and the decoded paths of the files that
/// may hold it.
pub async fn double_rewrites(
    table: &OpenTable,
    limit: usize,
    watch: &Watch,
) -> Outcome<(Vec<DoubleRewrite>, FxHashSet<Box<str>>)> {
    let times: HashMap<u64, Millis> = file_times(table.listing()).into_iter().collect();
    Ok(detector(&reads(table, limit, &times, watch).await?, &times).finish_with_files())
}

async fn reads(
    table: &OpenTable,
    limit: usize,
    times: &HashMap<u64, Millis>,
    watch: &Watch,
) -> Outcome<Vec<Read>> {
    let files = newest(table, limit);
    let parse = {
        let times = times.clone();
        move |commits: &[(TailFile, Bytes)]| {
            let time = |version| times.get(version).copied().unwrap_or_default();
            Ok(commits.iter().map(|(file, bytes)| read(file.version, time(&file.version), bytes)).collect())
        }
    };
    let total = files.len() as u64;
    let mut reads: Vec<Read> = Vec::with_capacity(files.len());
    let from = Source { store: &table.place.store, log: table.log_folder(), watch };
    read_commits(&from, &files, Vec::new(), parse, |more: Vec<Read>, done| {
        reads.extend(more);
        watch.progress(Progress::new("searching the history", done as u64, Some(total), "commits"));
        Ok(())
    })
    .await?;
    // What a damaged commit did is not known, so nothing older can be told.
    let whole = reads.iter().take_while(|r| !r.commit.incomplete).count();
    reads.truncate(whole);
    Ok(reads)
}

/// The commits that follow each other, newest first.
fn newest(table: &OpenTable, limit: usize) -> Vec<TailFile> {
    let listing = table.listing();
    let mut files: Vec<TailFile> = Vec::new();
    let (mut next, mut bytes) = (Some(table.table.version), 0u64);
    while let Some(commit) = next.and_then(|v| listing.commit(v)).filter(|_| files.len() < limit) {
        bytes = bytes.saturating_add(commit.size);
        if bytes > MOST_BYTES && !files.is_empty() {
            break;
        }
        files.push(TailFile::commit(commit.version, commit.size));
        next = commit.version.checked_sub(1);
    }
    files
}

fn read(version: u64, modified: Millis, bytes: &Bytes) -> Read {
    let mut steps = Vec::new();
    let commit = read_with(version, modified, bytes, |line| {
        if let Some(path) = line.add.as_ref().and_then(|a| a.path.0.as_deref()) {
            let rows = records(line.add.as_ref().and_then(|a| a.stats));
            steps.push((decode_path(path).into_owned(), StepKind::Add, rows));
        }
        if let Some(path) = line.remove.as_ref().and_then(|r| r.path.0.as_deref()) {
            // Its add action may be in a commit that is cleaned up, or older than those read.
            let rows = records(line.remove.as_ref().and_then(|r| r.stats));
            steps.push((decode_path(path).into_owned(), StepKind::Remove, rows));
        }
    });
    Read { commit, steps }
}

fn records(stats: Option<&RawValue>) -> Option<u64> {
    stats.map(RawValue::get).and_then(num_records_escaped)
}

fn detector(reads: &[Read], times: &HashMap<u64, Millis>) -> Detector {
    let mut detector = Detector::default();
    for read in reads {
        let steps = read.steps.iter().map(|(path, kind, rows)| Step { path, kind: *kind, rows: *rows });
        let commit = &read.commit;
        let told =
            Told::of(commit.version, commit.operation.as_deref(), commit.operation_parameters.as_ref());
        let restored = restored(commit, times);
        detector.push(commit.version, Told { restored, ..told }, steps);
    }
    detector
}

fn evidence(reads: Vec<Read>, times: &HashMap<u64, Millis>) -> HistoryEvidence {
    let double_rewrites = detector(&reads, times).finish();
    let commits: Vec<Commit> = reads.into_iter().map(|r| r.commit).collect();
    let versions = commits.last().zip(commits.first()).map(|(old, new)| (old.version, new.version));
    HistoryEvidence {
        versions,
        complete: versions.is_some_and(|(oldest, _)| oldest == 0),
        double_rewrites,
        operations: operation_mix(&commits),
    }
}

/// The version that a RESTORE went back to: it states its number, or a time.
fn restored(commit: &Commit, times: &HashMap<u64, Millis>) -> Option<u64> {
    if !commit.operation.as_deref()?.eq_ignore_ascii_case("restore") {
        return None;
    }
    let stated = |name: &str| {
        let value = commit.operation_parameters.as_ref()?.get(name)?;
        value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|n| n.to_string()))
    };
    if let Some(version) = stated("version").and_then(|v| v.parse().ok()) {
        return Some(version);
    }
    let before = commit.version.saturating_sub(1);
    let Some(AsOf::Time(time)) = stated("timestamp").and_then(|t| t.parse().ok()) else {
        return Some(before);
    };
    let reached = times.iter().filter(|(version, at)| **version < commit.version && **at <= time);
    Some(reached.map(|(version, _)| *version).max().unwrap_or(before))
}
