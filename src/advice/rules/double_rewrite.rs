use crate::advice::remedy::in_words;
use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::double_rewrite::{Damage, DoubleRewrite};

pub(super) const ID: &str = "double-rewrite";

/// Needs the history.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let found = facts.double_rewrites.filter(|f| !f.is_empty())?;
    let first = found.first()?;
    let rows = found.iter().try_fold(0u64, |sum, d| d.rows.map(|r| sum.saturating_add(r)));
    let files = found.iter().map(|d| d.files).fold(0, u64::saturating_add);
    let doubled = found.iter().any(|d| d.damage == Damage::Doubled);
    let known = rows.map_or("an unknown number of rows".into(), |r| plural(r, "row"));
    let sentences: Vec<String> = found.iter().take(3).map(sentence).collect();
    let more = found.len().saturating_sub(3);
    let more = if more > 0 { format!("; and {more} more pairs of commits") } else { String::new() };
    Some(Finding {
        id: ID,
        severity: Severity::Critical,
        title: format!("{} removed twice: {known} may be wrong", plural(files, "file")),
        evidence: format!("{}{more}", sentences.join("; ")),
        impact: format!(
            "queries may return wrong rows from version {} on; {}",
            first.second_version,
            mending(doubled, first.second_version.saturating_sub(1)),
        ),
        action: if doubled {
            facts.repair_action()
        } else {
            let before = first.second_version.saturating_sub(1);
            in_words(format!(
                "in Spark: RESTORE TABLE {} TO VERSION AS OF {before}; in Python (deltalake): {}.restore({before})",
                facts.sql_name(),
                facts.python_name()
            ))
        },
        source: "delta-rs conflict checker: removes with dataChange=false are ignored (tried with \
            deltalake 1.1.2)",
    })
}

fn mending(doubled: bool, before: u64) -> String {
    if doubled {
        return "a repair takes the files of the second rewrite away again, where nothing has built on \
            them since; its plan names them"
            .into();
    }
    format!("restoring version {before} drops what was committed since: look at the difference first")
}

fn sentence(pair: &DoubleRewrite) -> String {
    let rows = pair.rows.map_or("rows unknown".into(), |r| plural(r, "row"));
    let what = match pair.damage {
        Damage::Doubled => "both wrote their rows anew",
        Damage::Returned => "the second brought deleted rows back",
        Damage::Survived => "the second missed rows that the first had moved",
    };
    format!(
        "versions {} and {} both removed {} ({rows}): {what}",
        pair.first_version,
        pair.second_version,
        plural(pair.files, "file")
    )
}
