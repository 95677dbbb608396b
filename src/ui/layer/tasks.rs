//! The tasks in a drawer at the bottom: a line each, the newest on top, and the selected one in full.
//!
//! ```text
//!  ▸ Compact of sales        rewriting …  ████████░░░░  64 %   ~ 6.0 s left   1.20 GiB of 1.90 GiB
//!  ✓ Vacuum of sales         37 files removed, 310 MiB
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::App;
use crate::app::layer::tasks::TasksLayer;
use crate::app::task::{Task, TaskState};
use crate::model::change::{Change, Done};
use crate::model::export::Exported;
use crate::model::text::clean;
use crate::model::{FaultKind, fit, units};
use crate::ui::bar::bar;
use crate::ui::canvas::{Canvas, Piece, piece, pieces_width, split_top};
use crate::ui::theme::Role;
use crate::ui::words::{counted, wrap, wrap_within};
use crate::ui::{list, notice};

pub fn tasks(canvas: &mut Canvas<'_>, area: Rect, app: &App, layer: &TasksLayer) {
    let wanted = app.tasks.list.len() as u16 + 14;
    let height = wanted.clamp(10, (area.height * 2 / 3).max(10)).min(area.height);
    let drawer = Rect { y: area.bottom() - height, height, ..area };
    let inner = window(canvas, drawer, "Tasks", area.width, height);
    let len = app.tasks.list.len();
    if len == 0 {
        return notice::sentence(
            canvas,
            inner,
            "No task was started. t shows what can be done to a table.",
            Role::Dim,
        );
    }
    let rows = (len as u16).min(inner.height / 2).max(1);
    let (top, rest) = split_top(inner, rows);
    let top = Rect { width: top.width.saturating_sub(2), ..top };
    list::list(canvas, top, &layer.scroll, len, |canvas, row, at| {
        if let Some(task) = app.task_at(at).and_then(|at| app.tasks.list.get(at)) {
            canvas.line(row.x, row.y, row.width, &line(task, row.width));
        }
    });
    if let Some(task) = app.task_at(layer.scroll.selected).and_then(|at| app.tasks.list.get(at)) {
        let (_, rest) = split_top(rest, 1);
        let lines = described(task, rest.width);
        for (y, line) in (rest.top()..rest.bottom()).zip(&lines) {
            canvas.line(rest.x, y, rest.width, line);
        }
    }
}

fn mark(task: &Task) -> (&'static str, Role) {
    match &task.state {
        TaskState::Waiting => ("· ", Role::Dim),
        TaskState::Running(_) | TaskState::Ending(_) => ("▸ ", Role::Accent),
        TaskState::Done(_) | TaskState::Exported(_) => ("✓ ", Role::Ok),
        TaskState::Failed(fault) if fault.kind == FaultKind::Cancelled => ("• ", Role::Dim),
        TaskState::Failed(_) => ("✗ ", Role::Critical),
    }
}

/// A task in a line.
fn line(task: &Task, width: u16) -> Vec<Piece> {
    let (sign, role) = mark(task);
    let name = format!("{} of {}", task.title, task.table);
    let name = clean(&name).into_owned();
    let room = usize::from(width / 3).max(14);
    let name = fit::fit(&name, room);
    let pad = " ".repeat(room.saturating_sub(fit::width(&name)) + 2);
    let mut out = vec![piece(sign, role), piece(&*name, Role::Strong), piece(pad, Role::Plain)];
    match &task.state {
        TaskState::Waiting => out.push(piece("waits for the task before it", Role::Dim)),
        TaskState::Ending(_) => out.push(piece("ending …", Role::Warn)),
        TaskState::Running(_) => out.extend(progress(task, width.saturating_sub(room as u16 + 4))),
        TaskState::Done(done) => out.push(piece(result(done), Role::Plain)),
        TaskState::Exported(written) => out.push(piece(exported(written), Role::Plain)),
        TaskState::Failed(fault) if fault.kind == FaultKind::Cancelled => {
            out.push(piece(cancelled(task), Role::Plain));
        }
        TaskState::Failed(fault) => out.push(piece(fault.to_string(), Role::Plain)),
    }
    out
}

/// What a cancelled task leaves.
pub(in crate::ui) fn cancelled(task: &Task) -> String {
    let p = &task.progress;
    match p.batches_done {
        _ if task.export().is_some() => "cancelled; nothing is left of the file".into(),
        0 if matches!(task.change(), Some(Change::Vacuum(_))) && p.files_done > 0 => {
            "cancelled; what was deleted until then stays so".into()
        }
        0 => "cancelled; nothing was changed".into(),
        n => {
            let of = p.batches_total.map(|all| format!(" of {}", units::count(all))).unwrap_or_default();
            let batches = if n == 1 && of.is_empty() { "batch" } else { "batches" };
            format!("cancelled; {}{of} {batches} had been committed and stay so", units::count(n))
        }
    }
}

/// `rewriting …  ████░░░░  64 %   ~ 6.0 s left   1.20 GiB of 1.90 GiB   110 MiB/s`, as much as fits
/// as a whole.
pub(in crate::ui) fn progress(task: &Task, width: u16) -> Vec<Piece> {
    const CELLS: usize = 12;
    let p = &task.progress;
    let mut out = vec![piece(format!("{} …", p.phase.word()), Role::Accent)];
    let share = |done: u64, total: Option<u64>| total.filter(|t| *t > 0).map(|t| (done.min(t), t));
    let part = share(p.bytes_done, p.bytes_total).or(share(p.files_done, p.files_total));
    if let Some((done, total)) = part {
        if width >= 40 {
            let drawn = bar(done, total, CELLS);
            let rest = CELLS.saturating_sub(drawn.chars().count());
            out.push(piece(format!("  {drawn}"), Role::Bar));
            out.push(piece("░".repeat(rest), Role::Line));
        }
        out.push(piece(format!("  {}", units::percent(done, total)), Role::Strong));
    }
    let rows = p.rows_done.map(|rows| {
        piece(format!("  {}   {}", counted(rows, "row"), units::bytes(p.bytes_done)), Role::Strong)
    });
    let left = task.left().map(|left| piece(format!("   ~ {} left", units::duration(left)), Role::Plain));
    let bytes = share(p.bytes_done, p.bytes_total).map(|(done, total)| {
        piece(format!("   {} of {}", units::bytes(done), units::bytes(total)), Role::Plain)
    });
    let rate = task.rate().map(|rate| piece(format!("   {}/s", units::bytes(rate)), Role::Dim));
    for more in [rows, left, bytes, rate].into_iter().flatten() {
        if pieces_width(&out) + fit::width(&more.text) <= usize::from(width) {
            out.push(more);
        }
    }
    out
}

/// What an export wrote, in a line.
fn exported(written: &Exported) -> String {
    format!(
        "{}, {}, in {}",
        counted(written.rows, "row"),
        units::bytes(written.bytes),
        units::duration(written.millis)
    )
}

/// What came of it, in a line.
pub(in crate::ui) fn result(done: &Done) -> String {
    let version = match done.new_version {
        Some(version) => format!("v{version}: "),
        None if done.num_files_added + done.num_files_removed == 0 => return "nothing was to be done".into(),
        None => String::new(),
    };
    let rows = done.rows_verified.map(|n| format!(", {} verified", counted(n, "row"))).unwrap_or_default();
    let seconds = units::duration((done.seconds * 1000.0) as u64);
    if done.num_files_added == 0 {
        let (files, bytes) = (counted(done.num_files_removed, "file"), units::bytes(done.bytes_removed));
        return format!("{version}{files} removed, {bytes}{rows}, in {seconds}");
    }
    format!(
        "{version}{} → {}, {} → {}{rows}, in {seconds}",
        units::count(done.num_files_removed),
        counted(done.num_files_added, "file"),
        units::bytes(done.bytes_removed),
        units::bytes(done.bytes_added)
    )
}

/// The selected task: figures, its outcome, the last lines of its log.
fn described(task: &Task, width: u16) -> Vec<Vec<Piece>> {
    let mut out = Vec::new();
    let name = format!("{} of {}", task.title, task.table);
    let (p, label) = (&task.progress, |text: &str| piece(format!("{text:<9} "), Role::Dim));
    let of = |done: u64, total: Option<u64>| match total {
        Some(total) => format!("{} of {}", units::count(done), units::count(total)),
        None => units::count(done),
    };
    for (n, line) in wrap_within(&clean(&name), usize::from(width).saturating_sub(10), 2).iter().enumerate() {
        out.push(vec![label(if n == 0 { "task" } else { "" }), piece(line, Role::Strong)]);
    }
    if task.job().is_some() {
        let mut line = vec![label("progress")];
        line.extend(progress(task, width.saturating_sub(10)));
        out.push(line);
        if task.export().is_some() {
            out.push(vec![label("keys"), piece("x cancels; nothing is left of the file then", Role::Dim)]);
        } else {
            let batches = p
                .batches_total
                .map(|_| format!("   {} batches committed", of(p.batches_done, p.batches_total)));
            let files = format!("{}{}", of(p.files_done, p.files_total), batches.unwrap_or_default());
            out.push(vec![label("files"), piece(files, Role::Plain)]);
        }
    }
    let mut wrapped = |name: &str, text: &str, role| {
        for (n, part) in wrap(&clean(text), usize::from(width).saturating_sub(10)).into_iter().enumerate() {
            out.push(vec![label(if n == 0 { name } else { "" }), piece(part, role)]);
        }
    };
    match &task.state {
        TaskState::Done(done) => wrapped("result", &result(done), Role::Strong),
        TaskState::Exported(written) => {
            wrapped("result", &exported(written), Role::Strong);
            wrapped("file", &written.path, Role::Plain);
        }
        TaskState::Failed(fault) if fault.kind == FaultKind::Cancelled => {
            wrapped("ended", &cancelled(task), Role::Strong);
        }
        TaskState::Failed(fault) => {
            wrapped("failed", &fault.to_string(), Role::Strong);
            if !fault.hint.is_empty() {
                wrapped("do", &fault.hint, Role::Plain);
            }
        }
        TaskState::Waiting => wrapped("waits", "for the task before it on this table", Role::Plain),
        TaskState::Running(_) | TaskState::Ending(_) => {}
    }
    for (n, text) in task.log.iter().rev().take(20).enumerate() {
        wrapped(if n == 0 { "log" } else { "" }, text, Role::Dim);
    }
    out
}
