//! Trends brought to the columns of a chart.

use super::calendar::{Span, Zone};
use super::levels::Level;
use super::trends::{Point, Trends};
use super::units::Millis;

/// What a chart runs along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axis {
    /// Each commit as wide as any other.
    #[default]
    Version,
    /// The clock: each hour, day or week as wide as any other.
    Time(Span),
}

/// A column of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Lowest and highest version; none in a period without commits.
    pub versions: Option<(u64, u64)>,
    /// Start of the period, or the time of the highest version.
    pub time: Option<Millis>,
    pub commits: u64,
    pub added_bytes: u64,
    /// The table at its end.
    pub level: Level,
}

impl Trends {
    /// At most `most` columns, oldest first. Along versions, neighbours are put together where there
    /// are more commits than columns; along time, the newest periods are taken.
    pub fn samples(&self, axis: Axis, zone: Zone, most: usize) -> Vec<Sample> {
        match axis {
            Axis::Version => {
                let points = self.points.len();
                let columns = most.clamp(1, points.max(1));
                let edge = |column: usize| (points as u128 * column as u128 / columns as u128) as usize;
                let parts = (0..columns).filter_map(|at| self.points.get(edge(at)..edge(at + 1)));
                parts.filter(|part| !part.is_empty()).map(chunk).collect()
            }
            Axis::Time(span) => {
                let slots = self.slots(span, zone, most).into_iter();
                let sample = |slot: super::trend_slots::Slot| Sample {
                    versions: slot.versions,
                    time: Some(slot.start),
                    commits: slot.commits,
                    added_bytes: slot.added_bytes,
                    level: slot.level,
                };
                slots.map(sample).collect()
            }
        }
    }

    /// The shortest span in which all commits with a time fit into `columns` columns.
    pub fn fitting_span(&self, columns: usize) -> Span {
        let times = || self.points.iter().filter_map(|p| p.time);
        match (times().min(), times().max()) {
            (Some(from), Some(to)) => Span::fitting(from, to, columns),
            _ => Span::Day,
        }
    }
}

fn chunk(points: &[Point]) -> Sample {
    let (first, last) = (points.first(), points.last());
    Sample {
        versions: first.zip(last).map(|(a, b)| (a.version, b.version)),
        time: last.and_then(|p| p.time),
        commits: points.len() as u64,
        added_bytes: points.iter().fold(0, |sum, p| sum.saturating_add(p.added_bytes)),
        level: last.map(|p| p.level).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Commit;
    use super::*;

    #[test]
    fn columns_hold_every_commit() {
        let commit = |version: u64| Commit {
            version,
            timestamp: Some(1_779_751_800_000 + version as i64 * 3_600_000),
            added_files: 1,
            added_bytes: 10,
            added_records: Some(1),
            ..Commit::default()
        };
        let commits: Vec<Commit> = (0..100).map(commit).collect();
        let trends = Trends::of(&commits, &[], &[], 1_800_000_000_000);
        for most in [1, 7, 30, 99, 100, 1000] {
            let samples = trends.samples(Axis::Version, Zone::UTC, most);
            assert!(samples.len() <= most);
            assert_eq!(samples.iter().map(|s| s.commits).sum::<u64>(), 100);
            assert_eq!(samples.last().and_then(|s| s.level.files), Some(100));
        }
        assert_eq!(trends.fitting_span(60), Span::Day);
        assert_eq!(trends.samples(Axis::Time(Span::Day), Zone::UTC, 60).len(), 6);
        assert!(Trends::default().samples(Axis::Version, Zone::UTC, 0).is_empty());
    }
}
