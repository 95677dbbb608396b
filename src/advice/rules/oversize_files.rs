use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::plan::LeftReason;
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "oversize-files";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let plan = facts.resizing();
    let high = facts.target.high;
    let (mut files, mut large, mut parts) = (0u64, 0u64, 0u64);
    for group in &plan.groups {
        // Splits are groups of one file; merged files are below the band.
        if group.bytes > high && group.inputs.len() == 1 {
            files += 1;
            large = large.saturating_add(group.bytes);
            parts += group.outputs.len() as u64;
        }
    }
    if files == 0 {
        return None;
    }
    let of_bytes = large as f64 / facts.sum.bytes.max(1) as f64;
    let severity =
        if of_bytes >= facts.limits.oversize_warning_share { Severity::Warning } else { Severity::Info };
    let whole = plan.left_alone.iter().find(|l| l.reason == LeftReason::CannotSplit).map_or(0, |l| l.files);
    let note = if whole > 0 { format!("; {} more cannot be split", count(whole)) } else { String::new() };
    Some(Finding {
        id: ID,
        severity,
        title: format!("{} above {}", plural(files, "file"), bytes(high)),
        evidence: format!(
            "{} of {}: {}, {} of the table, {} each on average; the target is {} ({}){note}",
            count(files),
            plural(facts.sum.files, "file"),
            bytes(large),
            share(of_bytes),
            bytes(large / files),
            bytes(facts.target.target),
            facts.target.source,
        ),
        impact: format!(
            "few files limit how many workers can read at once and what statistics can skip; splitting \
                gives {} of about {} in their place; fewer, larger files are not always slower: time a \
                query before and after",
            plural(parts, "file"),
            bytes(large / parts.max(1)),
        ),
        action: facts.resize_action(),
        source: "Fabric fragmentation tutorial: 4 files of 835 MB read slower than 128 of 26 MB (2026)",
    })
}
