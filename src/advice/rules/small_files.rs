use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "small-files";

/// Counts only files that a compaction would really merge: a small file alone in its partition is
/// as good as it gets.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (plan, limits) = (facts.compaction(), facts.limits);
    let (merged, saved) = (plan.input_files(), u64::try_from(plan.files_saved()).ok()?);
    let of_all = |n: u64| n as f64 / facts.sum.files.max(1) as f64;
    if saved < limits.small_files_saved.max(1) || of_all(saved) < limits.small_files_saved_share {
        return None;
    }
    let severity =
        if merged >= limits.small_files_critical && of_all(merged) >= limits.small_files_critical_share {
            Severity::Critical
        } else if merged >= limits.small_files_warning {
            Severity::Warning
        } else {
            Severity::Info
        };
    let outputs = plan.output_files().max(1);
    let partitioned = !facts.table.metadata.partition_columns.is_empty();
    let place = if partitioned { " and share a partition with another one" } else { "" };
    Some(Finding {
        id: ID,
        severity,
        title: format!(
            "{} could be {}",
            plural(merged, "small file"),
            bytes_each(outputs, plan.output_bytes() / outputs)
        ),
        evidence: format!(
            "{} of {} are below {} (average {}){place}; the target is {} ({})",
            count(merged),
            plural(facts.sum.files, "file"),
            bytes(facts.target.low),
            bytes(plan.input_bytes() / merged.max(1)),
            bytes(facts.target.target),
            facts.target.source,
        ),
        impact: format!(
            "a full scan opens {} where {} would do ({} fewer); it reads and rewrites {} once, and the \
                old files stay until a vacuum",
            plural(facts.sum.files, "file"),
            count(plan.files_after()),
            share(of_all(saved)),
            bytes(plan.input_bytes()),
        ),
        action: facts.compact_action(),
        source: "Microsoft Fabric docs, Tune file size: smallest acceptable file is half of the \
            adaptive target (2026)",
    })
}

fn bytes_each(files: u64, size: u64) -> String {
    format!("{} of about {}", plural(files, "file"), bytes(size))
}
