//! A result as bars: a column of labels, one of numbers.
//!
//! ```text
//!  north   1,204  ██████████████████
//!  south     602  █████████
//! ```

use ratatui::layout::Rect;

use crate::app::frame::Window;
use crate::app::pane::sql::run::Run;
use crate::model::fit;
use crate::model::text::clean;
use crate::ui::bar::bar;
use crate::ui::canvas::{Canvas, inset, split_top};
use crate::ui::list::scroll_bar;
use crate::ui::theme::Role;

/// A label is at most this wide.
const LABEL: usize = 32;
/// Steps that the longest bar is divided into.
const FINE: f64 = 1e9;

pub fn chart(canvas: &mut Canvas<'_>, area: Rect, run: &Run, (label, value): (usize, usize)) {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    let (head, rows) = split_top(area, 1);
    let page = usize::from(rows.height);
    let top = run.scroll.top_for(run.len(), page);
    canvas.drawn.window = Window { top, page, left: run.left };
    let cell = |place: usize, at: usize| run.grid.rows.get(run.view.row(place))?.get(at)?.as_deref();
    let number = |place: usize| cell(place, value)?.replace("Infinity", "inf").parse::<f64>().ok();
    let shown = top..run.len().min(top + page);
    let width = |at: usize| {
        shown.clone().filter_map(|p| cell(p, at)).map(|t| fit::width(&clean(t))).max().unwrap_or(0)
    };
    let (name, figure) = (&run.grid.columns[label].name, &run.grid.columns[value].name);
    let labels = width(label).max(fit::width(&clean(name))).min(LABEL) as u16;
    let figures = width(value).max(fit::width(&clean(figure))).min(LABEL) as u16;
    canvas.put(head.x, head.y, labels, name, Role::Header);
    canvas.put_right(head.x + labels + 2, head.y, figures, figure, Role::Header);
    let at = area.x + labels + figures + 4;
    let cells = usize::from(area.right().saturating_sub(at));
    // Of all rows, so that bars keep their length while one scrolls.
    let all = (0..run.len()).filter_map(number).filter(|n| n.is_finite());
    let most = all.fold(0.0_f64, |most, n| most.max(n.abs()));
    for (y, place) in (rows.top()..rows.bottom()).zip(shown) {
        let (text, role) = cell(place, label).map_or(("NULL", Role::Null), |t| (t, Role::Plain));
        canvas.put(area.x, y, labels, text, role);
        canvas.put_right(area.x + labels + 2, y, figures, cell(place, value).unwrap_or("NULL"), Role::Plain);
        if let Some(n) = number(place).filter(|n| n.is_finite() && most > 0.0) {
            let role = if n < 0.0 { Role::BarOff } else { Role::Bar };
            let part = (n.abs() / most * FINE) as u64;
            canvas.put(at, y, cells as u16, &bar(part, FINE as u64, cells), role);
        }
        if place == run.scroll.selected {
            canvas.restyle(Rect { y, height: 1, width: labels, ..area }, Role::Selection);
        }
    }
    scroll_bar(canvas, rows, top, run.len());
}
