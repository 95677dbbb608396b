//! The commits of a log folder, newest first, each read on its own.

use bytes::Bytes;
use futures::StreamExt;
use serde_json::value::RawValue;

use super::log::store;
use super::log::{
    CommitInfo, HistoryLine, Listing, Log, OpenTable, TailFile, Vector, file_times, num_records_escaped,
    parse_lines,
};
use super::watch::Watch;
use crate::model::actions::EMPTY;
use crate::model::expiry::Versions;
use crate::model::history::Commit;
use crate::model::log_reach::lost_because;
use crate::model::progress::Progress;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

/// Commits fetched at once.
const AT_ONCE: usize = 16;
/// Bytes of a commit that parses in less time than handing it to another thread would take.
const SMALL: usize = 16 << 10;

/// Reads up to `limit` commits with versions at most `newest` (none: from the table's version
/// down), newest first. Calls `each` in that order as they come. Commits that cannot be read are
/// listed with their `problem`. Gives what the log can rebuild without the damaged ones among them and
/// from the first metaData and protocol on, for [`crate::model::log_reach::mark`]: newer commits were
/// handed out before. None if that takes nothing away.
pub async fn commits(
    table: &OpenTable,
    newest: Option<u64>,
    limit: usize,
    watch: &Watch,
    each: &mut (dyn FnMut(Commit) + Send),
) -> Outcome<Option<Vec<Versions>>> {
    let newest = newest.map_or(table.table.version, |n| n.min(table.table.version));
    of_log(&table.log_as_listed(), newest, limit, watch, each).await
}

/// As [`commits`], also where no version can be opened.
pub async fn of_log(
    log: &Log,
    newest: u64,
    limit: usize,
    watch: &Watch,
    each: &mut (dyn FnMut(Commit) + Send),
) -> Outcome<Option<Vec<Versions>>> {
    let listing = log.listing();
    let readable = rebuildable(listing);
    let present: Vec<u64> = listing.commits.iter().map(|c| c.version).collect();
    let end = listing.commits.partition_point(|c| c.version <= newest);
    // The times that `--as-of` goes by.
    let times = file_times(listing);
    let time_of = |version: u64| times.binary_search_by_key(&version, |(v, _)| *v).ok().map(|at| times[at].1);
    let chosen: Vec<_> = listing.commits[..end].iter().rev().take(limit).copied().collect();
    let total = chosen.len() as u64;
    let reads = futures::stream::iter(chosen).map(|file| {
        let lost_because = lost_because(&readable, &present, file.version);
        let modified = time_of(file.version).unwrap_or(file.modified);
        let path = TailFile::commit(file.version, file.size).path(log.folder());
        let (store, watch) = (log.place.store.clone(), watch.clone());
        async move {
            let version = file.version;
            let commit = match store::get_whole(&store, &path, file.size, &watch).await {
                Ok(bytes) if bytes.len() < SMALL => read(version, modified, &bytes),
                Ok(bytes) => store::blocking(move || read(version, modified, &bytes)).await?,
                Err(fault) if fault == Fault::cancelled() => return Err(fault),
                Err(fault) => Commit {
                    version,
                    timestamp: Some(modified),
                    problem: Some(fault.to_string()),
                    incomplete: true,
                    ..Commit::default()
                },
            };
            Ok(Commit { readable: lost_because.is_none(), lost_because, ..commit })
        }
    });
    let (mut done, mut damaged) = (0, Vec::new());
    let mut starts = Starts::default();
    let mut reads = reads.buffered(AT_ONCE);
    while let Some(commit) = store::cancellable(watch, reads.next()).await? {
        let commit = commit?;
        damaged.extend(commit.incomplete.then_some(commit.version));
        starts.take(&commit);
        each(commit);
        done += 1;
        watch.progress(Progress::new("reading commits", done, Some(total), "commits"));
    }
    let checkpoint = listing.checkpoints.iter().map(|c| c.version).min().unwrap_or(u64::MAX);
    let start = starts.first_table().map_or(0, |v| v.min(checkpoint));
    if damaged.is_empty() && start == 0 {
        return Ok(None);
    }
    let mut whole = listing.clone();
    whole.commits.retain(|c| !damaged.contains(&c.version));
    let ranges = rebuildable(&whole).into_iter().filter(|v| v.last >= start);
    Ok(Some(ranges.map(|v| Versions { first: v.first.max(start), ..v }).collect()))
}

/// Where a log that begins with version 0 first tells of a table: with a metaData and a protocol
/// action (protocol, "Actions").
#[derive(Default)]
struct Starts {
    metadata: Option<u64>,
    protocol: Option<u64>,
    newest: Option<u64>,
    oldest: Option<u64>,
}

impl Starts {
    /// Commits come newest first.
    fn take(&mut self, commit: &Commit) {
        self.newest = self.newest.or(Some(commit.version));
        self.oldest = Some(commit.version);
        self.metadata = commit.metadata_changed.then_some(commit.version).or(self.metadata);
        self.protocol = commit.protocol_changed.then_some(commit.version).or(self.protocol);
    }

    /// None unless the log was read to version 0; past the versions that were read if there is no such
    /// commit among them, since newer ones may have the actions.
    fn first_table(&self) -> Option<u64> {
        self.oldest.filter(|v| *v == 0)?;
        let past = self.newest?.saturating_add(1);
        Some(self.metadata.unwrap_or(past).max(self.protocol.unwrap_or(past)))
    }
}

/// The versions that the log can rebuild, ascending.
pub(super) fn rebuildable(listing: &Listing) -> Vec<Versions> {
    listing.rebuildable().into_iter().map(|(first, last)| Versions { first, last }).collect()
}

/// One commit from the content of its file; whether it can be replayed is not known from that.
pub(super) fn read(version: u64, modified: Millis, bytes: &Bytes) -> Commit {
    read_with(version, modified, bytes, |_| {})
}

/// Reads a commit, with a look at each of its lines.
pub(super) fn read_with(
    version: u64,
    modified: Millis,
    bytes: &Bytes,
    mut look: impl FnMut(&HistoryLine<'_>),
) -> Commit {
    let (lines, bad) = parse_lines::<HistoryLine<'_>>(bytes, &[]);
    let mut commit = Commit {
        version,
        timestamp: Some(modified),
        added_records: Some(0),
        removed_records: Some(0),
        ..Commit::default()
    };
    commit.incomplete = bad.is_some();
    commit.problem = match bad {
        Some(bad) => Some(format!("line {} cannot be read: {}", bad.line, bad.why)),
        None => lines.is_empty().then(|| EMPTY.to_owned()),
    };
    for line in lines {
        look(&line);
        count(&mut commit, line);
    }
    if commit.incomplete {
        // What follows the bad line is not known.
        (commit.added_records, commit.removed_records) = (None, None);
    }
    commit
}

/// Adds the live rows of a file, if its statistics state them.
fn add_records(sum: &mut Option<u64>, stats: Option<&RawValue>, vector: Option<&Vector<'_>>) {
    let deleted = vector.and_then(|v| v.cardinality.natural()).unwrap_or(0);
    let records = stats.map(RawValue::get).and_then(num_records_escaped);
    *sum = sum.zip(records).map(|(sum, n)| sum.saturating_add(n.saturating_sub(deleted)));
}

fn count(commit: &mut Commit, line: HistoryLine<'_>) {
    let says = |commit: &mut Commit, change: Option<bool>| {
        // The protocol makes the flag mandatory; without it, a change of data is assumed.
        let change = change.unwrap_or(true);
        commit.data_change = Some(commit.data_change.unwrap_or(false) || change);
    };
    if let Some(add) = line.add {
        commit.added_files += 1;
        commit.added_bytes = commit.added_bytes.saturating_add(add.size.natural().unwrap_or(0));
        add_records(&mut commit.added_records, add.stats, add.deletion_vector.as_ref());
        says(commit, add.data_change.0);
    }
    if let Some(remove) = line.remove {
        commit.removed_files += 1;
        commit.removed_bytes = commit.removed_bytes.saturating_add(remove.size.natural().unwrap_or(0));
        commit.removes_without_size += u64::from(remove.size.natural().is_none());
        add_records(&mut commit.removed_records, remove.stats, remove.deletion_vector.as_ref());
        says(commit, remove.data_change.0);
    }
    commit.cdc_files += u64::from(line.cdc.is_some());
    commit.protocol_changed |= line.protocol.is_some();
    commit.metadata_changed |= line.meta_data.is_some();
    if let Some(value) = line.commit_info {
        if !value.is_object() {
            commit.problem.get_or_insert_with(|| "commitInfo is not an object".into());
        }
        let info = CommitInfo::new(value);
        commit.timestamp = info.in_commit_timestamp.or(commit.timestamp);
        commit.stated_timestamp = info.timestamp;
        commit.operation = info.operation;
        commit.operation_parameters = info.operation_parameters;
        commit.operation_metrics = info.operation_metrics;
        commit.user_metadata = info.user_metadata;
        commit.engine_info = info.engine_info;
        commit.is_blind_append = info.is_blind_append;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_nothing_of_newer_versions() {
        let first = |page: &[(u64, bool)]| {
            let mut starts = Starts::default();
            for (version, table) in page {
                let (protocol_changed, metadata_changed) = (*table, *table);
                starts.take(&Commit {
                    version: *version,
                    protocol_changed,
                    metadata_changed,
                    ..Commit::default()
                });
            }
            starts.first_table()
        };
        assert_eq!(first(&[(2, true), (1, false), (0, true)]), Some(0));
        assert_eq!(first(&[(2, true), (1, true), (0, false)]), Some(1));
        // Version 3 and those after it were read with another page.
        assert_eq!(first(&[(2, false), (1, false), (0, false)]), Some(3));
        assert_eq!(first(&[(2, true), (1, false)]), None);
    }
}
