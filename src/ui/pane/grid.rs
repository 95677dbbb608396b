//! A query's result: rows and columns, or the text of a plan.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::layout::Rect;

use crate::app::frame::{Hit, Window};
use crate::app::pane::sql::run::Run;
use crate::model::fit;
use crate::ui::canvas::{Canvas, inset, split_top};
use crate::ui::list::scroll_bar;
use crate::ui::theme::Role;

const GAP: u16 = 2;

/// Names and types above, then the rows; the selected cell is marked unless the editor has the focus.
pub fn grid(canvas: &mut Canvas<'_>, area: Rect, run: &Run, editing: bool) {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    let (held, columns) = visible(run, area.width);
    let (names, rest) = split_top(area, 1);
    let (types, rows) = split_top(rest, u16::from(rest.height > 2));
    let page = usize::from(rows.height);
    let top = run.scroll.top_for(run.len(), page);
    canvas.drawn.window = Window { top, page, left: columns.start };
    let in_sight = |range: Range<usize>| range.filter(|at| !run.view.is_hidden(*at)).count();
    let more_left = in_sight(held.end..columns.start) > 0;
    let more_right = in_sight(columns.end..run.grid.columns.len()) > 0;
    for (y, index) in (rows.top()..rows.bottom()).zip(top..run.len()) {
        if run.view.is_marked(run.view.row(index)) {
            canvas.put(area.x.saturating_sub(1), y, 1, "●", Role::Accent);
        }
    }
    let mut x = area.x;
    for at in held.clone().chain(columns).filter(|at| !run.view.is_hidden(*at)) {
        let (column, width) = (&run.grid.columns[at], run.widths[at] as u16);
        let width = width.min(area.right().saturating_sub(x));
        let put = if column.numeric { right } else { left };
        let name = match run.view.sort {
            Some((by, down)) if by == at => format!("{} {}", column.name, if down { "▼" } else { "▲" }),
            _ => column.name.clone(),
        };
        put(canvas, Rect { x, width, ..names }, &name, Role::Header);
        if types.height > 0 {
            put(canvas, Rect { x, width, ..types }, &column.data_type, Role::Dim);
        }
        for (y, index) in (rows.top()..rows.bottom()).zip(top..run.len()) {
            let place = Rect { x, y, width, height: 1 };
            match run.grid.rows.get(run.view.row(index)).and_then(|row| row.get(at)) {
                Some(Some(text)) => put(canvas, place, &cell_text(text), found_role(run, text)),
                _ => put(canvas, place, "NULL", Role::Null),
            }
            if !editing && (index, at) == (run.scroll.selected, run.column) {
                canvas.restyle(place, Role::Selection);
            }
            canvas.hit(place, Hit::Cell(index, at));
        }
        x = x.saturating_add(width + GAP);
        if at + 1 == held.end && x < area.right() {
            for y in area.top()..area.bottom() {
                canvas.put(x.saturating_sub(GAP), y, 1, "│", Role::Line);
            }
        }
    }
    // More columns on that side; the margins are free.
    if more_left {
        canvas.put(area.x.saturating_sub(1), names.y, 1, "←", Role::Accent);
    }
    if more_right {
        canvas.put(area.right() + 1, names.y, 1, "→", Role::Accent);
    }
    scroll_bar(canvas, rows, top, run.len());
}

/// What is searched for stands out.
fn found_role(run: &Run, text: &str) -> Role {
    let search = &run.view.search;
    let found = !search.is_empty() && text.to_lowercase().contains(&search.to_lowercase());
    if found { Role::Accent } else { Role::Plain }
}

/// Texts that could be taken for NULL or for nothing are quoted.
fn cell_text(text: &str) -> Cow<'_, str> {
    match text {
        "" | "NULL" => Cow::Owned(format!("\"{text}\"")),
        _ => Cow::Borrowed(text),
    }
}

fn left(canvas: &mut Canvas<'_>, at: Rect, text: &str, role: Role) {
    canvas.put(at.x, at.y, at.width, text, role);
}

fn right(canvas: &mut Canvas<'_>, at: Rect, text: &str, role: Role) {
    canvas.put_right(at.x, at.y, at.width, text, role);
}

/// The columns that are held fast, and those of the others that fit beside them, so that the
/// selected one is in sight; the last may be cut. Hidden ones among them take no room.
fn visible(run: &Run, width: u16) -> (Range<usize>, Range<usize>) {
    let count = run.grid.columns.len().min(run.widths.len());
    let cost = |at: usize| if run.view.is_hidden(at) { 0 } else { run.widths[at] + usize::from(GAP) };
    let mut room = usize::from(width);
    // Held columns leave at least a third of the room to the others.
    let mut held = 0;
    while held < run.view.frozen.min(count) && cost(held) + usize::from(width) / 3 <= room {
        room -= cost(held);
        held += 1;
    }
    let selected = run.column.min(count.saturating_sub(1));
    let mut start = run.left.min(selected).max(held);
    let whole =
        |from: usize, to: usize| (from..=to).map(cost).sum::<usize>().saturating_sub(usize::from(GAP));
    while start < selected && whole(start, selected) > room {
        start += 1;
    }
    let mut used = 0;
    let mut end = start;
    while end < count && used < room {
        used += cost(end);
        end += 1;
    }
    (0..held, start..end)
}

/// The lines of EXPLAIN, scrolled both ways.
pub fn plan(canvas: &mut Canvas<'_>, area: Rect, run: &Run, lines: &[String]) {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    let page = usize::from(area.height);
    let top = run.scroll.selected.min(lines.len().saturating_sub(page));
    let longest = lines.iter().skip(top).take(page).map(|l| fit::width(l)).max().unwrap_or(0);
    let left = run.left.min(longest.saturating_sub(usize::from(area.width)));
    canvas.drawn.window = Window { top, page, left };
    for (y, line) in (area.top()..area.bottom()).zip(lines.iter().skip(top)) {
        let hidden = fit::head(line, left).len();
        let role = if line.contains("◀ slow") {
            Role::Warn
        } else if line.starts_with(' ') {
            Role::Plain
        } else {
            Role::Strong
        };
        canvas.put(area.x, y, area.width, &line[hidden..], role);
    }
    scroll_bar(canvas, area, top, lines.len());
}
