use crate::advice::words::times;
use crate::advice::{Facts, Finding, Severity};
use crate::model::skew::Skew;
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "partition-skew";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let limits = facts.limits;
    let skew = Skew::of_leaves(&facts.tree).filter(|s| s.partitions >= 4)?;
    let ratio = skew.ratio()?;
    if ratio < limits.skew_ratio || skew.gini < limits.skew_gini || skew.largest < limits.skew_min_bytes {
        return None;
    }
    let largest = facts.tree.leaves().max_by_key(|l| l.measures.bytes)?;
    let label = largest.leaf.map(|id| facts.files.partitions.label(id)).unwrap_or_default();
    let severity = if ratio >= limits.skew_warning_ratio { Severity::Warning } else { Severity::Info };
    Some(Finding {
        id: ID,
        severity,
        title: format!("The largest partition has {} the median", times(ratio)),
        evidence: format!(
            "{label}: {} of {}; median of {} partitions {}; Gini coefficient {:.2}",
            bytes(skew.largest),
            bytes(facts.sum.bytes),
            count(skew.partitions),
            bytes(skew.median as u64),
            skew.gini,
        ),
        impact: "queries and rewrites of that partition take as long as it alone does; a further \
            partition column, or clustering in place of partitions, spreads it"
            .into(),
        action: None,
        source: "this project's rule: largest against median 10, Gini 0.5",
    })
}
