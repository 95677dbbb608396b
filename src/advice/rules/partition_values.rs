use crate::advice::words::{plural, some};
use crate::advice::{Facts, Finding, Severity};
use crate::model::skew::{OddValue, Oddity, odd_values};
use crate::model::units::bytes;

pub(super) const ID: &str = "partition-values";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    // Null is a value like others; the partition tree shows it.
    let odd: Vec<OddValue> =
        odd_values(&facts.tree).into_iter().filter(|o| o.oddity != Oddity::Null).collect();
    if odd.is_empty() {
        return None;
    }
    let names: Vec<String> = odd.iter().map(name).collect();
    let mut kinds: Vec<&str> = odd.iter().map(|o| kind(o.oddity)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: format!("{} that may be mistakes", plural(odd.len() as u64, "partition value")),
        evidence: format!("{} ({})", some(&names, 5), kinds.join("; ")),
        impact: "a filter on the value as people write it misses these rows; they must be rewritten by \
            a query, not by a change of layout"
            .into(),
        action: None,
        source: "Delta protocol, Partition Value Serialization",
    })
}

fn name(odd: &OddValue) -> String {
    let value = odd.value.as_deref().unwrap_or("null");
    format!(
        "{}=\"{value}\" ({}, {})",
        odd.column,
        plural(odd.measures.files, "file"),
        bytes(odd.measures.bytes)
    )
}

fn kind(oddity: Oddity) -> &'static str {
    match oddity {
        Oddity::Null => "null",
        Oddity::HiveDefault => "Hive's name for null stored as a value",
        Oddity::PercentEncoded => "percent-encoded once too often",
        Oddity::CaseVariant => "the same word in upper and lower case",
        Oddity::Blanks => "blanks at the start or end",
    }
}
