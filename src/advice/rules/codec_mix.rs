use crate::advice::words::{plural, share};
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "codec-mix";

/// Needs footers.
pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    let footers = facts.footers?;
    let total = footers.codecs.values().fold(0u64, |sum, n| sum.saturating_add(*n));
    let of_all = |n: u64| n as f64 / total.max(1) as f64;
    let mut codecs: Vec<(&str, u64)> = footers.codecs.iter().map(|(c, n)| (c.as_str(), *n)).collect();
    codecs.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let large = |(_, n): &&(&str, u64)| of_all(*n) >= facts.limits.codec_share;
    let plain = codecs.iter().any(|(c, n)| *c == "UNCOMPRESSED" && of_all(*n) >= facts.limits.codec_share);
    if total == 0 || (codecs.iter().filter(large).count() < 2 && !plain) {
        return None;
    }
    let parts: Vec<String> =
        codecs.iter().map(|(c, n)| format!("{c} {} ({})", bytes(*n), share(of_all(*n)))).collect();
    Some(Finding {
        id: ID,
        severity: Severity::Info,
        title: match (codecs.iter().filter(large).count(), plain) {
            (0 | 1, _) => "Data is not compressed".into(),
            (n, true) => format!("{n} compression codecs, and some data is not compressed"),
            (n, false) => format!("{n} compression codecs"),
        },
        evidence: format!(
            "column data by codec: {}; from the footers of {} of {}",
            parts.join(", "),
            count(footers.files),
            plural(footers.of_files, "file")
        ),
        impact: "sizes and speeds differ from file to file; one codec makes them comparable; rewriting \
            reads and writes the whole table"
            .into(),
        action: facts.rewrite_all_action("--codec zstd", None),
        source: "Apache Parquet format, Compression: one codec a column chunk",
    })
}
