//! A histogram in a window, with a bar selected.

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::histogram::HistogramLayer;
use crate::ui::canvas::{Canvas, split_top};
use crate::ui::pane::histogram;
use crate::ui::{list, notice};

pub fn histogram(canvas: &mut Canvas<'_>, area: Rect, layer: &HistogramLayer) {
    let width = area.width.saturating_sub(8).min(110);
    let Some(shown) = layer.shown() else {
        let inner = window(canvas, area, &layer.title, width, 3);
        return notice::instead(canvas, inner, &layer.load, "counting the files", "b");
    };
    let lines = histogram::lines(shown, width);
    let inner = window(canvas, area, &layer.title, width, lines.len() as u16);
    let (top, rows) = split_top(inner, 1);
    if let Some(heading) = lines.first() {
        canvas.line(top.x, top.y, top.width, heading);
    }
    let bars = layer.bars().len();
    list::list(canvas, rows, &layer.scroll, bars, |canvas, row, at| {
        if let Some(line) = lines.get(at + 1) {
            canvas.line(row.x, row.y, row.width, line);
        }
    });
    // What follows the bars: files whose rows are unknown, or that there are none.
    for (y, line) in (rows.y + bars as u16..rows.bottom()).zip(lines.iter().skip(bars + 1)) {
        canvas.line(rows.x, y, rows.width, line);
    }
}
