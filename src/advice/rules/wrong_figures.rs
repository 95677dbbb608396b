use crate::advice::remedy::in_words;
use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::footer_totals::Differences;
use crate::model::units::count;

pub(in crate::advice) const ID: &str = "wrong-figures";

/// Files that are told with their figures.
const SHOWN: usize = 3;

/// Needs footers.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let footers = facts.footers?;
    let (rows, sizes) = (&footers.wrong_rows, &footers.wrong_sizes);
    if rows.files == 0 && sizes.files == 0 {
        return None;
    }
    let mut evidence = vec![format!("looked at {}", footers.basis())];
    let (mut title, mut impact) = (Vec::new(), Vec::new());
    if rows.files > 0 {
        title.push(format!("{} with other rows than the log says", plural(rows.files, "file")));
        evidence.push(told(rows, "row"));
        impact.push(
            "engines answer count(*), and others skip files, by numRecords in the log: their answers are wrong",
        );
    }
    if sizes.files > 0 {
        title.push(format!("{} of another size than the log says", plural(sizes.files, "file")));
        evidence.push(told(sizes, "byte"));
        impact.push("readers that look for the footer at the size in the log fail");
    }
    Some(Finding {
        id: ID,
        severity: if rows.files > 0 { Severity::Critical } else { Severity::Warning },
        title: title.join(", "),
        evidence: evidence.join("; "),
        impact: impact.join("; "),
        action: in_words(if rows.files > 0 {
            format!(
                "have the statistics computed anew: ANALYZE TABLE {} COMPUTE DELTA STATISTICS on Databricks; \
                 elsewhere write these files' rows again",
                facts.sql_name()
            )
        } else {
            "the files were replaced after their commit: bring the originals back, or write their rows again"
                .into()
        }),
        source: "Delta protocol, Add File: size in bytes; Per-file Statistics: numRecords is the number of rows \
            in the file",
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
