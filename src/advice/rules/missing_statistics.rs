use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::stats::{StatKind, indexed_columns};
use crate::model::units::count;

pub(super) const ID: &str = "missing-statistics";
const SOURCE: &str = "Delta docs, Data skipping: statistics on the first 32 columns by default";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    // A single file is read by every query whatever its statistics say.
    if facts.sum.files < facts.limits.statistics_min_files.max(1) {
        return None;
    }
    without_bounds(facts).or_else(|| without_records(facts))
}

/// Columns whose smallest and largest values are unknown. Needs their statistics.
fn without_bounds(facts: &Facts<'_>) -> Option<Finding> {
    let (total, stats) = (facts.sum.files, facts.stats?);
    let clustering = facts.table.clustering_columns();
    let expected = indexed_columns(&facts.table.metadata);
    let of_all = |n: u64| n as f64 / total as f64;
    // Spark writes no bounds for booleans.
    let mut lacking: Vec<(&str, u64)> = stats
        .columns
        .iter()
        .filter(|c| !matches!(c.kind, StatKind::Boolean | StatKind::Unordered))
        .filter(|c| expected.contains(&c.name) || clustering.contains(&c.name))
        .map(|c| (c.name.as_str(), c.unknown_files()))
        .filter(|(_, n)| *n > 0 && of_all(*n) >= facts.limits.statistics_missing_share)
        .collect();
    lacking.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let worst = lacking.first()?.1;
    // Where one file could hold all, nothing could be skipped anyway.
    let key = facts.sum.bytes > facts.target.target
        && lacking.iter().any(|(name, _)| clustering.iter().any(|c| c == name));
    let severity = if key { Severity::Warning } else { severity(facts, worst) };
    let columns: Vec<String> =
        lacking.iter().map(|(name, n)| format!("{name} in {}", plural(*n, "file"))).collect();
    let mut evidence = format!("unknown: {}", crate::advice::words::some(&columns, 5));
    if stats.without_stats() > 0 {
        evidence.push_str(&format!("; none at all in {}", plural(stats.without_stats(), "file")));
    }
    if stats.damaged() > 0 {
        evidence.push_str(&format!("; damaged in {}", plural(stats.damaged(), "file")));
    }
    Some(Finding {
        id: ID,
        severity,
        title: format!(
            "{} without usable statistics on {}",
            plural(worst, "file"),
            plural(lacking.len() as u64, "column")
        ),
        evidence,
        impact: format!(
            "a filter on these columns reads {}, whatever it asks for; rewriting writes statistics, and \
                reads and writes the whole table",
            if worst == total {
                "every file".into()
            } else {
                format!("at least {} of the files", share(of_all(worst)))
            }
        ),
        action: facts.rewrite_all_action("--stats", None),
        source: SOURCE,
    })
}

/// Files that do not even state their rows.
fn without_records(facts: &Facts<'_>) -> Option<Finding> {
    let lacking = facts.sum.files_without_rows;
    let of_all = lacking as f64 / facts.sum.files as f64;
    if !facts.files.has_records || lacking == 0 || of_all < facts.limits.statistics_missing_share {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: severity(facts, lacking),
        title: format!("{} without numRecords", plural(lacking, "file")),
        evidence: format!("no rows stated in {} of {}", count(lacking), plural(facts.sum.files, "file")),
        impact: "the table's rows are unknown without reading footers, and these files are never \
            skipped; rewriting writes statistics, and reads and writes the whole table"
            .into(),
        action: facts.rewrite_all_action("--stats", None),
        source: SOURCE,
    })
}

fn severity(facts: &Facts<'_>, lacking: u64) -> Severity {
    let (limits, files) = (facts.limits, facts.sum.files);
    let many = lacking as f64 / files as f64 >= limits.statistics_missing_warning_share;
    let worth_skipping = facts.sum.bytes > facts.target.target;
    if many && worth_skipping && files >= limits.statistics_warning_files {
        Severity::Warning
    } else {
        Severity::Info
    }
}
