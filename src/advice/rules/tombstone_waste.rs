use crate::advice::words::{plural, times};
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::bytes;

pub(super) const ID: &str = "tombstone-waste";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (tombstones, limits) = (facts.tombstones?, facts.limits);
    let ratio = tombstones.bytes as f64 / facts.sum.bytes.max(1) as f64;
    if tombstones.bytes < limits.tombstone_min_bytes || ratio < limits.tombstone_share {
        return None;
    }
    let severity = if ratio >= limits.tombstone_warning_share { Severity::Warning } else { Severity::Info };
    let unsized_files = match tombstones.without_size {
        0 => String::new(),
        n => format!(" and {} of unknown size", plural(n, "file")),
    };
    Some(Finding {
        id: ID,
        severity,
        title: format!("Up to {} in removed files", bytes(tombstones.bytes)),
        evidence: format!(
            "the log still names {} that were removed, {}{unsized_files}, against {}; how many are still \
                there only a listing tells",
            plural(tombstones.files, "file"),
            bytes(tombstones.bytes),
            match facts.sum.bytes {
                0 => "none in use".into(),
                used => format!("{} in use ({})", bytes(used), times(ratio)),
            },
        ),
        impact: "their storage is paid for until a vacuum; the vacuum ends time travel to versions \
            that need them, and its plan says to which"
            .into(),
        action: facts.vacuum_action(""),
        source: "Delta docs, VACUUM: removed files stay for delta.deletedFileRetentionDuration (7 \
            days) and longer",
    })
}
