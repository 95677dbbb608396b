use crate::advice::words::{plural, share, some};
use crate::advice::{Facts, Finding, Severity};
use crate::model::skew::Skew;
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "over-partitioned";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let limits = facts.limits;
    let skew = Skew::of_leaves(&facts.tree)?;
    let fine = facts.tree.leaves().filter(|l| l.measures.bytes < limits.partition_min_bytes).count() as u64;
    let of_all = fine as f64 / skew.partitions as f64;
    if skew.partitions < limits.partitions_min.max(2) || of_all < limits.partitions_fine_share {
        return None;
    }
    let severity =
        if fine >= limits.partitions_fine_critical { Severity::Critical } else { Severity::Warning };
    let wanted = facts.sum.bytes.div_ceil(facts.target.target.max(1)).max(1);
    Some(Finding {
        id: ID,
        severity,
        title: format!(
            "{} of {} are below {}",
            count(fine),
            plural(skew.partitions, "partition"),
            bytes(limits.partition_min_bytes)
        ),
        evidence: format!(
            "partitioned by {}; {} of the partitions are too fine; median {}, largest {}, whole table {}",
            some(&facts.tree.columns, 4),
            share(of_all),
            bytes(skew.median as u64),
            bytes(skew.largest),
            bytes(facts.sum.bytes),
        ),
        impact: format!(
            "files are never merged across partitions: at least {} remain where {} of the target size \
                would hold everything; a coarser column (a month for a day), none, or clustering needs \
                a new table",
            plural(skew.partitions, "file"),
            count(wanted),
        ),
        action: None,
        source: "Delta, Databricks and Fabric docs: partitions of 1 GB or more; below about 64 MB is \
            too fine (dynamic-partitions tutorial, 2026)",
    })
}
