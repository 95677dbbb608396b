//! Figures of a table at each version, summed up from what its commits add and remove.

use std::collections::BTreeMap;

use super::trends::Point;

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

    fn parts(self) -> [Option<u64>; 4] {
        [self.files, self.bytes, self.rows, self.small_files]
    }

    fn from_parts([files, bytes, rows, small_files]: [Option<u64>; 4]) -> Level {
        Level { files, bytes, rows, small_files }
    }

    /// Figure by figure: the first one known.
    fn or(self, other: Level) -> Level {
        let (a, b) = (self.parts(), other.parts());
        Level::from_parts(std::array::from_fn(|i| a[i].or(b[i])))
    }

    /// Only the figures that `keep` allows.
    fn only(self, keep: [bool; 4]) -> Level {
        let parts = self.parts();
        Level::from_parts(std::array::from_fn(|i| parts[i].filter(|_| keep[i])))
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

/// Gives each point its level, forward from version 0 and from anchors, then backward from anchors;
/// never over a missing version. False if the sums disagree with an anchor or fall below zero: the
/// figures that do so are none back to the last level that was certain.
pub(super) fn sum_up(points: &mut [Point], anchors: &[Anchor], small: &[SmallFiles]) -> bool {
    let known: BTreeMap<u64, Level> = anchors.iter().map(|a| (a.version, a.level)).collect();
    let anchor = |v: u64| known.get(&v).copied().unwrap_or_default();
    let small: BTreeMap<u64, SmallFiles> = small.iter().map(|s| (s.version, *s)).collect();
    // Figures that may be summed; one that went wrong may not until the next anchor.
    let mut sound = vec![[true; 4]; points.len()];
    let mut adds_up = true;
    // The level before each point, and where the sums that lead to it began, for each figure.
    let mut before = Level::default();
    let mut began = [0; 4];
    for at in 0..points.len() {
        let point = points[at];
        let follows = at > 0 && points[at - 1].version.checked_add(1) == Some(point.version);
        if !follows {
            began = [at; 4];
            before = match point.version.checked_sub(1) {
                Some(earlier) => anchor(earlier),
                None => Level::EMPTY,
            };
        }
        let summed = step(before, &point, small.get(&point.version), false);
        let known = anchor(point.version);
        let (was, sum, sure) = (before.parts(), summed.parts(), known.parts());
        let disagrees = |i: usize| sum[i].zip(sure[i]).is_some_and(|(a, b)| a != b);
        // Files that are removed but never were there: then no other sum is to be trusted either.
        let files_wrong = disagrees(0) || (was[0].is_some() && sum[0].is_none());
        for i in 0..4 {
            if files_wrong || disagrees(i) {
                adds_up = false;
                // The sum that leads to a certain level is wrong; the level itself is not.
                let end = if sure[i].is_some() { at } else { at + 1 };
                sound[began[i]..end].iter_mut().for_each(|s| s[i] = false);
            }
            if sure[i].is_some() {
                began[i] = at + 1;
            }
        }
        points[at].level = known.or(summed);
        before = points[at].level;
    }
    for (point, keep) in points.iter_mut().zip(&sound) {
        point.level = point.level.only(*keep);
    }
    for at in (1..points.len()).rev() {
        let after = points[at];
        let earlier = &mut points[at - 1];
        if earlier.version.checked_add(1) == Some(after.version) {
            let summed = step(after.level, &after, small.get(&after.version), true);
            earlier.level = earlier.level.or(summed.only(sound[at - 1]));
        }
    }
    adds_up
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
