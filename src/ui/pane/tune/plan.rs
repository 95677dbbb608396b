//! What a change would do, before it runs; while it runs, how far it is; then what came of it.

use ratatui::layout::Rect;
use serde::Serialize;

use super::super::histogram::compared;
use crate::app::App;
use crate::app::pane::tune::{Planned, title};
use crate::app::task::{Task, TaskState};
use crate::model::FaultKind;
use crate::model::change::{PlanView, Report, UndoReport};
use crate::model::plan::vacuum::{Mode, VacuumReport};
use crate::model::plan::{LeftReason, PlanReport};
use crate::model::text::clean;
use crate::model::units::{bytes, count, duration};
use crate::ui::canvas::{Canvas, Piece, piece};
use crate::ui::layer::tasks;
use crate::ui::theme::Role;
use crate::ui::words::{counted, wrap};
use crate::ui::{list, notice};

type Line = Vec<Piece>;

/// Columns of the labels.
const LABEL: usize = 12;

/// Groups, folders and files named at most; the command line names all.
const NAMED: usize = 200;

pub fn plan(canvas: &mut Canvas<'_>, area: Rect, app: &App, plan: &Planned) {
    let Some(view) = &plan.load.value else {
        return notice::instead(canvas, area, &plan.load, "planning", "r");
    };
    let mut lines = vec![vec![piece(clean(&title(&view.change)), Role::Strong)]];
    match app.tasks.of_plan(plan.id) {
        Some((at, task)) => lines.extend(state(task, app.tasks.can_undo(at).is_ok(), area.width)),
        None => lines.extend(next(app, view)),
    }
    lines.push(Vec::new());
    if let (Some(before), Some(after), false) = (&view.before, &view.after, view.empty) {
        lines.extend(compared(before, after, area.width));
        lines.push(Vec::new());
    }
    let mut out = Lines { width: area.width, lines };
    match &view.report {
        Report::Rewrite(r) => rewrite(&mut out, r),
        Report::Vacuum(v) => vacuum(&mut out, v),
        Report::Undo(u) => undo(&mut out, u),
    }
    let lines = out.lines;
    list::text(canvas, area, &plan.scroll, lines.len(), |canvas, row, at| {
        canvas.line(row.x, row.y, row.width, &lines[at]);
    });
}

/// What can be done with the plan now.
fn next(app: &App, view: &PlanView) -> Vec<Line> {
    if view.empty {
        return vec![vec![
            piece("✓ ", Role::Ok),
            piece("Nothing to do: it would change nothing.", Role::Plain),
        ]];
    }
    match app.can_run() {
        Ok(()) if view.destructive => vec![vec![
            piece("▲ ", Role::Critical),
            piece("This cannot be taken back. ", Role::Strong),
            piece("Enter", Role::Accent),
            piece(" asks for the table's name, then runs it", Role::Plain),
        ]],
        Ok(()) => {
            vec![vec![piece("Enter", Role::Accent), piece(" asks once more, then runs it", Role::Plain)]]
        }
        Err(reason) => vec![vec![piece("Not now: ", Role::Warn), piece(reason, Role::Plain)]],
    }
}

/// How the task that runs the plan is doing; `undo`: an undo would take it back.
fn state(task: &Task, undo: bool, width: u16) -> Vec<Line> {
    let line = |mark: &str, role, text: &str, keys: &str| {
        let mut lines = Vec::new();
        for (n, part) in wrap(&clean(text), usize::from(width).saturating_sub(2)).into_iter().enumerate() {
            lines.push(vec![piece(if n == 0 { mark } else { "  " }, role), piece(part, Role::Plain)]);
        }
        if !keys.is_empty() {
            lines.push(vec![piece(format!("  {keys}"), Role::Dim)]);
        }
        lines
    };
    match &task.state {
        TaskState::Waiting => {
            line("· ", Role::Dim, "It waits for the task before it on this table.", "T shows the tasks")
        }
        TaskState::Ending(_) => {
            line("▸ ", Role::Warn, "Ending; a commit that was sent is waited for.", "T shows the tasks")
        }
        TaskState::Running(_) => {
            let mut pieces = vec![piece("▸ ", Role::Accent)];
            pieces.extend(tasks::progress(task, width.saturating_sub(2)));
            vec![
                pieces,
                vec![piece("  Ctrl-c cancels, T shows the tasks; you can go on elsewhere", Role::Dim)],
            ]
        }
        // An export has no plan.
        TaskState::Exported(_) => Vec::new(),
        TaskState::Done(done) => {
            let notes = done.notes.iter().flat_map(|n| line("! ", Role::Warn, n, "")).collect::<Vec<_>>();
            let keys = if undo { "u plans the undo, r plans again" } else { "r plans again" };
            let mut out = line("✓ ", Role::Ok, &tasks::result(done), keys);
            out.extend(notes);
            out
        }
        TaskState::Failed(fault) if fault.kind == FaultKind::Cancelled => {
            let keys = "r plans again on the table as it is";
            line("• ", Role::Dim, &tasks::cancelled(task), keys)
        }
        TaskState::Failed(fault) => {
            let hint = if fault.hint.is_empty() { String::new() } else { format!(". {}", fault.hint) };
            let keys = "r plans again on the table as it is";
            line("✗ ", Role::Critical, &format!("{fault}{hint}"), keys)
        }
    }
}

/// Lines with a label each, wrapped below themselves.
struct Lines {
    width: u16,
    lines: Vec<Line>,
}

impl Lines {
    fn fact(&mut self, label: &str, text: &str, role: Role) {
        let text = clean(text);
        let room = usize::from(self.width).saturating_sub(LABEL + 1);
        for (n, part) in wrap(&text, room).into_iter().enumerate() {
            let label = if n == 0 { label } else { "" };
            self.lines.push(vec![piece(format!("{label:LABEL$} "), Role::Dim), piece(part, role)]);
        }
    }

    fn add(&mut self, label: &str, text: &str) {
        self.fact(label, text, Role::Plain);
    }

    fn risks(&mut self, risks: &[String]) {
        for (n, risk) in risks.iter().enumerate() {
            self.fact(if n == 0 { "risks" } else { "" }, &format!("▲ {risk}"), Role::Warn);
        }
    }

    fn heading(&mut self, text: &str) {
        self.lines.push(Vec::new());
        self.lines.push(vec![piece(text, Role::Strong)]);
    }
}

/// What is left alone, and why: all that there is to say of a plan that would change nothing.
fn left_alone(out: &mut Lines, r: &PlanReport) {
    for left in &r.left_alone {
        out.add("leaves", &format!("{}: {}", counted(left.num_files, "file"), reason(left.reason)));
    }
}

fn rewrite(out: &mut Lines, r: &PlanReport) {
    if r.num_input_files == 0 {
        left_alone(out, r);
        out.add("based on", &format!("version {}", r.version));
        return out.add("command", &r.command);
    }
    let rows = r.input_rows.map_or_else(|| "an unknown number of rows".into(), |n| counted(n, "row"));
    out.fact(
        "reads",
        &format!("{}, {}, {rows}", counted(r.num_input_files, "file"), bytes(r.input_bytes)),
        Role::Strong,
    );
    let predicted = r.predicted_sizes.iter().fold(0u64, |sum, n| sum.saturating_add(*n));
    let each = predicted.checked_div(r.num_output_files).filter(|_| r.num_output_files > 1);
    let each = each.map(|n| format!(" of about {} each", bytes(n))).unwrap_or_default();
    let in_all = if r.num_output_files > 1 { " in all" } else { "" };
    let text = format!("{}{each}, ~{}{in_all}", counted(r.num_output_files, "file"), bytes(predicted));
    out.fact("writes", &text, Role::Strong);
    left_alone(out, r);
    let seconds = r.seconds.filter(|s| s.is_finite() && *s >= 0.0);
    let time = seconds.map_or_else(
        || "unknown: no speed was measured yet".into(),
        |s| format!("~{}", duration((s * 1000.0) as u64)),
    );
    out.add(
        "takes",
        &format!(
            "{time}; memory ~{}; disk ~{} more until a vacuum",
            bytes(r.memory_bytes),
            bytes(r.disk_bytes)
        ),
    );
    out.risks(&r.risks);
    out.add("based on", &format!("version {}", r.version));
    out.add("command", &r.command);
    if r.groups.len() > 1 || r.groups.iter().any(|g| !g.partition_values.is_empty()) {
        out.heading("By partition");
        for group in r.groups.iter().take(NAMED) {
            let value =
                |(c, v): (&String, &serde_json::Value)| format!("{c}={}", v.as_str().unwrap_or("null"));
            let label: Vec<String> = group.partition_values.iter().map(value).collect();
            let label = if label.is_empty() { "all".to_owned() } else { label.join("/") };
            let files = group.input_files.len() as u64;
            out.lines.push(vec![
                piece(format!("  {:>7} → {:<7} ", count(files), count(group.output_files)), Role::Plain),
                piece(clean(&label), Role::Plain),
            ]);
        }
        more(out, r.groups.len());
    }
}

fn more(out: &mut Lines, len: usize) {
    if len > NAMED {
        out.lines.push(vec![piece(
            format!("  and {} more; the command with --json names all", count((len - NAMED) as u64)),
            Role::Dim,
        )]);
    }
}

fn reason(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::OutOfScope => "not in the scope",
        LeftReason::FineSize => "of a good size",
        LeftReason::OnlySmallFile => "small, with no other to merge it with",
        LeftReason::TooLarge => "too large; compaction does not split files",
        LeftReason::CannotSplit => "too large, but of too few rows to be split",
        LeftReason::TooManyParts => "would become over a million files",
        LeftReason::AlreadySo => "so already",
    }
}

fn vacuum(out: &mut Lines, v: &VacuumReport) {
    out.fact("deletes", &format!("{}, {}", counted(v.num_files, "file"), bytes(v.bytes)), Role::Strong);
    let mode = match v.mode {
        Mode::Lite => "what the log's tombstones name",
        Mode::Full => "unused files that a listing found",
    };
    out.add("finds", mode);
    out.add("keeps", &format!("all that was in use within {}", counted(v.retention_hours, "hour")));
    let version = |v: Option<u64>| v.map_or_else(|| "unknown".into(), |v| format!("v{v}"));
    out.add(
        "time travel",
        &format!(
            "oldest readable version {} → {}",
            version(v.oldest_version_before),
            version(v.oldest_version_after)
        ),
    );
    if v.never_referenced.num_files > 0 {
        let never = &v.never_referenced;
        let text = format!(
            "{}, {}: no commit ever named them",
            counted(never.num_files, "file"),
            bytes(never.bytes)
        );
        out.add("besides", &text);
    }
    let kept = v.kept_in_words();
    if !kept.is_empty() {
        out.add("stays", &kept);
    }
    if !v.partitions.is_empty() {
        out.heading("By folder");
        for p in v.partitions.iter().take(NAMED) {
            let folder = if p.path.is_empty() { "the table's own" } else { &p.path };
            out.lines.push(vec![
                piece(format!("  {:>7} {:>10}  ", count(p.num_files), bytes(p.bytes)), Role::Plain),
                piece(clean(folder), Role::Plain),
            ]);
        }
        more(out, v.partitions.len());
    }
    if !v.files.is_empty() {
        out.heading("Files");
        for f in v.files.iter().take(NAMED) {
            let size = f.bytes.map_or_else(|| "?".into(), bytes);
            out.lines.push(vec![
                piece(format!("  {size:>10}  "), Role::Plain),
                piece(clean(&f.path), Role::Plain),
                piece(format!("   {}", because(f.reason)), Role::Dim),
            ]);
        }
        more(out, v.files.len());
    }
}

/// As the command line names it, in words.
fn because(reason: impl Serialize) -> String {
    serde_json::to_value(reason)
        .ok()
        .and_then(|v| v.as_str().map(|s| s.replace('-', " ")))
        .unwrap_or_default()
}

fn undo(out: &mut Lines, u: &UndoReport) {
    let versions: Vec<String> = u.versions.iter().map(|v| format!("v{v}")).collect();
    out.fact("takes back", &versions.join(", "), Role::Strong);
    out.add(
        "brings back",
        &format!("{}, {}", counted(u.num_files_restored, "file"), bytes(u.bytes_restored)),
    );
    out.add("removes", &format!("{}, {}", counted(u.num_files_removed, "file"), bytes(u.bytes_removed)));
    out.risks(&u.risks);
    out.add("based on", &format!("version {}", u.version));
    out.add("command", &u.command);
}
