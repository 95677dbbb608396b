//! How a table grew, version by version: what each commit added and removed, and what that amounts to.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::calendar::plausible;
use super::history::Commit;
use super::operation::OperationKind;
use super::row_counts::RowCounts;
use super::units::Millis;

/// What a version amounts to. A figure that the log does not tell is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Level {
    pub files: Option<u64>,
    pub bytes: Option<u64>,
    /// Live rows.
    pub rows: Option<u64>,
    /// Files below the size that counts as small.
    pub small_files: Option<u64>,
}

impl Level {
    /// A table before its first version.
    pub const EMPTY: Level = Level { files: Some(0), bytes: Some(0), rows: Some(0), small_files: Some(0) };

    /// Mean size in bytes of a file; none without files.
    pub fn average_size(&self) -> Option<u64> {
        self.bytes?.checked_div(self.files?)
    }

    /// Small files as a share of all, 0 to 1; none without files.
    pub fn small_share(&self) -> Option<f64> {
        let (small, all) = (self.small_files?, self.files?);
        (all > 0).then(|| small as f64 / all as f64)
    }

    fn or(self, other: Level) -> Level {
        Level {
            files: self.files.or(other.files),
            bytes: self.bytes.or(other.bytes),
            rows: self.rows.or(other.rows),
            small_files: self.small_files.or(other.small_files),
        }
    }

    fn agrees(self, other: Level) -> bool {
        let same = |a: Option<u64>, b: Option<u64>| a.zip(b).is_none_or(|(a, b)| a == b);
        same(self.files, other.files) && same(self.bytes, other.bytes) && same(self.rows, other.rows)
    }
}

/// A version whose figures are known from its file list: exact, whatever the commits say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    pub version: u64,
    pub level: Level,
}

/// How many of a commit's files are small; only who reads the single actions can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallFiles {
    pub version: u64,
    pub added: u64,
    /// None if a remove states no size.
    pub removed: Option<u64>,
}

/// One commit in the figures that trends need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub version: u64,
    /// None if the commit states no time or an impossible one ([`plausible`]).
    pub time: Option<Millis>,
    pub kind: OperationKind,
    pub added_files: u64,
    pub removed_files: u64,
    pub added_bytes: u64,
    /// None if a remove states no size.
    pub removed_bytes: Option<u64>,
    pub added_rows: Option<u64>,
    pub removed_rows: Option<u64>,
    /// Rows by which the table grew (or shrank): rows added less removed; where a remove does not
    /// state them, none for a commit that changes no data, else what the operation's metrics say.
    pub net_rows: Option<i128>,
    pub data_change: Option<bool>,
    /// The table after the commit.
    pub level: Level,
}

/// A table's history in figures, ascending by version.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trends {
    pub points: Vec<Point>,
    /// Versions between the oldest and the newest point that are missing or unreadable.
    pub gaps: Vec<RangeInclusive<u64>>,
    /// Commits whose time is before that of the version before.
    pub clock_went_back: u64,
    /// Commits without a time, or with one before 2000 or in the future.
    pub without_time: u64,
    /// Whether the sums of the commits met every anchor. If not, some commit adds a file that was
    /// there or removes one that was not; levels are then exact at anchors only.
    pub adds_up: bool,
}

impl Trends {
    /// `commits` in any order; of several with one version the first counts. Levels are summed up
    /// from version 0 or from an anchor, forward and backward, and stop at gaps.
    pub fn of(commits: &[Commit], anchors: &[Anchor], small: &[SmallFiles], now: Millis) -> Self {
        let mut sorted: Vec<&Commit> = commits.iter().collect();
        sorted.sort_by_key(|c| c.version);
        sorted.dedup_by_key(|c| c.version);
        let mut out = Trends { adds_up: true, ..Trends::default() };
        let mut next = None;
        for commit in sorted {
            let broken = commit.problem.is_some();
            match next {
                Some(expected) if commit.version > expected => out.gap(expected, commit.version - 1),
                _ => {}
            }
            if broken {
                out.gap(commit.version, commit.version);
            } else {
                out.points.push(point(commit, now));
            }
            next = commit.version.checked_add(1);
        }
        let times = out.points.iter().filter_map(|p| p.time);
        out.clock_went_back = times.clone().zip(times.skip(1)).filter(|(a, b)| b < a).count() as u64;
        out.without_time = out.points.iter().filter(|p| p.time.is_none()).count() as u64;
        out.sum_up(anchors, small);
        out
    }

    /// The newest point's level, if there is a point.
    pub fn latest(&self) -> Option<&Point> {
        self.points.last()
    }

    fn gap(&mut self, first: u64, last: u64) {
        match self.gaps.last_mut() {
            Some(gap) if gap.end().checked_add(1) == Some(first) => *gap = *gap.start()..=last,
            _ => self.gaps.push(first..=last),
        }
    }

    fn sum_up(&mut self, anchors: &[Anchor], small: &[SmallFiles]) {
        let known: BTreeMap<u64, Level> = anchors.iter().map(|a| (a.version, a.level)).collect();
        let anchor = |v: u64| known.get(&v).copied().unwrap_or_default();
        let small_of: BTreeMap<u64, SmallFiles> = small.iter().map(|s| (s.version, *s)).collect();
        // The level before each point, when walking forward.
        let mut before = Level::default();
        let mut last = None;
        for point in &mut self.points {
            let follows = point.version.checked_sub(1) == last && last.is_some();
            if point.version == 0 {
                before = Level::EMPTY;
            } else if !follows {
                before = anchor(point.version - 1);
            }
            let summed = step(before, point, small_of.get(&point.version), false);
            let known = anchor(point.version);
            self.adds_up &= summed.agrees(known);
            point.level = known.or(summed);
            before = point.level;
            last = Some(point.version);
        }
        for at in (1..self.points.len()).rev() {
            let after = self.points[at];
            let earlier = &mut self.points[at - 1];
            if earlier.version + 1 == after.version {
                let summed = step(after.level, &after, small_of.get(&after.version), true);
                earlier.level = earlier.level.or(summed);
            }
        }
        if let Some(first) = self.points.first().filter(|p| p.version == 0) {
            let start = step(first.level, first, small_of.get(&0), true);
            self.adds_up &= start.agrees(Level::EMPTY);
        }
    }
}

fn point(commit: &Commit, now: Millis) -> Point {
    let sized = commit.removes_without_size == 0;
    let kind = OperationKind::of(commit.operation.as_deref(), commit.operation_parameters.as_ref());
    let removed_rows = if commit.removed_files == 0 { Some(0) } else { commit.removed_records };
    let by_files = commit.added_records.zip(removed_rows).map(|(a, r)| i128::from(a) - i128::from(r));
    let unchanged = (commit.data_change == Some(false)).then_some(0);
    let by_metrics = || RowCounts::of(kind, commit.operation_metrics.as_ref()).net();
    Point {
        version: commit.version,
        time: commit.timestamp.filter(|t| plausible(*t, now)),
        kind,
        added_files: commit.added_files,
        removed_files: commit.removed_files,
        added_bytes: commit.added_bytes,
        removed_bytes: sized.then_some(commit.removed_bytes),
        added_rows: commit.added_records,
        removed_rows,
        net_rows: by_files.or(unchanged).or_else(by_metrics),
        data_change: commit.data_change,
        level: Level::default(),
    }
}

/// The level after a point from that before it, or (`back`) the other way round.
fn step(from: Level, point: &Point, small: Option<&SmallFiles>, back: bool) -> Level {
    // Files that are added without a change of data were there already: they get statistics or tags
    // (Spark's COMPUTE STATS). A commit without any file changes nothing.
    let re_add = point.removed_files == 0 && point.data_change == Some(false);
    if re_add || point.added_files + point.removed_files == 0 {
        return from;
    }
    if !back && from.files == Some(point.removed_files) {
        // All was replaced, so that what was removed need not be known.
        let (files, bytes) = (Some(point.added_files), Some(point.added_bytes));
        return Level { files, bytes, rows: point.added_rows, small_files: small.map(|s| s.added) };
    }
    let one = |level: Option<u64>, added: Option<u64>, removed: Option<u64>| {
        let (more, less) = if back { (removed?, added?) } else { (added?, removed?) };
        level?.checked_add(more)?.checked_sub(less)
    };
    let net = point.net_rows.map(|n| if back { -n } else { n });
    let rows = from.rows.zip(net).and_then(|(rows, net)| u64::try_from(i128::from(rows) + net).ok());
    Level {
        files: one(from.files, Some(point.added_files), Some(point.removed_files)),
        bytes: one(from.bytes, Some(point.added_bytes), point.removed_bytes),
        rows,
        small_files: one(from.small_files, small.map(|s| s.added), small.and_then(|s| s.removed)),
    }
}

#[cfg(test)]
#[path = "trends_tests.rs"]
mod tests;
