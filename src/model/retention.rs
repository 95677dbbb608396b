//! How long a table keeps its history: the properties that say so.

use std::collections::BTreeMap;

use serde::Serialize;

use super::interval::parse_interval;
use super::units::Millis;

const HOUR: Millis = 3_600_000;
const DAY: Millis = 24 * HOUR;

/// A property's value in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting<T> {
    pub value: T,
    /// Whether the table sets it; if not, the default is in force.
    pub set: bool,
    /// The table's value is not a valid one; the default stands in, and writers may refuse the table.
    pub problem: Option<String>,
}

/// The retention properties in force. Keys are matched without regard to case, as Spark does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    /// `delta.logRetentionDuration`, milliseconds; default 30 days (Spark `DeltaConfigs.LOG_RETENTION`).
    pub log: Setting<Millis>,
    /// `delta.deletedFileRetentionDuration`, milliseconds; default 7 days
    /// (Spark `DeltaConfigs.TOMBSTONE_RETENTION`: 1 week).
    pub deleted_files: Setting<Millis>,
    /// `delta.checkpointRetentionDuration`, milliseconds; default 2 days
    /// (Spark `DeltaConfigs.CHECKPOINT_RETENTION_DURATION`).
    pub checkpoints: Setting<Millis>,
    /// `delta.enableExpiredLogCleanup`; default true: writers delete expired log files when they
    /// write a checkpoint (Spark `DeltaConfigs.ENABLE_EXPIRED_LOG_CLEANUP`).
    pub expired_log_cleanup: Setting<bool>,
    /// `delta.setTransactionRetentionDuration`, milliseconds; by default transactions are kept for good.
    pub transactions: Setting<Option<Millis>>,
    /// `delta.checkpointInterval`: commits between checkpoints; default 10 in Spark, 100 in
    /// delta-rs, so that it is unknown unless it is set.
    pub checkpoint_interval: Setting<Option<u64>>,
}

impl Retention {
    pub fn of(configuration: &BTreeMap<String, String>) -> Self {
        let get = |key: &str| {
            let full = format!("delta.{key}");
            let exact = configuration.get(&full);
            exact
                .or_else(|| configuration.iter().find(|(k, _)| k.eq_ignore_ascii_case(&full)).map(|(_, v)| v))
        };
        let duration = |key: &str, default: Millis| setting(key, get(key), default, parse_interval);
        Retention {
            log: duration("logRetentionDuration", 30 * DAY),
            deleted_files: duration("deletedFileRetentionDuration", 7 * DAY),
            checkpoints: duration("checkpointRetentionDuration", 2 * DAY),
            expired_log_cleanup: {
                let key = "enableExpiredLogCleanup";
                setting(key, get(key), true, |text| match text.trim().to_lowercase().as_str() {
                    "true" => Ok(true),
                    "false" => Ok(false),
                    _ => Err("it is neither true nor false".into()),
                })
            },
            transactions: {
                let key = "setTransactionRetentionDuration";
                setting(key, get(key), None, |text| parse_interval(text).map(Some))
            },
            checkpoint_interval: {
                let key = "checkpointInterval";
                setting(key, get(key), None, |text| match text.trim().parse() {
                    Ok(n) if n > 0 => Ok(Some(n)),
                    _ => Err("it is not a positive whole number".into()),
                })
            },
        }
    }

    /// What is wrong with the table's values, in sentences.
    pub fn problems(&self) -> Vec<String> {
        let all = [
            &self.log.problem,
            &self.deleted_files.problem,
            &self.checkpoints.problem,
            &self.expired_log_cleanup.problem,
            &self.transactions.problem,
            &self.checkpoint_interval.problem,
        ];
        let mut out: Vec<String> = all.into_iter().flatten().cloned().collect();
        if self.deleted_files.value < 7 * DAY {
            out.push(format!(
                "delta.deletedFileRetentionDuration is {}, below the safe 7 d: a vacuum may delete files \
                 that running readers and writers still need",
                super::units::duration(self.deleted_files.value.max(0) as u64)
            ));
        }
        if self.log.value < self.deleted_files.value {
            out.push(
                "delta.logRetentionDuration is shorter than delta.deletedFileRetentionDuration: data files \
                 are kept for versions that the log no longer knows"
                    .into(),
            );
        }
        out
    }
}

fn setting<T>(
    key: &str,
    text: Option<&String>,
    default: T,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Setting<T> {
    match text.map(|t| (t, parse(t))) {
        None => Setting { value: default, set: false, problem: None },
        Some((_, Ok(value))) => Setting { value, set: true, problem: None },
        Some((text, Err(why))) => {
            let problem = Some(format!("delta.{key} = \"{text}\" is not valid: {why}"));
            Setting { value: default, set: true, problem }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Retention {
        Retention::of(&pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect())
    }

    #[test]
    fn defaults_are_those_of_delta() {
        let r = of(&[]);
        assert_eq!((r.log.value, r.deleted_files.value, r.checkpoints.value), (30 * DAY, 7 * DAY, 2 * DAY));
        assert!(r.expired_log_cleanup.value && !r.log.set && r.problems().is_empty());
        assert_eq!((r.transactions.value, r.checkpoint_interval.value), (None, None));
    }

    #[test]
    fn values_are_read_and_bad_ones_are_named() {
        let r = of(&[
            ("delta.logRetentionDuration", "interval 1 week 2 hours"),
            ("DELTA.DeletedFileRetentionDuration", "7 days"),
            ("delta.enableExpiredLogCleanup", "FALSE"),
            ("delta.checkpointRetentionDuration", "interval 1 month"),
            ("delta.checkpointInterval", "0"),
        ]);
        assert_eq!((r.log.value, r.deleted_files.value), (7 * DAY + 2 * HOUR, 7 * DAY));
        assert!(r.deleted_files.set && !r.expired_log_cleanup.value);
        assert_eq!(r.checkpoints.value, 2 * DAY);
        let problems = r.problems();
        assert_eq!(problems.len(), 2);
        assert!(problems[0].contains("\"interval 1 month\" is not valid: a month has no fixed length"));
    }

    #[test]
    fn a_short_or_odd_retention_is_said() {
        let r = of(&[
            ("delta.deletedFileRetentionDuration", "interval 6 hours"),
            ("delta.logRetentionDuration", "interval 1 hour"),
        ]);
        assert_eq!(r.problems().len(), 2);
    }
}
