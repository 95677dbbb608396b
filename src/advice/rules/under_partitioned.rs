use crate::advice::{Facts, Finding, Severity};
use crate::model::evidence::ColumnClustering;
use crate::model::units::bytes;

pub(super) const ID: &str = "under-partitioned";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let table = facts.table;
    let organised = !table.metadata.partition_columns.is_empty() || !table.clustering_columns().is_empty();
    if organised || facts.sum.bytes < facts.limits.unpartitioned_max_bytes {
        return None;
    }
    // A column by which the files are apart already does what partitions would.
    let sorted = |c: &ColumnClustering| {
        c.clustering.range_read_share.is_some_and(|s| s <= facts.limits.clustering_best_share)
    };
    if facts.clustering.is_some_and(|columns| columns.iter().any(sorted)) {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: format!("{} without partitions or clustering", bytes(facts.sum.bytes)),
        evidence: format!(
            "{} files in one folder, no clustering columns; below {} a table needs neither",
            crate::model::units::count(facts.sum.files),
            bytes(facts.limits.unpartitioned_max_bytes),
        ),
        impact: "a filter skips files only where the order of writing happens to help; the partitions \
            pane ranks candidate columns"
            .into(),
        action: None,
        source: "Databricks docs, When to partition tables: from 1 TB (2026)",
    })
}
