//! The advice as text: what matters first, and what it rests on last.

use std::io::{self, Write};

use super::super::text::{Column, counted, pairs, table};
use crate::advice::{Finding, Grade, Profile, Severity};
use crate::model::evidence::{Evidence, FooterEvidence, HistoryEvidence, Orphans};
use crate::model::rollup::Measures;
use crate::model::text::clean;
use crate::model::units::{self, bytes, count, screen_time};

pub(super) struct Report<'a> {
    pub found: &'a Evidence,
    pub findings: &'a [Finding],
    /// Findings below this severity were left out.
    pub only: Option<Severity>,
    pub profile: Profile,
    pub ascii: bool,
}

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let (found, sum) = (report.found, Measures::of(&report.found.files));
    let grade = match report.only {
        // With findings left out there is no grade.
        Some(_) => String::new(),
        None => format!("   grade {}", Grade::of(report.findings).letter),
    };
    let headline = format!(
        "{}   v{}{grade}   {}   {}   profile {}",
        found.table.name,
        found.table.version,
        counted(sum.files, "file"),
        bytes(sum.bytes),
        report.profile,
    );
    writeln!(out, "{}", clean(&headline))?;
    for warning in found.table.warnings.iter().chain(&found.warnings) {
        writeln!(out, "warning: {}", clean(warning))?;
    }
    writeln!(out)?;
    if report.findings.is_empty() {
        let nothing = report.only.map_or("Nothing to do.".into(), |s| format!("Nothing at {s} or above."));
        writeln!(
            out,
            "{nothing}{}",
            found.data_not_looked_at().map(|t| format!(" {t}")).unwrap_or_default()
        )?;
    }
    for (at, finding) in report.findings.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_finding(out, finding, report.ascii)?;
    }
    if report.only.is_some() {
        return Ok(());
    }
    writeln!(out)?;
    pairs(out, &basis(found))?;
    if let Some(history) = found.history.as_ref().filter(|h| !h.operations.is_empty()) {
        writeln!(out, "\nWhat was written, by operation")?;
        operations(out, history)?;
    }
    match &found.orphans {
        Some(orphans) if !orphans.files.is_empty() => unknown_files(out, orphans),
        _ => Ok(()),
    }
}

fn write_finding(out: &mut dyn Write, finding: &Finding, ascii: bool) -> io::Result<()> {
    let mark = match (finding.severity, ascii) {
        (Severity::Critical, false) => "▲",
        (Severity::Warning, false) => "△",
        (Severity::Info, false) => "•",
        (Severity::Critical, true) => "!",
        (Severity::Warning, true) => "*",
        (Severity::Info, true) => "-",
    };
    let head = format!("{mark} {:<8}  {}  {}", finding.severity, finding.id, finding.title);
    writeln!(out, "{}", clean(&head))?;
    let mut lines = vec![("evidence", &*finding.evidence), ("impact", &*finding.impact)];
    if let Some(action) = &finding.action {
        lines.push(("do", action.text()));
    }
    lines.push(("source", finding.source));
    for (label, text) in lines {
        writeln!(out, "    {label:<8}  {}", clean(text))?;
    }
    Ok(())
}

/// What was looked at, so that nobody takes "not looked for" for "not there".
fn basis(found: &Evidence) -> Vec<(&'static str, String)> {
    let mut lines = vec![("Log", log(found))];
    if let Some(history) = &found.history {
        lines.push(("History", searched(history)));
    }
    if let Some(stats) = &found.stats {
        let left = match found.columns_left_out {
            0 => String::new(),
            n => format!("; {} left out, there are too many files for all", counted(n, "column")),
        };
        lines.push(("Statistics", format!("{}{left}", counted(stats.columns.len() as u64, "column"))));
    }
    lines.push(("Data files", found.footers.as_ref().map_or_else(|| not_read(found), |f| footers(f))));
    lines.push(match &found.orphans {
        Some(orphans) => ("Folder", folder(orphans)),
        None => ("Folder", "not listed (--orphans)".into()),
    });
    lines
}

fn not_read(found: &Evidence) -> String {
    format!("{} not looked at: footers not read (--footers)", count(found.files.len() as u64))
}

fn log(found: &Evidence) -> String {
    let log = &found.table.log;
    let checkpoint = match log.last_checkpoint {
        Some(v) => format!(
            "checkpoint at v{v}, {} since",
            counted(log.commits_since_checkpoint(found.table.version), "commit")
        ),
        None => "no checkpoint".into(),
    };
    let tombstones = found.tombstones.unwrap_or_default();
    format!(
        "{}, {}, {checkpoint}, {} in {}",
        counted(log.commits, "commit"),
        bytes(log.bytes),
        bytes(tombstones.bytes),
        counted(tombstones.files, "removed file"),
    )
}

fn searched(history: &HistoryEvidence) -> String {
    match (history.versions, history.complete) {
        (None, _) => "no commit could be read".into(),
        (Some((from, to)), true) => format!("searched v{from} to v{to}: all commits"),
        (Some((from, to)), false) => format!("searched v{from} to v{to}; nothing is known of older commits"),
    }
}

fn footers(footers: &FooterEvidence) -> String {
    let summary = &footers.summary;
    if summary.of_files == 0 {
        return "none".into();
    }
    let (missing, unreadable) = (summary.failures.missing().files, summary.failures.unreadable().files);
    let read = match missing + unreadable {
        0 => "every footer read".to_owned(),
        _ => format!("{} read", counted(summary.files, "footer")),
    };
    let mut text = format!("looked at {}: {read}", summary.basis());
    for (n, what) in [(missing, "not there"), (unreadable, "not readable")] {
        if n > 0 {
            text.push_str(&format!(", {} {what}", count(n)));
        }
    }
    match &footers.sample {
        Some(sample) => format!("{text} (a sample, {})", sample.method),
        None => text,
    }
}

fn folder(orphans: &Orphans) -> String {
    format!(
        "{}, {}, that the table does not know; {} of them, {}, older than the retention",
        counted(orphans.sum.files, "file"),
        bytes(orphans.sum.bytes),
        count(orphans.sum.old_files),
        bytes(orphans.sum.old_bytes)
    )
}

fn operations(out: &mut dyn Write, history: &HistoryEvidence) -> io::Result<()> {
    let columns = [
        Column::left("operation"),
        Column::right("commits"),
        Column::right("written"),
        Column::right("removed"),
        Column::right("written/net"),
        Column::right("rows touched/changed"),
    ];
    let times = |n: Option<f64>| n.map_or_else(|| "–".into(), units::times);
    let rows = history.operations.iter().map(|(kind, share)| {
        vec![
            kind.name().into(),
            count(share.commits),
            bytes(share.bytes_written),
            share.bytes_removed.map_or("?".into(), bytes),
            times(share.byte_amplification()),
            times(share.row_amplification()),
        ]
    });
    table(out, &columns, rows)
}

fn unknown_files(out: &mut dyn Write, orphans: &Orphans) -> io::Result<()> {
    writeln!(out, "\nFiles that the table does not know, the largest first")?;
    let columns =
        [Column::right("bytes"), Column::left("modified (UTC)"), Column::left(""), Column::left("path")];
    let rows = orphans.files.iter().map(|f| {
        let age = if f.is_old { "" } else { "recent" };
        vec![bytes(f.size), screen_time(f.modified), age.into(), f.path.clone()]
    });
    table(out, &columns, rows)
}
