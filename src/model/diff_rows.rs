//! What the commits between two versions say that they did to rows.

use serde::Serialize;

use super::diff::Diff;
use super::history::Commit;
use super::operation::OperationKind;
use super::row_counts::RowCounts;

/// Two versions compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    pub diff: Diff,
    pub rows: RowChanges,
}

/// Rows by their fate, summed over the commits after one version and up to another. A figure is
/// none where one of the commits does not tell it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowChanges {
    /// Commits between the versions that can be read.
    pub num_commits: u64,
    /// Of these, how many say (or leave open) that they change data.
    pub num_data_changes: u64,
    pub inserted: Option<u64>,
    pub updated: Option<u64>,
    pub deleted: Option<u64>,
    /// Files of the change data feed.
    pub num_cdc_files: u64,
}

impl RowChanges {
    /// The order of `commits` and of the versions does not matter. Rows of appends are those that
    /// their files state; of MERGE, UPDATE and DELETE, those of their metrics; overwrites, and
    /// whatever else changes data, do not tell.
    pub fn of<'a>(commits: impl IntoIterator<Item = &'a Commit>, from: u64, to: u64) -> RowChanges {
        let (low, high) = (from.min(to), from.max(to));
        let zero = Some(0);
        let mut out = RowChanges { inserted: zero, updated: zero, deleted: zero, ..RowChanges::default() };
        for commit in commits.into_iter().filter(|c| c.version > low && c.version <= high) {
            out.num_cdc_files += commit.cdc_files;
            if commit.incomplete {
                continue;
            }
            out.num_commits += 1;
            let no_files = commit.added_files + commit.removed_files == 0;
            if no_files || commit.data_change == Some(false) {
                continue;
            }
            out.num_data_changes += 1;
            let (inserted, updated, deleted) = rows(commit);
            out.inserted = sum(out.inserted, inserted);
            out.updated = sum(out.updated, updated);
            out.deleted = sum(out.deleted, deleted);
        }
        if out.num_commits < high - low {
            (out.inserted, out.updated, out.deleted) = (None, None, None);
        }
        out
    }
}

fn rows(commit: &Commit) -> (Option<u64>, Option<u64>, Option<u64>) {
    let kind = OperationKind::of(commit.operation.as_deref(), commit.operation_parameters.as_ref());
    match kind {
        OperationKind::Merge | OperationKind::Update | OperationKind::Delete => {
            let rows = RowCounts::of(kind, commit.operation_metrics.as_ref());
            (rows.inserted, rows.updated, rows.deleted)
        }
        // Without removed files nothing can have been updated or deleted.
        _ if commit.removed_files == 0 => (commit.added_records, Some(0), Some(0)),
        _ => (None, None, None),
    }
}

fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.zip(b).map(|(a, b)| a.saturating_add(b))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn commit(version: u64, operation: &str, metrics: serde_json::Value) -> Commit {
        Commit {
            version,
            operation: Some(operation.into()),
            operation_metrics: metrics.as_object().cloned(),
            added_files: 1,
            added_records: Some(10),
            data_change: Some(true),
            ..Commit::default()
        }
    }

    #[test]
    fn rows_by_their_fate() {
        let merge =
            json!({"numTargetRowsInserted": "1", "numTargetRowsUpdated": "2", "numTargetRowsDeleted": "3"});
        let all = [
            commit(1, "WRITE", json!({})),
            Commit { removed_files: 1, ..commit(2, "MERGE", merge) },
            Commit { removed_files: 4, data_change: Some(false), ..commit(3, "OPTIMIZE", json!({})) },
            Commit { removed_files: 1, cdc_files: 2, ..commit(4, "DELETE", json!({"numDeletedRows": 5})) },
        ];
        let got = RowChanges::of(&all, 4, 0);
        assert_eq!((got.inserted, got.updated, got.deleted), (Some(11), Some(2), Some(8)));
        assert_eq!((got.num_commits, got.num_data_changes, got.num_cdc_files), (4, 3, 2));
        let overwrite = Commit { removed_files: 3, ..commit(5, "WRITE", json!({})) };
        assert_eq!(RowChanges::of(&[overwrite], 4, 5).inserted, None);
        assert_eq!(RowChanges::of(&all, 0, 5).inserted, None, "commit 5 is not known");
        assert_eq!(RowChanges::of(&all, 2, 2).inserted, Some(0));
    }
}
