//! A list of which only the visible rows are drawn.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::Role;
use crate::app::frame::{Hit, Window};
use crate::app::scroll::Scroll;

/// Draws the visible rows by `draw(canvas, row's area, index)`, the selection, and a scroll bar
/// on the right edge if not all rows fit. Reports window and hit areas.
pub fn list(
    canvas: &mut Canvas<'_>,
    area: Rect,
    scroll: &Scroll,
    len: usize,
    draw: impl FnMut(&mut Canvas<'_>, Rect, usize),
) {
    part_of_list(canvas, area, scroll, (len, len), draw);
}

/// As [`list`], where only the first `len` of `total` rows are there yet: the scroll bar is that of
/// all of them.
pub fn part_of_list(
    canvas: &mut Canvas<'_>,
    area: Rect,
    scroll: &Scroll,
    (len, total): (usize, usize),
    mut draw: impl FnMut(&mut Canvas<'_>, Rect, usize),
) {
    let page = usize::from(area.height);
    let top = scroll.top_for(len, page);
    canvas.drawn.window = Window { top, page, left: 0 };
    for (y, index) in (area.top()..area.bottom()).zip(top..len) {
        let row = Rect { y, height: 1, ..area };
        draw(canvas, row, index);
        if index == scroll.selected {
            canvas.restyle(row, Role::Selection);
        }
        canvas.hit(row, Hit::Row(index));
    }
    scroll_bar(canvas, area, top, total.max(len));
}

/// Lines of text with a scroll bar, without a selection. `lines` is how many there are.
pub fn text(
    canvas: &mut Canvas<'_>,
    area: Rect,
    scroll: &Scroll,
    lines: usize,
    mut draw: impl FnMut(&mut Canvas<'_>, Rect, usize),
) {
    let page = usize::from(area.height);
    let top = scroll.selected.min(lines.saturating_sub(page));
    canvas.drawn.window = Window { top, page, left: 0 };
    for (y, index) in (area.top()..area.bottom()).zip(top..lines) {
        draw(canvas, Rect { y, height: 1, ..area }, index);
    }
    scroll_bar(canvas, area, top, lines);
}

/// Beside the area, one column off: lists leave a margin of two there.
pub fn scroll_bar(canvas: &mut Canvas<'_>, area: Rect, top: usize, len: usize) {
    let page = usize::from(area.height);
    if len <= page || page < 3 {
        return;
    }
    let thumb = (page * page / len).max(1);
    let start = (top * (page - thumb)).div_ceil(len - page);
    for (n, y) in (area.top()..area.bottom()).enumerate() {
        if (start..start + thumb).contains(&n) {
            canvas.put(area.right() + 1, y, 1, "▐", Role::Dim);
        }
    }
}
