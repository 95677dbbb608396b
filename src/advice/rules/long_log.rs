use crate::advice::remedy::in_words;
use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::bytes;

pub(super) const ID: &str = "long-log";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (limits, log) = (facts.limits, &facts.table.log);
    let larger = log.bytes > facts.sum.bytes && log.bytes >= limits.tombstone_min_bytes;
    if log.commits < limits.log_commits && log.bytes < limits.log_bytes && !larger {
        return None;
    }
    let severity =
        if larger || log.commits >= limits.log_commits_warning { Severity::Warning } else { Severity::Info };
    let python = facts.python_name();
    let action = in_words(match log.last_checkpoint {
        Some(_) => format!(
            "Spark cleans the log when it writes a checkpoint (delta.enableExpiredLogCleanup, \
             delta.logRetentionDuration); in Python (deltalake): {python}.cleanup_metadata()"
        ),
        // Without a checkpoint no commit can go.
        None => format!("a checkpoint first; in Python (deltalake): {python}.create_checkpoint()"),
    });
    let oldest = log.first_commit.map(|v| format!(", the oldest of version {v}")).unwrap_or_default();
    Some(Finding {
        id: ID,
        severity,
        title: format!("The log has {} and {}", plural(log.commits, "commit"), bytes(log.bytes)),
        evidence: format!(
            "{}{oldest}; the table's data has {}",
            plural(log.commits, "commit file"),
            bytes(facts.sum.bytes)
        ),
        impact: "listing the log folder takes longer with each commit; cleaning it gives up time \
            travel to the versions that go"
            .into(),
        action,
        source: "Delta docs: log retention 30 days (delta.logRetentionDuration)",
    })
}
