//! How a table grew, version by version: what each commit added and removed, and what that amounts to.

use std::ops::RangeInclusive;

use super::calendar::Clock;
use super::history::Commit;
use super::levels::{Anchor, Level, SmallFiles, sum_up};
use super::operation::OperationKind;
use super::row_counts::RowCounts;
use super::units::Millis;

/// One commit in the figures that trends need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    pub version: u64,
    /// None if the commit states no time or an impossible one ([`super::calendar::plausible`]).
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
    /// The table was copied, so that times are those that its writers state ([`Clock::best`]).
    pub stated_times: bool,
    /// Whether the sums of the commits met every anchor. If not, some commit adds a file that was
    /// there or removes one that was not; figures that disagree are then none back to the anchor before.
    pub adds_up: bool,
}

impl Trends {
    /// `commits` in any order; of several with one version the first counts. Levels are summed up
    /// from version 0 or from an anchor, forward and backward, and stop at gaps. Give the newest
    /// version's anchor where it is known: it proves the sums that lead to it.
    /// Times are those of [`Clock::best`].
    pub fn of(commits: &[Commit], anchors: &[Anchor], small: &[SmallFiles], now: Millis) -> Self {
        let clock = Clock::best(commits);
        let mut sorted: Vec<&Commit> = commits.iter().collect();
        sorted.sort_by_key(|c| c.version);
        sorted.dedup_by_key(|c| c.version);
        let mut out = Trends { stated_times: clock == Clock::Stated, ..Trends::default() };
        let mut next = None;
        for commit in sorted {
            let broken = commit.incomplete;
            match next {
                Some(expected) if commit.version > expected => out.gap(expected, commit.version - 1),
                _ => {}
            }
            if broken {
                out.gap(commit.version, commit.version);
            } else {
                out.points.push(point(commit, clock, now));
            }
            next = commit.version.checked_add(1);
        }
        let times = out.points.iter().filter_map(|p| p.time);
        out.clock_went_back = times.clone().zip(times.skip(1)).filter(|(a, b)| b < a).count() as u64;
        out.without_time = out.points.iter().filter(|p| p.time.is_none()).count() as u64;
        out.adds_up = sum_up(&mut out.points, anchors, small);
        out
    }

    /// The newest point's level, if there is a point.
    pub fn latest(&self) -> Option<&Point> {
        self.points.last()
    }

    /// What must be known when reading the figures, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut out = Vec::new();
        let commits = |n: u64| format!("{} commit{}", super::units::count(n), if n == 1 { "" } else { "s" });
        if self.stated_times {
            out.push(
                "The table was copied: times are those that its writers state, not those of the log files"
                    .into(),
            );
        }
        if self.without_time > 0 {
            out.push(format!("{} without a possible time: in no period", commits(self.without_time)));
        }
        if self.clock_went_back > 0 {
            out.push(format!(
                "{} with a time before that of the version before",
                commits(self.clock_went_back)
            ));
        }
        if !self.adds_up {
            out.push(
                "The commits do not add up to the file list: some file was added or removed twice".into(),
            );
        }
        if !self.gaps.is_empty() {
            let missing: u64 = self
                .gaps
                .iter()
                .map(|g| (g.end() - g.start()).saturating_add(1))
                .fold(0, u64::saturating_add);
            out.push(format!("{} missing or unreadable between the oldest and the newest", commits(missing)));
        }
        out
    }

    fn gap(&mut self, first: u64, last: u64) {
        match self.gaps.last_mut() {
            Some(gap) if gap.end().checked_add(1) == Some(first) => *gap = *gap.start()..=last,
            _ => self.gaps.push(first..=last),
        }
    }
}

fn point(commit: &Commit, clock: Clock, now: Millis) -> Point {
    let sized = commit.removes_without_size == 0;
    let kind = OperationKind::of(commit.operation.as_deref(), commit.operation_parameters.as_ref());
    let removed_rows = if commit.removed_files == 0 { Some(0) } else { commit.removed_records };
    let by_files = commit.added_records.zip(removed_rows).map(|(a, r)| i128::from(a) - i128::from(r));
    let unchanged = (commit.data_change == Some(false)).then_some(0);
    let by_metrics = || RowCounts::of(kind, commit.operation_metrics.as_ref()).net();
    Point {
        version: commit.version,
        time: clock.time(commit, now),
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

#[cfg(test)]
#[path = "trends_tests.rs"]
mod tests;
