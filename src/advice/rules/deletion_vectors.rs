use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::plan::{CompactOptions, Scope, compact};
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "deletion-vectors";

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    if facts.sum.vectors == 0 {
        return None;
    }
    let above = facts.limits.deleted_share;
    let (mut files, mut size, mut dead, mut unknown) = (0u64, 0u64, 0u64, 0u64);
    for file in facts.files.iter() {
        let Some(vector) = file.deletion_vector else { continue };
        match file.records {
            Some(rows) if rows > 0 => {
                let deleted = vector.cardinality.min(rows);
                if deleted as f64 / rows as f64 > above {
                    files += 1;
                    size = size.saturating_add(file.size);
                    let share = u128::from(file.size) * u128::from(deleted) / u128::from(rows);
                    dead = dead.saturating_add(share as u64);
                }
            }
            _ => unknown += 1,
        }
    }
    if files == 0 {
        return None;
    }
    // The command purges every file with a vector.
    let options = CompactOptions { target: facts.target, scope: Scope::All, purge_above: Some(0.0) };
    let plan = compact(facts.files, &options);
    // Rows before deletion; unknown as a whole if a file lacks the figure.
    let all = facts.sum.rows().map(|live| live.saturating_add(facts.sum.deleted_rows));
    let of_rows = all.map(|n| facts.sum.deleted_rows as f64 / n.max(1) as f64);
    let severity = if of_rows.is_some_and(|s| s > above) { Severity::Warning } else { Severity::Info };
    let rows = of_rows.map(|s| format!(" ({} of all)", share(s))).unwrap_or_default();
    let note =
        if unknown > 0 { format!("; {} more with unknown rows", count(unknown)) } else { String::new() };
    Some(Finding {
        id: ID,
        severity,
        title: format!("{} with more than {} of the rows deleted", plural(files, "file"), share(above)),
        evidence: format!(
            "deletion vectors on {} of {}; {} deleted{rows}; {} in the {} above {}{note}",
            count(facts.sum.vectors),
            plural(facts.sum.files, "file"),
            plural(facts.sum.deleted_rows, "row"),
            bytes(size),
            plural(files, "file"),
            share(above),
        ),
        impact: format!(
            "every query reads the vectors and skips about {} of dead rows in these files; rewriting \
                drops them, the old files stay until a vacuum",
            bytes(dead)
        ),
        action: facts.purge_action(plan.files_after()),
        source: "Microsoft Fabric docs, deletion vectors: purge a file above 5 % of rows deleted (2026)",
    })
}
