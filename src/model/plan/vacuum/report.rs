//! A vacuum's plan as the command line gives it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{DeleteReason, KeepReason, Mode, VacuumPlan};
use crate::model::units::count;

/// The command-line contract's plan of a vacuum; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VacuumReport {
    pub operation: &'static str,
    pub retention_hours: u64,
    pub mode: Mode,
    pub num_files: u64,
    /// Σ of the sizes known.
    pub bytes: u64,
    pub partitions: Vec<PartitionReport>,
    pub never_referenced: NeverReferencedReport,
    pub oldest_version_before: Option<u64>,
    pub oldest_version_after: Option<u64>,
    pub files: Vec<FileReport>,
    /// What was looked at and stays.
    pub kept: Vec<KeptReport>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptReport {
    pub reason: KeepReason,
    pub num_files: u64,
}

/// What goes from one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionReport {
    /// The folder relative to the table; empty for the table's own.
    pub path: String,
    pub num_files: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NeverReferencedReport {
    pub num_files: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    pub path: String,
    pub bytes: Option<u64>,
    pub reason: DeleteReason,
}

impl VacuumReport {
    /// What stays though it is not in use, in a phrase; empty if there is nothing.
    pub fn kept_in_words(&self) -> String {
        let kept = self.kept.iter().filter(|k| k.reason != KeepReason::InUse);
        let words: Vec<String> =
            kept.map(|k| format!("{} {}", count(k.num_files), words(k.reason))).collect();
        words.join(", ")
    }
}

fn words(reason: KeepReason) -> &'static str {
    match reason {
        KeepReason::InUse => "in use",
        KeepReason::WithinRetention => "younger than the retention",
        KeepReason::UnknownAge => "removed at an unknown time",
        KeepReason::Hidden => "hidden",
        KeepReason::NestedTable => "of nested tables",
        KeepReason::Link => "symbolic links and what they lead to",
        KeepReason::Foreign => "of other kinds",
        KeepReason::Outside => "outside of the table",
        KeepReason::NeverReferenced => "that no commit refers to",
    }
}

impl From<&VacuumPlan> for VacuumReport {
    fn from(plan: &VacuumPlan) -> Self {
        let mut folders: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for file in &plan.files {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let sums = folders.entry(folder).or_default();
            sums.0 += 1;
            sums.1 = sums.1.saturating_add(file.bytes.unwrap_or(0));
        }
        let partition = |(path, (num_files, bytes)): (&str, (u64, u64))| PartitionReport {
            path: path.into(),
            num_files,
            bytes,
        };
        let (num_files, bytes) = plan.never_referenced;
        VacuumReport {
            operation: "vacuum",
            retention_hours: plan.retention_hours,
            mode: plan.mode,
            num_files: plan.files.len() as u64,
            bytes: plan.bytes(),
            partitions: folders.into_iter().map(partition).collect(),
            never_referenced: NeverReferencedReport { num_files, bytes },
            oldest_version_before: plan.oldest_before,
            oldest_version_after: plan.oldest_after,
            files: plan
                .files
                .iter()
                .map(|f| FileReport { path: f.path.clone(), bytes: f.bytes, reason: f.reason })
                .collect(),
            kept: plan
                .kept
                .iter()
                .map(|(reason, num_files)| KeptReport { reason: *reason, num_files: *num_files })
                .collect(),
        }
    }
}
