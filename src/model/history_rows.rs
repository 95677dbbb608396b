//! The history as rows: the commits that are there, and the versions between them that are not.

use super::expiry::Versions;
use super::history::Commit;

/// A row of the history, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryRow {
    /// An index into the commits.
    Commit(usize),
    /// Versions without a commit file.
    Gap(Versions, GapKind),
}

/// Why versions have no commit file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapKind {
    /// The newest versions: a checkpoint tells of them, but their commits are not there.
    OnlyCheckpoint,
    /// Between commits: lost, or never published.
    Missing,
    /// Before the oldest commit: expired log files were cleaned up.
    CleanedUp,
}

impl GapKind {
    /// What to say of the versions: `v3 to v14 cleaned up`.
    pub fn says(self) -> &'static str {
        match self {
            GapKind::OnlyCheckpoint => "without a commit file; a checkpoint holds the state",
            GapKind::Missing => "missing in the log",
            GapKind::CleanedUp => "cleaned up",
        }
    }
}

/// The rows so far, and where they end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRows {
    pub rows: Vec<HistoryRow>,
    /// Commits that have their row.
    taken: usize,
    /// The lowest version that has its row.
    lowest: Option<u64>,
}

impl HistoryRows {
    /// All at once. `newest`: the version looked at; `complete`: no older commits exist.
    pub fn of(commits: &[Commit], newest: u64, complete: bool) -> Self {
        let mut out = HistoryRows::default();
        out.extend(commits, newest, complete);
        out
    }

    /// Takes up the commits that have come since (`commits` are all, newest first).
    pub fn extend(&mut self, commits: &[Commit], newest: u64, complete: bool) {
        for (at, commit) in commits.iter().enumerate().skip(self.taken) {
            let (above, kind) = match self.lowest {
                Some(lowest) => (lowest.checked_sub(1), GapKind::Missing),
                None => (Some(newest), GapKind::OnlyCheckpoint),
            };
            if let Some(above) = above.filter(|above| *above > commit.version) {
                self.rows.push(HistoryRow::Gap(Versions { first: commit.version + 1, last: above }, kind));
            }
            self.rows.push(HistoryRow::Commit(at));
            self.lowest = Some(commit.version);
        }
        self.taken = self.taken.max(commits.len());
        if let Some(last) = self.lowest.and_then(|lowest| lowest.checked_sub(1)).filter(|_| complete) {
            self.rows.push(HistoryRow::Gap(Versions { first: 0, last }, GapKind::CleanedUp));
            self.lowest = Some(0);
        }
        if complete && self.lowest.is_none() {
            self.rows.push(HistoryRow::Gap(Versions { first: 0, last: newest }, GapKind::OnlyCheckpoint));
            self.lowest = Some(0);
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The commit in a row; none for a gap.
    pub fn commit(&self, row: usize) -> Option<usize> {
        match self.rows.get(row)? {
            HistoryRow::Commit(at) => Some(*at),
            HistoryRow::Gap(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(versions: &[u64], newest: u64, complete: bool) -> Vec<String> {
        let commits: Vec<Commit> =
            versions.iter().map(|v| Commit { version: *v, ..Commit::default() }).collect();
        let all = HistoryRows::of(&commits, newest, complete);
        // Piece by piece gives the same.
        let mut pieces = HistoryRows::default();
        for end in 0..commits.len() {
            pieces.extend(&commits[..end], newest, false);
        }
        pieces.extend(&commits, newest, complete);
        assert_eq!(pieces.rows, all.rows);
        let show = |row: &HistoryRow| match row {
            HistoryRow::Commit(at) => commits[*at].version.to_string(),
            HistoryRow::Gap(v, kind) => format!("{}-{} {kind:?}", v.first, v.last),
        };
        all.rows.iter().map(show).collect()
    }

    #[test]
    fn gaps_have_rows() {
        assert_eq!(shown(&[2, 1, 0], 2, true), ["2", "1", "0"]);
        assert_eq!(shown(&[9, 6, 5], 9, true), ["9", "7-8 Missing", "6", "5", "0-4 CleanedUp"]);
        assert_eq!(shown(&[9, 6], 11, false), ["10-11 OnlyCheckpoint", "9", "7-8 Missing", "6"]);
        assert_eq!(shown(&[], 4, true), ["0-4 OnlyCheckpoint"]);
        assert!(shown(&[], 4, false).is_empty());
        assert_eq!(shown(&[u64::MAX], u64::MAX, false).len(), 1);
    }
}
