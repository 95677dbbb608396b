//! The last line: what the keys do here, or a note, or the filter being typed; on the right what runs.
//!
//! ```text
//!  ⏎ details  / filter  o sort  y copy   : commands  ? help  q quit      reading files … 34 %
//! ```

use ratatui::layout::Rect;

use super::canvas::{Canvas, piece, pieces_width};
use super::theme::Role;
use crate::app::command::{Command, Context, lookup};
use crate::app::ctx::Tone;
use crate::app::frame::Hit;
use crate::app::key::Key;
use crate::app::layer::Layer;
use crate::app::layer::filter::FilterLayer;
use crate::app::pane::Pane;
use crate::app::table::Running;
use crate::app::{App, Scene};
use crate::model::progress::Progress;
use crate::model::text::clean_lines;
use crate::model::{fit, units};
use crate::ui::words::wrap_within;

pub fn footer(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let (left, running) = parts(area, app);
    canvas.put_right(area.x, area.y, area.width, &running, Role::Accent);
    match (&app.note, app.layers.last()) {
        (_, Some(Layer::Filter(filter))) => typed_filter(canvas, left, app, filter),
        (Some(note), _) => {
            let (mark, role) = mark(note.tone);
            canvas.line(left.x, left.y, left.width, &[piece(mark, role), piece(&*note.text, Role::Plain)]);
        }
        (None, _) => hints(canvas, left, app),
    }
}

/// What is left of the line, and what runs.
fn parts(area: Rect, app: &App) -> (Rect, String) {
    let running = status(app).filter(|_| area.width >= 50).unwrap_or_default();
    let right = (fit::width(&running) as u16).min(area.width / 2);
    let left = Rect { width: area.width.saturating_sub(if right > 0 { right + 2 } else { 0 }), ..area };
    (left, running)
}

fn mark(tone: Tone) -> (&'static str, Role) {
    match tone {
        Tone::Plain => ("", Role::Plain),
        Tone::Good => ("✓ ", Role::Ok),
        Tone::Warning => ("▲ ", Role::Warn),
    }
}

/// Rows that a long note takes at most; what failed can be opened in full (`e`).
const NOTE_ROWS: usize = 6;

/// A note that has no room on the last line takes those above it too, until the next key.
pub fn long_note(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let Some(note) = app.note.as_ref().filter(|_| !matches!(app.layers.last(), Some(Layer::Filter(_))))
    else {
        return;
    };
    let last = Rect {
        x: area.x + 1,
        y: area.bottom().saturating_sub(1),
        width: area.width.saturating_sub(2),
        height: 1,
    };
    let (left, _) = parts(last, app);
    let (mark, role) = mark(note.tone);
    let indent = fit::width(mark) as u16;
    let room = left.width.saturating_sub(indent);
    let lines = wrap_within(&clean_lines(&note.text), room.into(), NOTE_ROWS);
    if lines.len() < 2 || area.height < 12 {
        return;
    }
    let top = last.y + 1 - lines.len() as u16;
    // All of the last line but what runs.
    canvas.blank(Rect { x: area.x, y: top, width: area.width, height: last.y - top });
    canvas.blank(Rect { height: 1, ..left });
    canvas.rule(area.x, top.saturating_sub(1), area.width, "─", Role::Line);
    for (y, line) in (top..).zip(&lines) {
        canvas.put(last.x + indent, y, room, line, Role::Plain);
    }
    canvas.put(last.x, top, indent, mark, role);
}

/// Keys with a word each, those of the innermost context first.
fn hints(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let contexts = app.contexts();
    let typing = contexts.first().is_some_and(|c| c.takes_text());
    let ends: &[(&str, &str, &'static str)] = match contexts.first() {
        Some(Context::SqlEditor) => &[("Alt-1–7", "panes", "editor.leave"), ("Ctrl-q", "quit", "app.quit")],
        Some(Context::TuneForm) if area.width < 60 => &[],
        Some(Context::TuneForm) => &[("Alt-1–7", "panes", "form.back"), ("Ctrl-q", "quit", "app.quit")],
        Some(c) if typing || *c == Context::Help => &[],
        _ if area.width < 60 => &[("?", "help", "app.help"), ("q", "quit", "app.quit")],
        _ => &[(":", "commands", "app.palette"), ("?", "help", "app.help"), ("q", "quit", "app.quit")],
    };
    let end: Vec<_> = ends.iter().flat_map(|(k, w, _)| hint(k, w)).collect();
    // The blanks after the last one need no room.
    let end_width = (pieces_width(&end) as u16).saturating_sub(2).min(area.width);
    let shown = contexts.iter().flat_map(|c| Command::of(*c)).filter(|c| !c.hint.is_empty());
    let mut x = area.x;
    for command in by_weight(shown.filter(|c| (c.enabled)(app).is_ok()).collect()) {
        let reaches = |k: &&Key| !typing || contexts.first() == Some(&command.context) || !k.is_for_input();
        // A key that an inner context has does something else here.
        let own = |k: &&Key| lookup(app, &contexts, **k).is_some_and(|c| c.id == command.id);
        let Some(key) = command.keys.iter().filter(reaches).find(own) else { continue };
        let pieces = hint(&key.to_string(), command.hint);
        let width = pieces_width(&pieces) as u16;
        if x + width + end_width > area.right() {
            break;
        }
        canvas.line(x, area.y, width, &pieces);
        canvas.hit(Rect { x, width: width - 2, ..area }, Hit::Command(command.id));
        x += width;
    }
    for (n, (key, word, id)) in ends.iter().enumerate() {
        let [key, mut word] = hint(key, word);
        if n + 1 == ends.len() {
            word.text.truncate(word.text.trim_end().len());
        }
        let used = canvas.line(x, area.y, area.right().saturating_sub(x), &[key, word]);
        canvas.hit(Rect { x, width: used.saturating_sub(2), ..area }, Hit::Command(id));
        x += used;
    }
}

/// The first few of the innermost context, then what matters in every pane that shows the layout
/// (and nowhere else), then the others.
fn by_weight(mut commands: Vec<&Command>) -> Vec<&Command> {
    const OWN: usize = 3;
    let inner = commands.first().map(|c| c.context);
    if !matches!(inner, Some(Context::Overview | Context::Files | Context::Partitions | Context::Columns)) {
        commands.retain(|c| c.early == 0);
        return commands;
    }
    let own = commands.iter().take_while(|c| Some(c.context) == inner).count().min(OWN);
    let rest = commands.split_off(own);
    let (mut early, late): (Vec<_>, Vec<_>) = rest.into_iter().partition(|c| c.early > 0);
    early.sort_by_key(|c| c.early);
    commands.into_iter().chain(early).chain(late).collect()
}

fn hint(key: &str, word: &str) -> [super::canvas::Piece; 2] {
    [piece(key, Role::Accent), piece(format!(" {word}  "), Role::Dim)]
}

fn typed_filter(canvas: &mut Canvas<'_>, area: Rect, app: &App, filter: &FilterLayer) {
    let of =
        |shown: usize, all: usize| format!("{} of {}", units::count(shown as u64), units::count(all as u64));
    let found = match (&app.scene, &app.home) {
        // A search, not a filter.
        (Scene::Table(t), _) if t.pane == Pane::Sql => String::new(),
        (Scene::Table(t), _) => {
            let (shown, all) = (t.files_pane.shown.len(), t.files_pane.shown.list.len());
            format!(
                "{} file{}{}",
                of(shown, all),
                if all == 1 { "" } else { "s" },
                if t.files_pane.is_arranging() { " …" } else { "" }
            )
        }
        (_, Some(home)) => of(home.shown.len(), home.entries.len()),
        _ => String::new(),
    };
    let keys = "  ⏎ keep  Esc undo";
    let tail = if area.width >= 60 { format!("{found}{keys}") } else { found };
    let room = area.width.saturating_sub(fit::width(&tail) as u16 + 2);
    canvas.put(area.x, area.y, 2, "/ ", Role::Accent);
    super::input::input(canvas, Rect { x: area.x + 2, width: room.saturating_sub(2), ..area }, &filter.input);
    canvas.put_right(area.x, area.y, area.width, &tail, Role::Dim);
}

/// What runs: tasks, and the job that one waits for most.
fn status(app: &App) -> Option<String> {
    match (tasks(app), running(app)) {
        (Some(tasks), Some(job)) => Some(format!("{job}   {tasks}")),
        (a, b) => a.or(b),
    }
}

/// `1 task 64 %`: how many wait or are at work, and how far the first one is.
fn tasks(app: &App) -> Option<String> {
    let open = app.tasks.open();
    let task = app.tasks.list.iter().find(|t| t.job().is_some())?;
    let p = &task.progress;
    let share = p.bytes_total.filter(|t| *t > 0).map(|t| units::percent(p.bytes_done.min(t), t));
    let s = if open == 1 { "" } else { "s" };
    Some(format!("{open} task{s} {}", share.unwrap_or_else(|| "…".into())))
}

/// The job that one waits for most, in a few words.
fn running(app: &App) -> Option<String> {
    let say = |p: Option<&Progress>, waiting: &str| {
        let phase = p.map_or(waiting, |p| p.phase.as_str());
        let share = p.and_then(|p| Some(units::percent(p.done.min(p.total?), p.total?)));
        format!("{phase} … {}", share.unwrap_or_default()).trim_end().to_owned()
    };
    match &app.scene {
        Scene::Place(load) => load.running().then(|| say(load.progress.as_ref(), "looking")),
        Scene::Home(load) => load.running().then(|| say(load.progress.as_ref(), "looking")),
        Scene::Table(t) => {
            let progress = t.sql.run.as_ref().and_then(|r| r.load.progress.as_ref());
            match t.foremost() {
                Some(Running::Query) => Some(say(progress, "running query")),
                Some(Running::Reading) if t.table.running() => {
                    Some(say(t.table.progress.as_ref(), "reading log"))
                }
                Some(Running::Reading) => Some(say(t.files.progress.as_ref(), "reading files")),
                _ if t.files_pane.is_arranging() => Some("sorting …".into()),
                Some(Running::Planning) => {
                    Some(say(t.tune.plan.as_ref().and_then(|p| p.load.progress.as_ref()), "planning"))
                }
                Some(Running::Findings) => Some(say(t.diagnosis.progress.as_ref(), "looking for findings")),
                Some(Running::Commits) => Some(say(t.history.load.progress.as_ref(), "reading commits")),
                None => None,
            }
        }
    }
}
