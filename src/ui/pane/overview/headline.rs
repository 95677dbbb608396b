//! The figures that matter most, and what needs attention.

use super::Line;
use crate::app::table::TableView;
use crate::model::features;
use crate::model::table::Table;
use crate::model::text::clean;
use crate::model::units;
use crate::ui::canvas::{piece, pieces_width};
use crate::ui::live;
use crate::ui::notice;
use crate::ui::theme::Role;
use crate::ui::words::{figure, wrap_within};

/// The figures that matter most, or what is known of them so far; broken where there is no room.
pub(super) fn headline(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut figures: Vec<Line> = Vec::new();
    if let Some(diagnosis) = &view.diagnosis.value {
        let grade = diagnosis.grade.letter;
        let role = match grade {
            'A' => Role::Ok,
            'B' | 'C' => Role::Warn,
            _ => Role::Critical,
        };
        let old = if diagnosis.version == table.version {
            String::new()
        } else {
            format!(" (of v{})", diagnosis.version)
        };
        figures.push(vec![piece("Grade ", Role::Dim), piece(grade, role), piece(old, Role::Dim)]);
    }
    let mut add = |strong: String, dim: &str| {
        figures.push(vec![piece(strong, Role::Strong), piece(dim, Role::Dim)]);
    };
    let plural = |n: u64, what: &str| format!(" {what}{}", if n == 1 { "" } else { "s" });
    match (&view.summary, table.stated) {
        (Some(s), stated) if view.summary_is_final() || stated.is_none() => {
            let total = s.total;
            add(units::count(total.files), &plural(total.files, "file"));
            add(units::bytes(total.bytes), "");
            match total.rows() {
                Some(rows) => add(figure(rows), &plural(rows, "row")),
                None if total.known_rows == 0 => add("?".into(), " rows (the log does not state them)"),
                None if width < 70 => add(format!("at least {}", figure(total.known_rows)), " rows"),
                None => {
                    let n = total.files_without_rows;
                    let (count, s) = (units::count(n), if n == 1 { " does" } else { "s do" });
                    let least = figure(total.known_rows);
                    add(format!("at least {least}"), &format!(" rows ({count} file{s} not state them)"));
                }
            }
            if let Some(average) = total.average() {
                add(units::bytes(average), " average file");
            }
            if !s.tree.columns.is_empty() {
                add(units::count(s.partitions), &plural(s.partitions, "partition"));
            }
        }
        (_, Some(stated)) => {
            add(units::count(stated.files), &plural(stated.files, "file"));
            if let Some(bytes) = stated.bytes {
                add(units::bytes(bytes), "");
                if let Some(average) = bytes.checked_div(stated.files) {
                    add(units::bytes(average), " average file");
                }
            }
            add(String::new(), "(stated by the log, being checked)");
        }
        _ => {}
    }
    let mut lines = vec![Vec::new()];
    lines.extend(flow(figures, "   ", width));
    if !view.files.complete && view.files.fault.is_none() {
        lines.push(notice::progress(view.files.progress.as_ref(), "reading the files", width));
    }
    let mut labelled = |label: &str, text: Option<Line>| {
        if let Some(mut text) = text {
            text.insert(0, piece(format!("{label:13}"), Role::Dim));
            lines.push(text);
        }
    };
    let room = width.saturating_sub(13);
    labelled("live", live::rates(view, room));
    labelled("small files", live::small_files(view, room));
    lines.push(Vec::new());
    lines
}

/// Groups of pieces one after the other, on as many lines as they need.
fn flow(groups: Vec<Line>, gap: &str, width: u16) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut used = 0;
    for group in groups {
        let needs = pieces_width(&group);
        match lines.last_mut().filter(|_| used + gap.len() + needs <= usize::from(width)) {
            Some(line) => {
                line.push(piece(gap, Role::Plain));
                line.extend(group);
                used += gap.len() + needs;
            }
            None => {
                used = needs;
                lines.push(group);
            }
        }
    }
    lines
}

/// Lines of a message at most; `e` shows all of an error, `i` all of a warning.
const MOST: usize = 4;

/// What is odd, and what failed.
pub(super) fn attention(view: &TableView, table: &Table, width: u16) -> Vec<Line> {
    let mut out = Vec::new();
    let mut add = |mark: &str, role, text: &str| {
        let text = clean(text);
        let room = usize::from(width).saturating_sub(2);
        for (n, line) in wrap_within(&text, room, MOST).into_iter().enumerate() {
            out.push(vec![piece(if n == 0 { mark } else { "  " }, role), piece(line, Role::Plain)]);
        }
    };
    for text in live::alarms(&view.live) {
        add("✗ ", Role::Critical, &text);
    }
    if let Some((fault, _)) = &view.live.trouble {
        add("▲ ", Role::Warn, &format!("Following: {fault}. What is shown was read before."));
    }
    if let Some(fault) = &view.files.fault {
        let partial = if view.files.value.is_some() { " The figures are partial." } else { "" };
        add("✗ ", Role::Critical, &format!("Files: {fault}.{partial} r reads again."));
        if !fault.hint.is_empty() {
            add("  ", Role::Plain, &fault.hint);
        }
    }
    if let Some(fault) = &view.table.fault {
        add(
            "✗ ",
            Role::Critical,
            &format!("Refresh: {fault}. What is shown was read before; r tries again."),
        );
    }
    let files = view.files.value.as_ref().map(|f| f.warnings.as_slice()).unwrap_or_default();
    for warning in table.warnings.iter().chain(files) {
        add("▲ ", Role::Warn, warning);
    }
    for name in table.protocol.features() {
        let support = features::support(&name);
        let lacks = if support.name.is_empty() {
            "is not known here: it can be looked at only"
        } else if !support.sql {
            "cannot be queried by SQL here"
        } else {
            continue;
        };
        add("▲ ", Role::Warn, &format!("table feature {name} {lacks}"));
    }
    if !out.is_empty() {
        out.push(Vec::new());
    }
    out
}
