use crate::advice::words::some;
use crate::advice::{Facts, Finding, Severity};

pub(super) const ID: &str = "features-forbid-tuning";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let features = facts.blocking_features();
    if features.is_empty() {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: "Tuning is refused".into(),
        evidence: format!("the table uses {}", some(&features, 6)),
        impact: "this program cannot rewrite such a table without loss, so it only inspects it; the \
            engine that owns it can carry the advice out"
            .into(),
        action: None,
        source: "Delta protocol, Table Features: a writer must support every feature that a table lists",
    })
}
