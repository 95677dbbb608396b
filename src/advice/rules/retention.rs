use crate::advice::{Facts, Finding, Severity};
use crate::model::retention::Retention;
use crate::model::units::duration;

pub(super) const ID: &str = "retention";
const FILES: &str = "delta.deletedFileRetentionDuration";
const LOG: &str = "delta.logRetentionDuration";
const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (limits, retention) = (facts.limits, Retention::of(&facts.table.metadata.configuration));
    let (deleted, log) = (&retention.deleted_files, &retention.log);
    if let Some(problem) = deleted.problem.as_ref().or(log.problem.as_ref()) {
        return Some(finding(
            Severity::Info,
            "A retention setting cannot be read".into(),
            problem.clone(),
            "writers refuse the table or fall back to their default".into(),
            None,
        ));
    }
    if !deleted.set && !log.set {
        return None;
    }
    let (files, log) = (deleted.value.max(0) as u64, log.value.max(0) as u64);
    let safe = limits.retention_safe_hours.saturating_mul(HOUR);
    let set = |name: &str, ms: u64| facts.set_property(name, &format!("interval {} days", ms.div_ceil(DAY)));
    if files < safe {
        return Some(finding(
            Severity::Warning,
            format!("Removed files may be deleted after {}", duration(files)),
            format!("{FILES} is {}; {} is safe", duration(files), duration(safe)),
            "a vacuum can delete files that running queries and writers still need: they fail, or a \
                commit refers to files that are gone"
                .into(),
            set(FILES, safe),
        ));
    }
    if files > log {
        return Some(finding(
            Severity::Info,
            "Removed files are kept longer than the log".into(),
            format!("{FILES} is {}, {LOG} is {}", duration(files), duration(log)),
            format!(
                "versions older than {} cannot be read once the log is cleaned, yet their files are \
                    paid for",
                duration(log)
            ),
            // Files younger than the safe retention must stay, so then the log has to be kept longer.
            if log < safe { set(LOG, files) } else { set(FILES, log) },
        ));
    }
    if files > limits.retention_most_days.saturating_mul(DAY) {
        return Some(finding(
            Severity::Info,
            format!("Removed files are kept for {}", duration(files)),
            format!("{FILES} is {}", duration(files)),
            "each rewrite keeps its old files for that long".into(),
            None,
        ));
    }
    None
}

fn finding(
    severity: Severity,
    title: String,
    evidence: String,
    impact: String,
    action: Option<crate::advice::Action>,
) -> Finding {
    let source = "Delta docs, table properties and VACUUM: 7 days (168 h) for files, 30 days for the log";
    Finding { id: ID, severity, title, evidence, impact, action, source }
}
