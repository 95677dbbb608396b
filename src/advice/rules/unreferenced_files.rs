use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "unreferenced-files";

/// Needs a listing. Young files may belong to a commit that is under way and do not count.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let found = facts.unreferenced.filter(|u| u.old_files > 0)?;
    let of_table = found.old_bytes as f64 / facts.sum.bytes.max(1) as f64;
    let warning = of_table >= facts.limits.unreferenced_warning_share;
    Some(Finding {
        id: ID,
        severity: if warning { Severity::Warning } else { Severity::Info },
        title: format!(
            "{} that the table does not know, {}",
            plural(found.old_files, "file"),
            bytes(found.old_bytes)
        ),
        evidence: format!(
            "{} in the table's folder, {} beside the table's {}, that no active file and no tombstone \
                names; {} of them older than the retention",
            plural(found.files, "file"),
            bytes(found.bytes),
            bytes(facts.sum.bytes),
            count(found.old_files),
        ),
        impact: "left by failed writes or by removals whose log is gone; they cost storage only; a \
            full vacuum lists each with its reason before it deletes"
            .into(),
        action: facts.vacuum_action("--full"),
        source: "Delta docs, VACUUM: files not referenced by the table, older than the retention",
    })
}
