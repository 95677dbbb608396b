use crate::advice::{Facts, Finding, Severity};
use crate::model::interval;
use crate::model::units::duration;

pub(super) const ID: &str = "retention";
const FILES: &str = "delta.deletedFileRetentionDuration";
const LOG: &str = "delta.logRetentionDuration";
const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// Milliseconds of a retention property; none if it is not of the form that writers accept.
fn parse_interval(text: &str) -> Option<u64> {
    interval::parse_interval(text).ok().and_then(|ms| u64::try_from(ms).ok())
}

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let limits = facts.limits;
    for name in [FILES, LOG] {
        if let Some(text) = facts.property(name).filter(|t| parse_interval(t).is_none()) {
            return Some(finding(
                Severity::Info,
                format!("{name} cannot be read"),
                format!("{name} = \"{text}\" is no interval such as \"interval 7 days\""),
                "writers may fail or fall back to their default".into(),
                None,
            ));
        }
    }
    let (files_set, log_set) =
        (facts.property(FILES).and_then(parse_interval), facts.property(LOG).and_then(parse_interval));
    if files_set.is_none() && log_set.is_none() {
        return None;
    }
    let (files, log) = (files_set.unwrap_or(7 * DAY), log_set.unwrap_or(30 * DAY));
    let safe = limits.retention_safe_hours.saturating_mul(HOUR);
    let set = |name: &str, ms: u64| {
        facts.simple_action("set", &format!("'{name}=interval {} days'", ms.div_ceil(DAY)))
    };
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
