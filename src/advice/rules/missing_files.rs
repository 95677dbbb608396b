use crate::advice::remedy::in_words;
use crate::advice::words::{kept, named, plural};
use crate::advice::{Facts, Finding, Severity};
use crate::model::footer_summary::FooterSummary;
use crate::model::footer_totals::{FailureSum, NOT_FOUND};
use crate::model::units::{bytes, count};

pub(in crate::advice) const ID: &str = "missing-files";

/// Needs footers: a file whose footer was looked for in vain is not there.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let footers = facts.footers?;
    let (data, vectors) = (footers.failures.missing(), footers.vectors.of(|_| true));
    if data.files == 0 && vectors.files == 0 {
        return None;
    }
    Some(Finding {
        id: ID,
        severity: Severity::Critical,
        title: title(footers, data.files, vectors.files),
        evidence: evidence(footers, data, vectors),
        impact: impact(footers, data.files),
        action: in_words(mending(facts, data.files)),
        source: "Delta protocol, Add File and Remove File: a file that was added and not removed is part of \
            the table, and its rows must be read",
    })
}

fn mending(facts: &Facts<'_>, data: u64) -> String {
    let back = format!(
        "bring the files back: from a backup, the store's soft delete or object versions; or, in Spark, RESTORE \
         TABLE {} TO VERSION AS OF a version whose files are all there",
        facts.sql_name()
    );
    if data == 0 {
        return back;
    }
    format!(
        "{back}. Only where the rows may be lost: {}.repair() in Python (deltalake), or FSCK REPAIR TABLE on \
         Databricks, takes the files out of the log",
        facts.python_name()
    )
}

fn title(footers: &FooterSummary, data: u64, vectors: u64) -> String {
    if data == 0 {
        return format!("{} not there", verb(vectors, "deletion vector file"));
    }
    if footers.is_sample() {
        return format!("{} not there, of {} looked at", verb(data, "data file"), count(footers.looked_at()));
    }
    match data == footers.of_files {
        true if data > 1 => format!("None of the {} is there", plural(data, "data file")),
        true => "The only data file is not there".into(),
        false => format!("{} of {} not there", count(data), verb(footers.of_files, "data file")),
    }
}

/// `1 data file is`, `3 data files are`.
fn verb(n: u64, noun: &str) -> String {
    format!("{} {}", plural(n, noun), if n == 1 { "is" } else { "are" })
}

fn evidence(footers: &FooterSummary, data: FailureSum, vectors: FailureSum) -> String {
    let mut parts = vec![format!("looked at {}", footers.basis())];
    if data.files > 0 {
        let rows = data.rows().map_or("an unknown number of rows".into(), |n| plural(n, "row"));
        let names = kept(&footers.failures, |code| code == NOT_FOUND);
        parts.push(format!(
            "not found: {} ({}, {rows} by the log)",
            named(&names, data.files),
            bytes(data.bytes)
        ));
        if footers.is_sample() {
            let all = u128::from(data.files) * u128::from(footers.of_files);
            let about = all / u128::from(footers.looked_at().max(1));
            parts.push(format!("~{} in the whole table", count(u64::try_from(about).unwrap_or(u64::MAX))));
        }
    }
    if vectors.files > 0 {
        let names = kept(&footers.vectors, |_| true);
        parts.push(format!(
            "deletion vectors not found: {} (for {} of data)",
            named(&names, vectors.files),
            bytes(vectors.bytes)
        ));
    }
    parts.join("; ")
}

fn impact(footers: &FooterSummary, data: u64) -> String {
    let names = kept(&footers.failures, |code| code == NOT_FOUND);
    let elsewhere = names.iter().filter(|n| n.starts_with('/') || n.contains(":/")).count();
    let why = if elsewhere > 0 && elsewhere == names.len() {
        "the log names them by absolute paths, as a shallow clone does: its source has moved or was vacuumed"
    } else if data > 1 && data == footers.of_files {
        "perhaps only the log was copied, or the whole folder was cleared"
    } else {
        "a vacuum with too short a retention, a deletion by hand or an incomplete copy leaves a table so"
    };
    format!(
        "every query that needs them fails, and so does every rewrite; their rows are lost unless the files \
         come back; {why}"
    )
}
