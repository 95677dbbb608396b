//! The rules, one a file. A new one is a file and a row of [`RULES`].

mod codec_mix;
mod deletion_vectors;
mod double_rewrite;
mod features_forbid_tuning;
mod file_count;
mod legacy_protocol;
mod long_log;
pub(super) mod missing_files;
mod missing_statistics;
mod over_partitioned;
mod oversize_files;
mod partition_skew;
mod partition_values;
mod poor_clustering;
mod retention;
mod row_groups;
mod small_files;
mod stale_checkpoint;
mod tombstone_waste;
mod under_partitioned;
pub(super) mod unreadable_files;
mod unreferenced_files;
mod v_order;
pub(super) mod wrong_figures;

use super::facts::Facts;
use super::finding::Finding;

/// A rule: its findings' id, what it looks for, and the check.
#[derive(Clone, Copy)]
pub struct Rule {
    pub id: &'static str,
    /// One sentence, for help and documentation.
    pub about: &'static str,
    /// The finding, if there is one.
    pub check: fn(&Facts<'_>) -> Option<Finding>,
}

const fn rule(id: &'static str, about: &'static str, check: fn(&Facts<'_>) -> Option<Finding>) -> Rule {
    Rule { id, about, check }
}

/// All rules, in the order in which findings of one severity are shown.
pub static RULES: &[Rule] = &[
    rule(missing_files::ID, "files of the table that are not there", missing_files::check),
    rule(unreadable_files::ID, "data files that are there and cannot be read", unreadable_files::check),
    rule(double_rewrite::ID, "two commits rewrote the same files", double_rewrite::check),
    rule(
        wrong_figures::ID,
        "files with other rows, or of another size, than the log says",
        wrong_figures::check,
    ),
    rule(small_files::ID, "files below half of the target that can be merged", small_files::check),
    rule(oversize_files::ID, "files above twice the target", oversize_files::check),
    rule(
        file_count::ID,
        "more files than the table's size warrants, or the reader allows",
        file_count::check,
    ),
    rule(over_partitioned::ID, "partitions too small to be worth a folder", over_partitioned::check),
    rule(
        under_partitioned::ID,
        "a very large table without partitions or clustering",
        under_partitioned::check,
    ),
    rule(partition_skew::ID, "one partition dwarfs the others", partition_skew::check),
    rule(partition_values::ID, "partition values that look like mistakes", partition_values::check),
    rule(row_groups::ID, "row groups too small for the reader", row_groups::check),
    rule(
        missing_statistics::ID,
        "files without statistics on columns that should have them",
        missing_statistics::check,
    ),
    rule(
        poor_clustering::ID,
        "files overlap on the columns that should tell them apart",
        poor_clustering::check,
    ),
    rule(deletion_vectors::ID, "deleted rows that every query still skips", deletion_vectors::check),
    rule(stale_checkpoint::ID, "many commits to replay since the last checkpoint", stale_checkpoint::check),
    rule(long_log::ID, "a log that takes long to list or much room", long_log::check),
    rule(tombstone_waste::ID, "removed files that still take up storage", tombstone_waste::check),
    rule(retention::ID, "retention settings that are dangerous or of no use", retention::check),
    rule(
        unreferenced_files::ID,
        "files in the folder that the table does not know",
        unreferenced_files::check,
    ),
    rule(v_order::ID, "V-Order lost or mixed", v_order::check),
    rule(codec_mix::ID, "several compression codecs, or none", codec_mix::check),
    rule(legacy_protocol::ID, "a protocol that implies features nobody asked for", legacy_protocol::check),
    rule(
        features_forbid_tuning::ID,
        "features that keep this program from changing the table",
        features_forbid_tuning::check,
    ),
];
