use crate::advice::words::plural;
use crate::advice::{Facts, Finding, Severity};
use crate::model::units::{bytes, count};

pub(super) const ID: &str = "file-count";
const GB: u64 = 1_000_000_000;

pub(super) fn check(facts: &Facts<'_>) -> Option<Finding> {
    guardrail(facts).or_else(|| guideline(facts))
}

/// Limits beyond which the reader falls back or refuses.
fn guardrail(facts: &Facts<'_>) -> Option<Finding> {
    let limits = facts.limits;
    let over = |limit: u64, n: u64| limit > 0 && n > limit;
    let groups = facts.footers.filter(|f| !f.is_sample()).map(|f| f.row_group_rows.len() as u64);
    let rows = facts.sum.known_rows;
    let mut evidence = Vec::new();
    if over(limits.guardrail_files, facts.sum.files) {
        evidence.push(format!(
            "{}, limit {}",
            plural(facts.sum.files, "file"),
            count(limits.guardrail_files)
        ));
    }
    if let Some(n) = groups.filter(|n| over(limits.guardrail_files, *n)) {
        evidence.push(format!("{}, limit {}", plural(n, "row group"), count(limits.guardrail_files)));
    }
    // A compaction mends these, but takes no row away.
    let too_many_files = !evidence.is_empty();
    if over(limits.guardrail_rows, rows) {
        let least = if facts.sum.files_without_rows > 0 { "at least " } else { "" };
        evidence.push(format!("{least}{}, limit {}", plural(rows, "row"), count(limits.guardrail_rows)));
    }
    if evidence.is_empty() {
        return None;
    }
    let helps = too_many_files && facts.compaction().files_saved() > 0;
    let after = facts.compaction().files_after();
    Some(Finding {
        id: ID,
        severity: Severity::Critical,
        title: "Beyond the reader's limits".into(),
        evidence: evidence.join("; "),
        impact: if helps {
            format!(
                "queries fall back to a slower mode or fail; a compaction leaves {}",
                plural(after, "file")
            )
        } else {
            "queries fall back to a slower mode or fail; a larger capacity allows more".into()
        },
        action: helps.then(|| facts.compact_action()).flatten(),
        source: "Microsoft docs, Direct Lake overview: guardrails of F2 to F32 (2026)",
    })
}

fn guideline(facts: &Facts<'_>) -> Option<Finding> {
    let (files, limit) = (facts.sum.files, allowed(facts));
    if files <= limit {
        return None;
    }
    let after = facts.compaction().files_after();
    let helps = after < files;
    Some(Finding {
        id: ID,
        severity: if files / 2 >= limit { Severity::Warning } else { Severity::Info },
        title: format!("{} for {}", plural(files, "file"), bytes(facts.sum.bytes)),
        evidence: format!(
            "the guideline for this size is below {}; the average file has {}",
            plural(limit, "file"),
            bytes(facts.sum.bytes / files.max(1)),
        ),
        impact: if helps {
            format!(
                "planning and opening files takes longer than need be; a compaction leaves {}",
                plural(after, "file")
            )
        } else {
            "planning and opening files takes longer than need be; no files of one partition can be \
                merged, so coarser partitions are the cure"
                .into()
        },
        action: helps.then(|| facts.compact_action()).flatten(),
        source: "Microsoft, files by table size, quoted in the Fabric fragmentation tutorial (2026)",
    })
}

/// Most files for this size: the published points, joined by straight lines; beyond 1 TB in proportion.
fn allowed(facts: &Facts<'_>) -> u64 {
    let (limits, size) = (facts.limits, facts.sum.bytes as f64);
    let points = [
        (100.0 * GB as f64, limits.files_at_100_gb as f64),
        (500.0 * GB as f64, limits.files_at_500_gb as f64),
        (1000.0 * GB as f64, limits.files_at_1_tb as f64),
    ];
    let [(low, at_low), (middle, at_middle), (high, at_high)] = points;
    let line = |a: f64, fa: f64, b: f64, fb: f64| fa + (fb - fa) * (size - a) / (b - a);
    let most = if size <= low {
        at_low
    } else if size <= middle {
        line(low, at_low, middle, at_middle)
    } else if size <= high {
        line(middle, at_middle, high, at_high)
    } else {
        at_high * size / high
    };
    most.max(0.0) as u64
}
