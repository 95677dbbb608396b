//! The findings, one a line: mark, severity, id, what is wrong.

use super::{Line, Row};
use crate::advice::{Finding, Severity};
use crate::app::table::TableView;
use crate::model::fit;
use crate::model::text::clean;
use crate::ui::canvas::{Piece, piece};
use crate::ui::notice;
use crate::ui::theme::Role;
use crate::ui::words::wrap_within;

/// A severity's mark and role; the mark alone tells it where there are no colours.
pub(in crate::ui) fn mark(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Critical => ("▲", Role::Critical),
        Severity::Warning => ("△", Role::Warn),
        Severity::Info => ("•", Role::Dim),
    }
}

pub(super) fn findings(view: &TableView, width: u16) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    let plain = |line: Line| Row { line, item: None };
    match &view.diagnosis.value {
        Some(diagnosis) if diagnosis.findings.is_empty() => {
            out.push(plain(vec![
                piece("✓ ", Role::Ok),
                piece("Nothing to do: no rule finds anything.", Role::Plain),
            ]));
        }
        Some(diagnosis) => {
            let longest = diagnosis.findings.iter().map(|f| f.id.len()).max().unwrap_or(0);
            let row = |(at, f): (usize, &Finding)| Row { line: line(f, longest, width), item: Some(at) };
            out.extend(diagnosis.findings.iter().enumerate().map(row));
        }
        None => {}
    }
    let found = view.diagnosis.value.as_ref().map(|d| d.version);
    let shown = view.table.value.as_ref().map(|t| t.version);
    if let Some(found) = found.filter(|v| shown.is_some_and(|s| s > *v) && !view.diagnosis.running()) {
        let text = format!("  These are the findings of v{found}; r looks again.");
        out.push(plain(vec![piece(text, Role::Warn)]));
    }
    if let Some(unknown) = view.diagnosis.value.as_ref().map(|d| &d.unknown).filter(|u| !u.is_empty()) {
        let text = format!("not looked at: {} (f looks deeper)", unknown.join(", "));
        for line in wrap_within(&text, usize::from(width).saturating_sub(2), 2) {
            out.push(plain(vec![piece(format!("  {line}"), Role::Dim)]));
        }
    }
    if let Some(fault) = &view.diagnosis.fault {
        let text = if view.diagnosis.was_cancelled() {
            "The search for findings was stopped; r reads again.".to_owned()
        } else {
            format!("Findings: {fault}; r reads again.")
        };
        let lines = wrap_within(&clean(&text), usize::from(width).saturating_sub(2), 4);
        for (n, line) in lines.into_iter().enumerate() {
            let mark = if n == 0 { "✗ " } else { "  " };
            out.push(plain(vec![piece(mark, Role::Critical), piece(line, Role::Plain)]));
        }
    } else if view.diagnosis.running() {
        out.push(plain(notice::progress(view.diagnosis.progress.as_ref(), "looking for findings", width)));
    }
    if !out.is_empty() {
        out.push(Row::default());
    }
    out
}

/// `▲ critical  small-files  128 small files could be 26 of about 122 MiB    ⏎`.
fn line(f: &Finding, longest: usize, width: u16) -> Line {
    let (sign, role) = mark(f.severity);
    let mut out: Vec<Piece> = vec![piece(format!("{sign} "), role)];
    if width >= 60 {
        // The mark says the same where there is no room for the word.
        if width >= 100 {
            out.push(piece(format!("{:<8}  ", f.severity.to_string()), role));
        }
        out.push(piece(format!("{:<longest$}  ", f.id), Role::Strong));
    }
    let used: usize = out.iter().map(|p| fit::width(&p.text)).sum();
    let room = usize::from(width).saturating_sub(used);
    let text = clean(&f.title);
    let evidence = clean(&f.evidence);
    out.push(piece(fit::fit(&text, room), Role::Plain));
    let left = room.saturating_sub(fit::width(&text) + 3);
    // Where it fits as a whole or is worth beginning.
    if left >= 24 {
        out.push(piece(format!(" · {}", fit::fit(&evidence, left)), Role::Dim));
    }
    out
}
