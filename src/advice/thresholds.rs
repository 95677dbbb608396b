//! Every figure that the rules compare with. Defaults are published guidance; a profile changes
//! some; the configuration can set all.

use serde::{Deserialize, Serialize};

use super::profile::Profile;
use crate::model::candidates::CandidateRules;
use crate::model::table::Table;
use crate::model::target::{SizeTarget, TargetCurve, size_target_on};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Shares are from 0 to 1, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// The file size to aim at, by the table's size.
    pub target: TargetCurve,
    /// Files up to this size are never oversize, whatever the target; 0 for none.
    pub fine_up_to_bytes: u64,

    /// Small files are reported if a compaction takes away at least this many files …
    pub small_files_saved: u64,
    /// … and at least this share of all files.
    pub small_files_saved_share: f64,
    /// Files to merge from which it is a warning (auto compaction starts at 50: Delta, Fabric docs).
    pub small_files_warning: u64,
    /// … and critical, if they are also this share of all files.
    pub small_files_critical: u64,
    pub small_files_critical_share: f64,
    /// Share of the bytes in oversize files from which it is a warning.
    pub oversize_warning_share: f64,

    /// Most files of a table up to 100 GB, of one of 500 GB, of one of 1 TB (Microsoft, 2026).
    pub files_at_100_gb: u64,
    pub files_at_500_gb: u64,
    pub files_at_1_tb: u64,
    /// Hard limits of the reader; 0 for none (Direct Lake guardrails).
    pub guardrail_files: u64,
    pub guardrail_rows: u64,

    /// A partition below this is too fine (~64 MB, dynamic-partitions tutorial).
    pub partition_min_bytes: u64,
    /// Over-partitioning is looked for from this many partitions.
    pub partitions_min: u64,
    /// Share of too fine partitions from which it is reported.
    pub partitions_fine_share: f64,
    /// Too fine partitions from which it is critical.
    pub partitions_fine_critical: u64,
    /// An unpartitioned, unclustered table is fine up to this size (Databricks docs: 1 TB).
    pub unpartitioned_max_bytes: u64,
    /// Largest partition against the median, Gini coefficient and size from which skew is reported.
    pub skew_ratio: f64,
    pub skew_gini: f64,
    pub skew_min_bytes: u64,
    /// Ratio from which skew is a warning.
    pub skew_warning_ratio: f64,

    /// Row groups below this many rows are small.
    pub row_group_min_rows: u64,
    /// Rows to write in a row group instead.
    pub row_group_rows: u64,
    /// Judge the last row group of a file too: a reader that counts row groups, not files.
    pub row_group_all: bool,
    /// Share of small row groups from which it is reported.
    pub row_group_share: f64,

    /// Share of files without a column's statistics from which it is reported, and a warning.
    pub statistics_missing_share: f64,
    pub statistics_missing_warning_share: f64,
    /// Files from which missing statistics are reported, and from which they can be a warning.
    pub statistics_min_files: u64,
    pub statistics_warning_files: u64,

    /// Re-cluster above this overlap ratio, with at least so many files (Fabric docs: 0.75 and 4).
    pub clustering_overlap: f64,
    pub clustering_min_files: u64,
    /// Unclustered tables below this size are not judged.
    pub clustering_min_bytes: u64,
    /// Share of the files that a 1 % range on the best column may read in an unclustered table.
    pub clustering_best_share: f64,

    /// Deleted share of a file's rows above which it should be rewritten (Fabric docs: 5 %).
    pub deleted_share: f64,

    /// Commits between checkpoints if the table does not say (Spark 10, delta-rs 100).
    pub checkpoint_interval: u64,
    /// Commits since the checkpoint, as a multiple of the interval, from which it is stale.
    pub checkpoint_lag: u64,
    /// Commits since the checkpoint from which it is a warning, and critical.
    pub checkpoint_warning: u64,
    pub checkpoint_critical: u64,

    /// Commit files and bytes from which the log is long.
    pub log_commits: u64,
    pub log_bytes: u64,
    /// Commit files from which it is a warning.
    pub log_commits_warning: u64,

    /// Tombstoned bytes as a share of the table, and bytes, from which they are reported.
    pub tombstone_share: f64,
    pub tombstone_min_bytes: u64,
    /// Share from which it is a warning.
    pub tombstone_warning_share: f64,
    /// Hours of file retention that are safe (Delta docs: 168).
    pub retention_safe_hours: u64,
    /// Days of file retention beyond which it is hardly wanted.
    pub retention_most_days: u64,

    /// The reader gains much from V-Order.
    pub wants_v_order: bool,
    /// Share of the bytes in a second codec from which the mix is reported.
    pub codec_share: f64,

    /// Share of unreferenced bytes from which it is a warning.
    pub unreferenced_warning_share: f64,

    /// What makes a good partition column.
    pub candidates: CandidateRules,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            target: TargetCurve::FABRIC,
            fine_up_to_bytes: 0,
            small_files_saved: 4,
            small_files_saved_share: 0.05,
            small_files_warning: 50,
            small_files_critical: 100,
            small_files_critical_share: 0.5,
            oversize_warning_share: 0.5,
            files_at_100_gb: 1000,
            files_at_500_gb: 5000,
            files_at_1_tb: 10_000,
            guardrail_files: 0,
            guardrail_rows: 0,
            partition_min_bytes: 64 * MIB,
            partitions_min: 10,
            partitions_fine_share: 0.5,
            partitions_fine_critical: 1000,
            unpartitioned_max_bytes: 1024 * GIB,
            skew_ratio: 10.0,
            skew_gini: 0.5,
            skew_min_bytes: GIB,
            skew_warning_ratio: 100.0,
            row_group_min_rows: 100_000,
            row_group_rows: 1_000_000,
            row_group_all: false,
            row_group_share: 0.5,
            statistics_missing_share: 0.05,
            statistics_missing_warning_share: 0.5,
            statistics_min_files: 2,
            statistics_warning_files: 10,
            clustering_overlap: 0.75,
            clustering_min_files: 4,
            clustering_min_bytes: 10 * GIB,
            clustering_best_share: 0.5,
            deleted_share: 0.05,
            checkpoint_interval: 10,
            checkpoint_lag: 2,
            checkpoint_warning: 100,
            checkpoint_critical: 1000,
            log_commits: 5000,
            log_bytes: GIB,
            log_commits_warning: 20_000,
            tombstone_share: 0.5,
            tombstone_min_bytes: 100 * MIB,
            tombstone_warning_share: 2.0,
            retention_safe_hours: 168,
            retention_most_days: 365,
            wants_v_order: false,
            codec_share: 0.05,
            unreferenced_warning_share: 0.1,
            candidates: CandidateRules::default(),
        }
    }
}

/// Thresholds that were set, by name; figures that belong together are in an object of their own.
pub type Changes = serde_json::Map<String, serde_json::Value>;

impl Thresholds {
    /// The size that files of a table should have, with `bytes` in all, and the band around it.
    pub fn band(&self, table: &Table, bytes: u64) -> SizeTarget {
        let target = size_target_on(&self.target, &table.metadata, bytes);
        SizeTarget { high: target.high.max(self.fine_up_to_bytes), ..target }
    }

    /// All figures by name.
    pub fn figures(&self) -> Changes {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(figures)) => figures,
            _ => Changes::new(),
        }
    }

    /// The figures for a reader, but for those that were set. A name or value that does not fit is an
    /// error in words.
    pub fn with(profile: Profile, changes: &Changes) -> Result<Self, String> {
        let mut figures = Thresholds::of(profile).figures();
        for (name, value) in changes {
            match (figures.get_mut(name), value) {
                (Some(serde_json::Value::Object(group)), serde_json::Value::Object(inner)) => {
                    group.extend(inner.clone());
                }
                _ => {
                    figures.insert(name.clone(), value.clone());
                }
            }
        }
        serde_json::from_value(figures.into()).map_err(|e| e.to_string())
    }

    /// The published figures for a reader.
    pub fn of(profile: Profile) -> Self {
        let base = Thresholds::default();
        match profile {
            Profile::Spark | Profile::DuckDb => base,
            Profile::Databricks => Thresholds { target: TargetCurve::DATABRICKS, ..base },
            // sp_get_table_health_metrics (June 2026) calls ~1.2 GB a file healthy, the cross-workload
            // guide (August 2026) advises against a static target: larger files are just accepted.
            Profile::FabricSql => Thresholds { fine_up_to_bytes: 2400 * MIB, wants_v_order: true, ..base },
            // Guardrails of the smallest capacities, F2 to F32; larger ones allow more.
            Profile::DirectLake => Thresholds {
                fine_up_to_bytes: 2400 * MIB,
                guardrail_files: 1000,
                guardrail_rows: 300_000_000,
                row_group_min_rows: 1_000_000,
                row_group_rows: 8_000_000,
                row_group_all: true,
                wants_v_order: true,
                ..base
            },
            Profile::DeltaRs => Thresholds { checkpoint_interval: 100, ..base },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_set_wins_over_the_profile() {
        let changes = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
        let set = changes(json!({"guardrail_files": 5000, "target": {"floor": 7}, "skew_gini": 1}));
        let with = Thresholds::with(Profile::DirectLake, &set).unwrap();
        assert_eq!((with.guardrail_files, with.guardrail_rows), (5000, 300_000_000));
        assert_eq!((with.target.floor, with.target.ceiling), (7, TargetCurve::FABRIC.ceiling));
        assert_eq!(with.skew_gini, 1.0);
        for wrong in [json!({"guardrail": 1}), json!({"log_commits": -1}), json!({"target": 5})] {
            assert!(Thresholds::with(Profile::Spark, &changes(wrong.clone())).is_err(), "{wrong}");
        }
        for profile in Profile::ALL {
            assert_eq!(Thresholds::with(profile, &Changes::new()).unwrap(), Thresholds::of(profile));
        }
    }
}
