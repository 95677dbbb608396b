use crate::advice::remedy::in_words;
use crate::advice::words::{plural, some};
use crate::advice::{Facts, Finding, Severity};
use crate::model::footer_totals::Differences;
use crate::model::units::count;

pub(in crate::advice) const ID: &str = "wrong-figures";

/// Files that are told with their figures.
const SHOWN: usize = 3;

/// Needs footers, or statistics.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let found: Vec<Wrong> = [rows(facts), sizes(facts), bounds(facts)].into_iter().flatten().collect();
    if found.is_empty() {
        return None;
    }
    let join = |of: fn(&Wrong) -> &str| found.iter().map(of).collect::<Vec<_>>().join("; ");
    Some(Finding {
        id: ID,
        severity: found.iter().map(|w| w.severity).max()?,
        title: join(|w| &w.title),
        evidence: join(|w| &w.evidence),
        impact: join(|w| w.impact),
        action: match found.as_slice() {
            [only] if only.by_rewriting => facts.rewrite_all_action("--stats", None),
            _ => in_words(mending(facts, &found)),
        },
        source: "Delta protocol, Add File: size in bytes; Per-file Statistics: numRecords, minValues and \
            maxValues are those of the file",
    })
}

/// A kind of wrong figure.
struct Wrong {
    severity: Severity,
    title: String,
    evidence: String,
    impact: &'static str,
    /// A rewrite by this program mends it; others it has to refuse.
    by_rewriting: bool,
}

fn mending(facts: &Facts<'_>, found: &[Wrong]) -> String {
    if found.iter().all(|w| w.severity < Severity::Critical) {
        return "the files were replaced after their commit: bring the originals back, or write their rows again"
            .into();
    }
    format!(
        "have the statistics computed anew: ANALYZE TABLE {} COMPUTE DELTA STATISTICS on Databricks; elsewhere \
         write these files' rows again",
        facts.sql_name()
    )
}

fn rows(facts: &Facts<'_>) -> Option<Wrong> {
    let footers = facts.footers.filter(|f| f.wrong_rows.files > 0)?;
    Some(Wrong {
        severity: Severity::Critical,
        title: format!("{} with other rows than the log says", plural(footers.wrong_rows.files, "file")),
        evidence: format!("looked at {}: {}", footers.basis(), told(&footers.wrong_rows, "row")),
        impact: "engines answer count(*), and others skip files, by numRecords in the log: their answers are \
            wrong",
        by_rewriting: false,
    })
}

fn sizes(facts: &Facts<'_>) -> Option<Wrong> {
    let footers = facts.footers.filter(|f| f.wrong_sizes.files > 0)?;
    Some(Wrong {
        severity: Severity::Warning,
        title: format!("{} of another size than the log says", plural(footers.wrong_sizes.files, "file")),
        evidence: format!("looked at {}: {}", footers.basis(), told(&footers.wrong_sizes, "byte")),
        impact: "readers that look for the footer at the size in the log fail",
        by_rewriting: false,
    })
}

fn bounds(facts: &Facts<'_>) -> Option<Wrong> {
    let columns = facts.stats?.columns.iter();
    let reversed: Vec<(&str, u64)> =
        columns.map(|c| (c.name.as_str(), c.reversed_files())).filter(|(_, n)| *n > 0).collect();
    let most = reversed.iter().map(|(_, n)| *n).max()?;
    let names: Vec<String> =
        reversed.iter().map(|(name, n)| format!("{name} in {}", plural(*n, "file"))).collect();
    Some(Wrong {
        severity: Severity::Critical,
        title: format!("{} whose smallest value is above the largest", plural(most, "file")),
        evidence: format!("min above max: {}", some(&names, 5)),
        impact: "a filter on such a column skips these files whatever they hold: rows are missing in answers",
        by_rewriting: true,
    })
}

/// `a.parquet: the log says 10 rows, the file 12`.
fn told(differences: &Differences, unit: &str) -> String {
    let one = |(path, (stated, real)): (&String, &(u64, u64))| {
        format!("{path}: the log says {}, the file {}", plural(*stated, unit), count(*real))
    };
    let told: Vec<String> = differences.examples.iter().take(SHOWN).map(one).collect();
    let more = differences.files.saturating_sub(told.len() as u64);
    let more = if more > 0 { format!("; and {} more", count(more)) } else { String::new() };
    format!("{}{more}", told.join("; "))
}
