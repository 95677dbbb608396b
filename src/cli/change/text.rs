//! A plan and its result as text.

use std::io::{self, Write};

use crate::cli::text::{Column, counted, pairs, table};
use crate::cli::vacuum;
use crate::model::change::{Done, PlanView, Report, UndoReport};
use crate::model::histogram::Histogram;
use crate::model::plan::{LeftReason, PlanReport};
use crate::model::text::clean;
use crate::model::units::{bytes, count};

pub fn write(out: &mut dyn Write, view: &PlanView, done: Option<&Done>, ascii: bool) -> io::Result<()> {
    match &view.report {
        Report::Undo(report) if report.operation == "repair" && view.empty => {
            return writeln!(
                out,
                "Nothing to repair: no two commits of {} (v{}) rewrote the same files.",
                clean(&report.table),
                report.version
            );
        }
        Report::Rewrite(report) => rewrite(out, report, view, ascii)?,
        Report::Undo(report) => undo(out, report)?,
        Report::Vacuum(report) => vacuum::write_plan(out, report)?,
    }
    match done {
        Some(done) => result(out, &view.report, done),
        None if view.empty => writeln!(out, "Nothing to do."),
        None => writeln!(out, "Nothing was changed. Add --yes --allow-writes to run it."),
    }
}

fn rewrite(out: &mut dyn Write, report: &PlanReport, view: &PlanView, ascii: bool) -> io::Result<()> {
    let rows = report.input_rows.map_or("rows unknown".into(), |n| counted(n, "row"));
    let predicted: u64 = report.predicted_sizes.iter().sum();
    let average = predicted.checked_div(report.num_output_files).unwrap_or(0);
    let left: Vec<String> = report
        .left_alone
        .iter()
        .map(|l| format!("{} ({})", counted(l.num_files, "file"), why(l.reason)))
        .collect();
    let mut lines = vec![
        ("Table", format!("{}   v{}", report.table, report.version)),
        (
            "Reads",
            format!("{}   {}   {rows}", counted(report.num_input_files, "file"), bytes(report.input_bytes)),
        ),
        (
            "Writes",
            format!(
                "{}   ~{}   average ~{}",
                counted(report.num_output_files, "file"),
                bytes(predicted),
                bytes(average)
            ),
        ),
        ("Left alone", if left.is_empty() { "none".into() } else { left.join(", ") }),
    ];
    if !view.empty {
        let seconds =
            report.seconds.map_or("unknown: nothing was measured yet".into(), |s| format!("~{s:.0} s"));
        lines.push(("Memory", format!("~{}", bytes(report.memory_bytes))));
        lines.push(("Disk", format!("~{} more until a vacuum", bytes(report.disk_bytes))));
        lines.push(("Time", seconds));
    }
    pairs(out, &lines)?;
    if !view.empty
        && let (Some(before), Some(after)) = (&view.before, &view.after)
    {
        writeln!(out)?;
        histograms(out, before, after, ascii)?;
    }
    risks(out, &report.risks)?;
    writeln!(out, "\nCommand: {}", clean(&report.command))
}

fn why(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::OutOfScope => "out of scope",
        LeftReason::FineSize => "size is fine",
        LeftReason::OnlySmallFile => "small, with no other to merge it with",
        LeftReason::TooLarge => "large; only rewrite splits files",
        LeftReason::CannotSplit => "too few rows to split",
        LeftReason::TooManyParts => "would become over a million files",
        LeftReason::AlreadySo => "already so",
    }
}

/// Files by size, now and as predicted.
fn histograms(out: &mut dyn Write, before: &Histogram, after: &Histogram, ascii: bool) -> io::Result<()> {
    let mut edges: Vec<(u64, Option<u64>)> =
        before.buckets.iter().chain(&after.buckets).map(|b| (b.from, b.to)).collect();
    edges.sort_unstable();
    edges.dedup();
    let files = |of: &Histogram, edge: &(u64, Option<u64>)| {
        of.buckets.iter().find(|b| (b.from, b.to) == *edge).map_or(0, |b| b.files)
    };
    let dash = if ascii { "-" } else { "–" };
    let rows = edges.iter().map(|edge| {
        let label = match edge.1 {
            Some(to) => format!("{} {dash} {}", bytes(edge.0), bytes(to)),
            None => format!("{} or more", bytes(edge.0)),
        };
        vec![label, count(files(before, edge)), format!("~{}", count(files(after, edge)))]
    });
    let columns = [Column::left("File size"), Column::right("now"), Column::right("after")];
    table(out, &columns, rows.collect::<Vec<_>>().into_iter())
}

fn undo(out: &mut dyn Write, report: &UndoReport) -> io::Result<()> {
    let versions: Vec<String> = report.versions.iter().map(|v| format!("v{v}")).collect();
    pairs(
        out,
        &[
            ("Table", format!("{}   v{}", report.table, report.version)),
            ("Takes back", versions.join(", ")),
            (
                "Restores",
                format!("{}   {}", counted(report.num_files_restored, "file"), bytes(report.bytes_restored)),
            ),
            (
                "Removes",
                format!("{}   {}", counted(report.num_files_removed, "file"), bytes(report.bytes_removed)),
            ),
        ],
    )?;
    risks(out, &report.risks)?;
    writeln!(out, "\nCommand: {}", clean(&report.command))
}

fn risks(out: &mut dyn Write, risks: &[String]) -> io::Result<()> {
    if !risks.is_empty() {
        writeln!(out)?;
    }
    risks.iter().try_for_each(|risk| writeln!(out, "Note: {}", clean(risk)))
}

fn result(out: &mut dyn Write, report: &Report, done: &Done) -> io::Result<()> {
    let Some(version) = done.new_version else {
        return writeln!(out, "Nothing to do: nothing was changed.");
    };
    if matches!(report, Report::Vacuum(_)) {
        let (files, size) = (counted(done.num_files_removed, "file"), bytes(done.bytes_removed));
        writeln!(out, "Done: version {version}, {files} ({size}) deleted, {:.1} s", done.seconds)?;
        return done.notes.iter().try_for_each(|note| writeln!(out, "Note: {}", clean(note)));
    }
    let verified = done.rows_verified.map_or(String::new(), |n| format!(", {} verified", counted(n, "row")));
    writeln!(
        out,
        "Done: version {version}, {} ({}) in place of {} ({}){verified}, {:.1} s",
        counted(done.num_files_added, "file"),
        bytes(done.bytes_added),
        count(done.num_files_removed),
        bytes(done.bytes_removed),
        done.seconds
    )?;
    done.notes.iter().try_for_each(|note| writeln!(out, "Note: {}", clean(note)))
}
