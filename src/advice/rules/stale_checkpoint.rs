use crate::advice::remedy::in_words;
use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::retention::Retention;

pub(super) const ID: &str = "stale-checkpoint";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (limits, log) = (facts.limits, &facts.table.log);
    let since = log.commits_since_checkpoint(facts.table.version);
    let stated = Retention::of(&facts.table.metadata.configuration).checkpoint_interval.value;
    let interval = stated.unwrap_or(limits.checkpoint_interval);
    if since <= interval.saturating_mul(limits.checkpoint_lag.max(1)) {
        return None;
    }
    let severity = match since {
        n if n >= limits.checkpoint_critical => Severity::Critical,
        n if n >= limits.checkpoint_warning => Severity::Warning,
        _ => Severity::Info,
    };
    let last =
        log.last_checkpoint.map_or("there is none".into(), |v| format!("the last one is of version {v}"));
    let from = if stated.is_some() { "the table's interval" } else { "the usual interval" };
    Some(Finding {
        id: ID,
        severity,
        title: format!("{} since the last checkpoint", plural(since, "commit")),
        evidence: format!(
            "version {}; {last}; {from} is {}",
            facts.table.version,
            plural(interval, "commit")
        ),
        impact: format!(
            "each reader opens {} one by one before it can plan a query; a checkpoint replaces them by \
                one file and changes no data",
            plural(since, "commit file")
        ),
        action: in_words(format!(
            "let a writer make one; in Python (deltalake): {}.create_checkpoint(); Spark writes one itself \
             every delta.checkpointInterval commits",
            facts.python_name()
        )),
        source: "Delta: a checkpoint every 10 commits in Spark, every 100 in delta-rs \
            (delta.checkpointInterval)",
    })
}
