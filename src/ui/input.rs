//! A line that is being typed, with the terminal's own cursor.

use ratatui::layout::Rect;

use super::canvas::Canvas;
use super::theme::Role;
use crate::app::input::Input;
use crate::model::fit;
use crate::model::text::clean;

/// Shows the part of the text around the cursor.
pub fn input(canvas: &mut Canvas<'_>, area: Rect, input: &Input) {
    if area.width == 0 || area.height == 0 {
        return;
    }
    let before = clean(input.before_cursor());
    // One column is left for the cursor.
    let visible = fit::tail(&before, usize::from(area.width) - 1);
    let used = fit::width(visible) as u16;
    canvas.put(area.x, area.y, area.width, visible, Role::Plain);
    let after = &input.text()[input.before_cursor().len()..];
    let after = clean(after);
    let rest = area.width - used;
    canvas.put(area.x + used, area.y, rest, fit::head(&after, rest.into()), Role::Plain);
    canvas.cursor = Some((area.x + used, area.y));
}
