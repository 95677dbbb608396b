use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::rollup::median;
use crate::model::units::count;

pub(super) const ID: &str = "row-groups";

/// Needs footers. The last row group of a file holds what was left and is judged only for readers
/// that count row groups.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let (footers, limits) = (facts.footers?, facts.limits);
    let groups = if limits.row_group_all { &footers.row_group_rows } else { &footers.inner_row_group_rows };
    let total = groups.iter().fold(0u64, |sum, n| sum.saturating_add(*n));
    let small = groups.iter().filter(|n| **n < limits.row_group_min_rows).count();
    let of_all = small as f64 / groups.len().max(1) as f64;
    // A table that does not fill one good row group has nothing to gain.
    if groups.len() < 2 || total < limits.row_group_min_rows || of_all < limits.row_group_share {
        return None;
    }
    let sample = if footers.is_sample() {
        format!(" in a sample of {} of {} files", count(footers.files), count(footers.of_files))
    } else {
        String::new()
    };
    Some(Finding {
        id: ID,
        severity: Severity::Warning,
        title: format!("{} of row groups are below {} rows", share(of_all), count(limits.row_group_min_rows)),
        evidence: format!(
            "{} of {} looked at{sample}; median {} rows",
            count(small as u64),
            plural(groups.len() as u64, "row group"),
            count(median(groups.clone())? as u64),
        ),
        impact: "each row group costs a read a column and compresses on its own; larger ones are read \
            and encoded better; rewriting reads and writes the whole table"
            .into(),
        action: facts.rewrite_all_action(&format!("--row-group-rows {}", limits.row_group_rows), None),
        source: if limits.row_group_all {
            "Microsoft Fabric docs, Direct Lake: 1 to 16 million rows a row group, ideally 8 million \
                or more (2026)"
        } else {
            "DuckDB docs, performance guide, file formats: row groups of 100 thousand to 1 million rows"
        },
    })
}
