//! What a vacuum would delete, and which versions would stop being readable.
//!
//! Source: Delta protocol ("Vacuum Protocol Check", retention of `remove` actions) and the Delta
//! docs on VACUUM; stricter than those where they delete what cannot be proved dead:
//!
//! * a file goes only if a tombstone older than the retention names it, or (full mode) if it is
//!   older than that, unused, and some commit once referred to it;
//! * files that no commit seen ever referred to are counted apart, and join only when asked for;
//! * names with `_` or `.` in front (change data aside), nested tables, symbolic links and files of other kinds stay;
//! * paths are compared decoded and canonical.

mod paths;
mod report;
#[cfg(test)]
mod tests;
mod versions;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

pub use paths::canonical;
pub use report::{FileReport, KeptReport, NeverReferencedReport, PartitionReport, VacuumReport};

use self::paths::{Kind, kind_of, nested_tables};
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

const HOUR_MS: i64 = 3_600_000;

/// Hours below which a running writer or reader may still need the files (Delta docs: 7 days).
pub const SAFE_RETENTION_HOURS: u64 = 168;
/// Clocks further apart than this make file ages worthless.
const MOST_CLOCK_SKEW_MS: i64 = 5 * 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Only what tombstones in the log name.
    Lite,
    /// Also unused files that a listing finds.
    Full,
}

/// A remove action that is still in the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Decoded, relative to the table, or absolute.
    pub path: String,
    /// `deletionTimestamp`; none if the action has none.
    pub deleted_at: Option<Millis>,
    pub size: Option<u64>,
    /// The version that removed it; none if its commit is not known. Without it, and if it was
    /// deleted after the log's first version, the versions that stay readable are unknown.
    pub removed_in: Option<u64>,
    /// The file of its deletion vector, relative to the table; none for none and for inline ones.
    pub vector_file: Option<String>,
}

/// A change-data file that a commit wrote (protocol, "Add CDC File"). No version of the table needs
/// it; it is kept as long as removed files are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeFile {
    /// Decoded, relative to the table.
    pub path: String,
    pub size: Option<u64>,
    /// The commit's time.
    pub written_at: Millis,
}

/// A file or link that a listing of the table's folder found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Relative to the table, decoded.
    pub path: String,
    pub size: u64,
    pub modified: Millis,
    pub is_link: bool,
}

/// A version in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogVersion {
    pub version: u64,
    pub timestamp: Millis,
}

/// What a vacuum is planned from.
#[derive(Debug, Clone)]
pub struct VacuumInput<'a> {
    pub mode: Mode,
    pub retention_hours: u64,
    /// `delta.deletedFileRetentionDuration` (or its default) in hours.
    pub table_retention_hours: u64,
    /// The user confirmed a retention below what is safe.
    pub below_safe_retention: bool,
    /// The user confirmed that files which no commit ever referred to may go.
    pub include_never_referenced: bool,
    pub now: Millis,
    /// The store's clock, if it told.
    pub store_now: Option<Millis>,
    pub tombstones: &'a [Tombstone],
    pub change_files: &'a [ChangeFile],
    /// Paths of active files, and of the deletion vector files in use.
    pub in_use: &'a FxHashSet<String>,
    /// Everything in the table's folder; needed in full mode. In lite mode it tells which of the
    /// tombstoned files are still there.
    pub listing: Option<&'a [Listed]>,
    /// Paths that some commit still in the log added or removed, apart from `tombstones`.
    pub once_referenced: Option<&'a FxHashSet<String>>,
    /// Versions that the log can still rebuild, ascending.
    pub versions: &'a [LogVersion],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeleteReason {
    /// Removed from the table longer ago than the retention.
    Tombstone,
    /// The deletion vector of a file that was removed or whose vector was replaced.
    DeletionVector,
    /// Change data older than the retention.
    ChangeData,
    /// Once referred to by a commit, now unused, older than the retention.
    Unused,
    /// No commit seen ever referred to it.
    NeverReferenced,
}

/// Why something found was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeepReason {
    InUse,
    WithinRetention,
    /// The tombstone states no time.
    UnknownAge,
    Hidden,
    NestedTable,
    Link,
    /// Not a kind of file that Delta writes.
    Foreign,
    /// An absolute path, outside of the table's folder as far as can be told.
    Outside,
    NeverReferenced,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doomed {
    /// Relative to the table.
    pub path: String,
    /// None if neither the log nor a listing tells.
    pub bytes: Option<u64>,
    pub reason: DeleteReason,
}

/// What would go and what would stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VacuumPlan {
    pub mode: Mode,
    pub retention_hours: u64,
    /// By path.
    pub files: Vec<Doomed>,
    /// Files kept, by reason.
    pub kept: Vec<(KeepReason, u64)>,
    /// Files and bytes that no commit seen refers to, old enough; deleted only when asked for.
    pub never_referenced: (u64, u64),
    /// The oldest version that is readable now; none if unknown (without a listing) or if there is none.
    pub oldest_before: Option<u64>,
    /// The oldest that stays readable; none if that cannot be told.
    pub oldest_after: Option<u64>,
}

impl VacuumPlan {
    /// Σ of the sizes known.
    pub fn bytes(&self) -> u64 {
        self.files.iter().filter_map(|f| f.bytes).fold(0, u64::saturating_add)
    }
}

/// Plans a vacuum.
///
/// # Errors
/// The retention is below 168 hours or below the table's own and that was not confirmed; the
/// store's clock and ours differ by more than five minutes; full mode without a listing.
pub fn vacuum(input: &VacuumInput<'_>) -> Outcome<VacuumPlan> {
    check(input)?;
    let cutoff = input
        .now
        .saturating_sub(i64::try_from(input.retention_hours).unwrap_or(i64::MAX).saturating_mul(HOUR_MS));
    let in_use: FxHashSet<String> = input.in_use.iter().map(|p| canonical(p)).collect();
    let listed: Option<FxHashMap<String, &Listed>> =
        input.listing.map(|l| l.iter().map(|f| (canonical(&f.path), f)).collect());
    let mut work = Work {
        input,
        cutoff,
        in_use,
        listed,
        out: Vec::new(),
        dead: FxHashSet::default(),
        kept: FxHashMap::default(),
    };
    let nested = nested_tables(input.listing.unwrap_or_default());
    let named = work.tombstones(&nested);
    let never_referenced = work.unnamed(&nested, &named);
    let (oldest_before, oldest_after) = versions::readable(input, &work.dead, work.listed.as_ref());
    let mut files = work.out;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut kept: Vec<_> = work.kept.into_iter().collect();
    kept.sort_unstable();
    let (mode, retention_hours) = (input.mode, input.retention_hours);
    Ok(VacuumPlan { mode, retention_hours, files, kept, never_referenced, oldest_before, oldest_after })
}

fn check(input: &VacuumInput<'_>) -> Outcome<()> {
    let least = SAFE_RETENTION_HOURS.max(input.table_retention_hours);
    if input.retention_hours < least && !input.below_safe_retention {
        return Err(Fault::refused(
            "retention-too-short",
            format!("Refused to vacuum with {} h of retention", input.retention_hours),
        )
        .because(format!("files that running queries and writers may need are younger than {least} h"))
        .hint(format!("keep {least} h or more, or confirm with --below-safe-retention")));
    }
    if let Some(apart) = input.store_now.map(|s| s.saturating_sub(input.now).saturating_abs())
        && apart > MOST_CLOCK_SKEW_MS
    {
        return Err(Fault::refused("clock-skew", "Refused to vacuum by file ages")
            .because(format!("this machine's clock and the store's differ by {} s", apart / 1000))
            .hint("set the clock and try again"));
    }
    if input.mode == Mode::Full && input.listing.is_none() {
        return Err(Fault::refused("no-listing", "Cannot plan a full vacuum")
            .because("the table's folder was not listed"));
    }
    Ok(())
}

struct Work<'a> {
    input: &'a VacuumInput<'a>,
    /// What was deleted or written before this is old enough.
    cutoff: Millis,
    in_use: FxHashSet<String>,
    listed: Option<FxHashMap<String, &'a Listed>>,
    out: Vec<Doomed>,
    /// Canonical paths of `out`.
    dead: FxHashSet<String>,
    kept: FxHashMap<KeepReason, u64>,
}

impl Work<'_> {
    fn keep(&mut self, reason: KeepReason) {
        *self.kept.entry(reason).or_default() += 1;
    }

    fn doom(&mut self, path: String, bytes: Option<u64>, reason: DeleteReason) {
        if self.dead.insert(path.clone()) {
            self.out.push(Doomed { path, bytes, reason });
        }
    }

    /// Judges what tombstones name; gives the canonical paths that they name.
    fn tombstones(&mut self, nested: &[String]) -> FxHashSet<String> {
        let mut named: FxHashMap<String, (Option<Millis>, Option<u64>, DeleteReason)> = FxHashMap::default();
        for tombstone in self.input.tombstones {
            let vector = tombstone.vector_file.as_ref().map(|v| (v, None, DeleteReason::DeletionVector));
            let data = Some((&tombstone.path, tombstone.size, DeleteReason::Tombstone));
            for (path, size, reason) in data.into_iter().chain(vector) {
                // Several tombstones of one path: the youngest counts, and one without a time most.
                let entry = named.entry(canonical(path)).or_insert((tombstone.deleted_at, size, reason));
                entry.0 = entry.0.zip(tombstone.deleted_at).map(|(a, b)| a.max(b));
                entry.1 = entry.1.or(size);
            }
        }
        for file in self.input.change_files {
            let entry =
                named.entry(canonical(&file.path)).or_insert((None, file.size, DeleteReason::ChangeData));
            entry.0 = Some(entry.0.map_or(file.written_at, |at| at.max(file.written_at)));
        }
        let mut paths: Vec<_> = named.iter().collect();
        paths.sort_unstable_by_key(|(path, _)| *path);
        for (path, (deleted_at, size, reason)) in paths {
            let found = self.listed.as_ref().map(|l| l.get(path).copied());
            if let Some(keep) = self.why_keep(path, found.flatten(), nested) {
                self.keep(keep);
                continue;
            }
            match (deleted_at, found) {
                // Gone already.
                (_, Some(None)) => {}
                (None, _) => self.keep(KeepReason::UnknownAge),
                (Some(at), _) if *at >= self.cutoff => self.keep(KeepReason::WithinRetention),
                (Some(_), found) => {
                    let bytes = found.flatten().map(|f| f.size).or(*size);
                    self.doom(path.clone(), bytes, *reason);
                }
            }
        }
        named.into_keys().collect()
    }

    fn why_keep(&self, path: &str, found: Option<&Listed>, nested: &[String]) -> Option<KeepReason> {
        match kind_of(path, nested) {
            _ if self.in_use.contains(path) => Some(KeepReason::InUse),
            Kind::Outside => Some(KeepReason::Outside),
            Kind::Hidden => Some(KeepReason::Hidden),
            Kind::Nested => Some(KeepReason::NestedTable),
            _ if found.is_some_and(|f| f.is_link) => Some(KeepReason::Link),
            Kind::Foreign => Some(KeepReason::Foreign),
            Kind::Data => None,
        }
    }

    /// Judges what only the listing knows; gives files and bytes that no commit seen refers to.
    fn unnamed(&mut self, nested: &[String], named: &FxHashSet<String>) -> (u64, u64) {
        let (mut files, mut bytes) = (0u64, 0u64);
        if self.input.mode == Mode::Lite {
            return (0, 0);
        }
        let once: Option<FxHashSet<String>> =
            self.input.once_referenced.map(|o| o.iter().map(|p| canonical(p)).collect());
        for file in self.input.listing.unwrap_or_default() {
            let path = canonical(&file.path);
            if named.contains(&path) {
                continue;
            }
            if let Some(keep) = self.why_keep(&path, Some(file), nested) {
                self.keep(keep);
            } else if file.modified >= self.cutoff {
                self.keep(KeepReason::WithinRetention);
            } else if once.as_ref().is_some_and(|o| o.contains(&path)) {
                self.doom(path, Some(file.size), DeleteReason::Unused);
            } else {
                files += 1;
                bytes = bytes.saturating_add(file.size);
                if self.input.include_never_referenced {
                    self.doom(path, Some(file.size), DeleteReason::NeverReferenced);
                } else {
                    self.keep(KeepReason::NeverReferenced);
                }
            }
        }
        (files, bytes)
    }
}
