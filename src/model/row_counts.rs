//! What a row-level operation did to rows, by the metrics that Spark and delta-rs write.

use serde_json::{Map, Value};

use super::metrics::counted;
use super::operation::OperationKind;

/// Rows by their fate in a MERGE, UPDATE or DELETE; none where the metrics do not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    pub inserted: Option<u64>,
    pub updated: Option<u64>,
    pub deleted: Option<u64>,
    /// Rows written again, unchanged, because they shared a file with a changed one.
    pub copied: Option<u64>,
}

impl RowCounts {
    /// All unknown for other operations.
    pub fn of(kind: OperationKind, metrics: Option<&Map<String, Value>>) -> Self {
        let get = |names: &[&str]| counted(metrics, names);
        let copied =
            get(&["numCopiedRows", "numTargetRowsCopied", "num_copied_rows", "num_target_rows_copied"]);
        match kind {
            OperationKind::Merge => RowCounts {
                inserted: get(&["numTargetRowsInserted", "num_target_rows_inserted"]),
                updated: get(&["numTargetRowsUpdated", "num_target_rows_updated"]),
                deleted: get(&["numTargetRowsDeleted", "num_target_rows_deleted"]),
                copied,
            },
            OperationKind::Update => {
                let updated = get(&["numUpdatedRows", "num_updated_rows"]);
                RowCounts { inserted: Some(0), updated, deleted: Some(0), copied }.copies_if_said()
            }
            OperationKind::Delete => {
                let deleted = get(&["numDeletedRows", "num_deleted_rows"]);
                RowCounts { inserted: Some(0), updated: Some(0), deleted, copied }.copies_if_said()
            }
            _ => RowCounts::default(),
        }
    }

    /// A DELETE of whole files or by deletion vectors says how many rows went, and copies none.
    fn copies_if_said(mut self) -> Self {
        if self.changed().is_some() {
            self.copied = self.copied.or(Some(0));
        }
        self
    }

    /// Rows inserted, updated or deleted.
    pub fn changed(&self) -> Option<u64> {
        self.inserted?.checked_add(self.updated?)?.checked_add(self.deleted?)
    }

    /// Rows by which the table grew, or shrank.
    pub fn net(&self) -> Option<i128> {
        Some(i128::from(self.inserted?) - i128::from(self.deleted?))
    }
}
