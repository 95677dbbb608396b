use crate::advice::remedy::in_words;
use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::footer_totals::NOT_FOUND;
use crate::model::units::{bytes, count};

pub(in crate::advice) const ID: &str = "unreadable-files";

/// Causes that lie in the file itself. Others (a missing right, a key, a store that failed) may not
/// hold for the next reader.
const DAMAGE: [&str; 3] = ["not-parquet", "truncated", "bad-footer"];

/// Files that are told with their cause.
const SHOWN: usize = 5;

/// Needs footers.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let footers = facts.footers?;
    let all = footers.failures.unreadable();
    if all.files == 0 {
        return None;
    }
    let damaged = footers.failures.of(|code| DAMAGE.contains(&code));
    let problems = footers.failures.problems.iter().filter(|(_, p)| p.code != NOT_FOUND);
    // The reason says the path.
    let reasons: Vec<&str> = problems.map(|(_, p)| p.reason.as_str()).collect();
    let more = all.files.saturating_sub(reasons.len().min(SHOWN) as u64);
    let more = if more > 0 { format!(" and {} more", count(more)) } else { String::new() };
    let rows = all.rows().map_or("an unknown number of rows".into(), |n| plural(n, "row"));
    let (severity, what) = match damaged.files {
        0 => (Severity::Warning, "could not be read here"),
        _ => (Severity::Critical, "cannot be read"),
    };
    Some(Finding {
        id: ID,
        severity,
        title: format!("{} {what}", plural(all.files, "data file")),
        evidence: format!(
            "looked at {}; {}{more}; {}, {rows} by the log",
            footers.basis(),
            reasons.iter().take(SHOWN).copied().collect::<Vec<_>>().join("; "),
            bytes(all.bytes),
        ),
        impact: "every query that needs them fails, and so does every rewrite".into(),
        action: in_words(match damaged.files {
            0 => "see to the cause: rights, keys, or the store that the path leads to; then ask again".into(),
            _ => format!(
                "write them again from their source, or bring them back from a backup; or, in Spark, RESTORE \
                 TABLE {} TO VERSION AS OF a version without them",
                facts.sql_name()
            ),
        }),
        source: "Apache Parquet format, File format: a file ends with its footer, the footer's length and PAR1",
    })
}
