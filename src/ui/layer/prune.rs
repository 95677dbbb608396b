//! A condition, the funnel of files that it leaves, and what becomes of each file.
//!
//! ```text
//!  WHERE > year = 2024 and amount > 900
//!
//!  all files             412   2.69 GiB
//!  after partitions      300   1.96 GiB   112 dropped
//!  after statistics       12   98.1 MiB   288 dropped
//!
//!  ✓ read     9.00 MiB  year=2024/month=1/part-00003…   year=2024; amount 12 – 999
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::prune::PruneLayer;
use crate::model::prune::{Fate, PruneReport};
use crate::model::query_plan::Share;
use crate::model::text::clean;
use crate::model::units::{bytes, count};
use crate::ui::canvas::{Canvas, Piece, piece, split_bottom, split_top};
use crate::ui::theme::Role;
use crate::ui::words::wrap_within;
use crate::ui::{input, list, notice};

pub fn prune(canvas: &mut Canvas<'_>, area: Rect, layer: &PruneLayer) {
    let inner =
        window(canvas, area, "What if a query asks for this?", area.width.saturating_sub(4), area.height);
    let (line, rest) = split_top(inner, 1);
    let label = canvas.put(line.x, line.y, line.width, "WHERE ", Role::Accent);
    let place = Rect { x: line.x + label, width: line.width.saturating_sub(label), ..line };
    if layer.typing {
        input::input(canvas, place, &layer.input);
    } else {
        canvas.put(place.x, place.y, place.width, layer.input.text(), Role::Strong);
    }
    let (_, rest) = split_top(rest, u16::from(rest.height > 6));
    match &layer.load.value {
        Some(pruned) => answer(canvas, rest, layer, pruned),
        None if layer.load.running() || layer.load.fault.is_some() => {
            notice::instead(canvas, rest, &layer.load, "working it out", "Enter");
        }
        None => notice::sentence(
            canvas,
            rest,
            "An SQL condition, such as amount > 100 and day = '2024-01-31'. Only the log's statistics are read.",
            Role::Dim,
        ),
    }
}

fn answer(canvas: &mut Canvas<'_>, area: Rect, layer: &PruneLayer, pruned: &PruneReport) {
    let stages = stages(pruned, area.width < 44);
    let (top, rest) = split_top(area, (stages.len() as u16).min(area.height / 2));
    for (y, line) in (top.top()..top.bottom()).zip(&stages) {
        canvas.line(top.x, y, top.width, line);
    }
    let (_, rest) = split_top(rest, u16::from(rest.height > 4));
    let (rest, reason) = selected_reason(rest, layer, pruned);
    let rows = Rect { width: rest.width.saturating_sub(2), ..rest };
    list::list(canvas, rows, &layer.scroll, pruned.files.len(), |canvas, row, at| {
        if let Some(fate) = pruned.files.get(at) {
            file(canvas, row, fate);
        }
    });
    for (y, line) in (reason.0.top()..reason.0.bottom()).zip(&reason.1) {
        canvas.put(reason.0.x, y, reason.0.width, line, Role::Plain);
    }
}

/// Lines of the selected file's reason at most; the details have all of it.
const REASON: usize = 3;

/// What is left for the list, and below it the place and the lines of the selected file's reason,
/// which mostly has no room on its row.
fn selected_reason(area: Rect, layer: &PruneLayer, pruned: &PruneReport) -> (Rect, (Rect, Vec<String>)) {
    let fate = pruned.files.get(layer.scroll.selected).filter(|_| area.height >= 7);
    let lines = fate.map_or_else(Vec::new, |fate| {
        let text = format!("{}: {}", if fate.kept { "read" } else { "skipped" }, clean(&fate.reason));
        wrap_within(&text, area.width.into(), REASON)
    });
    // The list keeps its height whatever the reason's length.
    let height = if lines.is_empty() { 0 } else { 1 + REASON as u16 };
    let (rest, below) = split_bottom(area, height);
    let (_, below) = split_top(below, 1);
    (rest, (below, lines))
}

/// The funnel: what each stage leaves, and (where there is room) what it dropped.
fn stages(pruned: &PruneReport, narrow: bool) -> Vec<Vec<Piece>> {
    let (name_width, count_width) = if narrow { (16, 7) } else { (18, 9) };
    let all = Share { files: pruned.total_files, bytes: pruned.total_bytes };
    let stage = |name: &str, files: u64, size: u64, rest: String| {
        let rest = if narrow || rest.is_empty() { String::new() } else { format!("   {rest}") };
        vec![
            piece(format!("{name:<name_width$} "), Role::Dim),
            piece(format!("{:>count_width$} {:>10}", count(files), bytes(size)), Role::Strong),
            piece(rest, Role::Plain),
        ]
    };
    let dropped = |before: Share, left: Share| match before.files.saturating_sub(left.files) {
        0 => String::new(),
        n => format!("{} dropped", count(n)),
    };
    let (parts, stats) = (pruned.after_partitions, pruned.after_statistics);
    let mut out = vec![
        stage("all files", all.files, all.bytes, String::new()),
        stage("after partitions", parts.files, parts.bytes, dropped(all, parts)),
        stage("after statistics", stats.files, stats.bytes, dropped(parts, stats)),
    ];
    let groups = pruned.after_row_groups.filter(|left| left.num_footers > 0);
    out.extend(groups.map(|left| stage("after row groups", left.files, left.bytes, left.sentence())));
    out
}

/// Where there is little room, the reason matters more than the start of the path.
fn file(canvas: &mut Canvas<'_>, row: Rect, fate: &Fate) {
    let (sign, role) = if fate.kept { ("✓ read     ", Role::Ok) } else { ("✗ skipped  ", Role::Dim) };
    let used = canvas.put(row.x, row.y, row.width, sign, role);
    canvas.put_right(
        row.x + used,
        row.y,
        9.min(row.width.saturating_sub(used)),
        &bytes(fate.bytes),
        Role::Plain,
    );
    let x = row.x + used + 11;
    let room = row.right().saturating_sub(x);
    // At half of a narrow row a path still tells itself from others.
    let path = (room / 2).max(24).min(room).min(60);
    canvas.put_path(x, row.y, path, &fate.path, Role::Plain);
    canvas.put(x + path + 2, row.y, room.saturating_sub(path + 2), &fate.reason, Role::Dim);
}
