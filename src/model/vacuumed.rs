//! Versions that a vacuum may have ended, as far as the commits tell: nobody looked at the data files.

use serde_json::Value;

use super::history::Commit;
use super::operation::OperationKind;
use super::units::Millis;

/// A vacuum in the history, and the versions that may miss data files since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacuumed {
    /// The version of its `VACUUM START`.
    pub vacuum: u64,
    /// Older versions than this had files that were removed before the vacuum's retention began. This
    /// one and newer ones had not.
    pub before: u64,
}

impl Vacuumed {
    /// `commits`: newest first. A vacuum deletes the files that were removed longer ago than its
    /// retention (Spark `VacuumCommand`; the removes' time is taken to be their commit's). One that
    /// states that it found nothing to delete ended nothing; none where no vacuum is in the log, which
    /// proves nothing: writers may leave it out (`spark.databricks.delta.vacuum.logging.enabled`).
    pub fn of(commits: &[Commit]) -> Option<Vacuumed> {
        let mut newer: Option<(Millis, u64)> = None;
        for commit in commits {
            if let Some((cut_off, vacuum)) = newer
                && commit.removed_files > 0
                && written(commit).is_none_or(|at| at < cut_off)
            {
                return Some(Vacuumed { vacuum, before: commit.version });
            }
            let found = cut_off(commit).map(|at| (at, commit.version));
            newer = newer.max(found);
        }
        None
    }

    /// Why it is not known whether a version still has its data files, if it is not.
    pub fn doubt(&self, version: u64) -> Option<String> {
        (version < self.before)
            .then(|| format!("the vacuum of version {} may have deleted its data files", self.vacuum))
    }
}

/// The writer's clock, which also the times of removes are of; at the earliest.
fn written(commit: &Commit) -> Option<Millis> {
    match (commit.stated_timestamp, commit.timestamp) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Files removed before this time are gone since the commit, if it is the start of a vacuum.
fn cut_off(commit: &Commit) -> Option<Millis> {
    let kind = OperationKind::of(commit.operation.as_deref(), commit.operation_parameters.as_ref());
    if kind != OperationKind::VacuumStart {
        return None;
    }
    let number = |map: Option<&serde_json::Map<String, Value>>, key: &str| match map?.get(key)? {
        Value::Number(n) => n.as_i64(),
        Value::String(text) => text.trim().parse::<i64>().ok(),
        _ => None,
    };
    if number(commit.operation_metrics.as_ref(), "numFilesToDelete") == Some(0) {
        return None;
    }
    let parameters = commit.operation_parameters.as_ref();
    let retain = number(parameters, "specifiedRetentionMillis")
        .or_else(|| number(parameters, "defaultRetentionMillis"))
        .unwrap_or(0);
    let at = commit.stated_timestamp.max(commit.timestamp).unwrap_or(Millis::MAX);
    Some(at.saturating_sub(retain.max(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn commit(version: u64, at: Millis, removed_files: u64) -> Commit {
        Commit { version, stated_timestamp: Some(at), removed_files, ..Commit::default() }
    }

    fn vacuum(version: u64, at: Millis, retain: Value, metrics: Value) -> Commit {
        Commit {
            operation: Some("VACUUM START".into()),
            operation_parameters: json!({"specifiedRetentionMillis": retain}).as_object().cloned(),
            operation_metrics: metrics.as_object().cloned(),
            ..commit(version, at, 0)
        }
    }

    #[test]
    fn versions_whose_files_were_removed_long_before_a_vacuum_are_in_doubt() {
        let of = |vacuum: Commit| {
            let log = [commit(6, 990, 5), vacuum, commit(4, 900, 1), commit(3, 500, 1), commit(2, 400, 1)];
            Vacuumed::of(&log)
        };
        let found = of(vacuum(5, 1000, json!(200), json!({"numFilesToDelete": "2"})));
        assert_eq!(found, Some(Vacuumed { vacuum: 5, before: 3 }));
        let found = found.unwrap();
        assert!(found.doubt(2).is_some_and(|d| d.contains("version 5")) && found.doubt(3).is_none());
        assert_eq!(of(vacuum(5, 1000, json!("50"), json!(null))).map(|v| v.before), Some(4));
        assert_eq!(of(vacuum(5, 1000, json!(700), json!(null))), None, "nothing was removed before 300");
        assert_eq!(of(vacuum(5, 1000, json!(0), json!({"numFilesToDelete": 0}))), None);
        assert_eq!(of(vacuum(5, 1000, json!("?"), json!(null))).map(|v| v.before), Some(4), "at worst");
        assert_eq!(of(commit(5, 1000, 0)), None, "no vacuum");
    }

    #[test]
    fn the_vacuum_that_reaches_furthest_counts() {
        let log = [
            vacuum(9, 1000, json!(900), json!(null)),
            commit(8, 700, 1),
            vacuum(7, 600, json!(0), json!(null)),
            commit(6, 300, 1),
            commit(5, 50, 1),
        ];
        assert_eq!(Vacuumed::of(&log), Some(Vacuumed { vacuum: 7, before: 6 }));
    }
}
