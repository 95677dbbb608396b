//! Where a result goes: the path, what is written, and what Enter does.
//!
//! ```text
//!  to  sales.csv
//!
//!  CSV   JSON   NDJSON   Parquet   Delta table        Tab takes the next
//!  Names in the first line. NULL is nothing at all, the empty text is "".
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::layer::export::ExportLayer;
use crate::model::export::Form;
use crate::model::text::clean;
use crate::ui::canvas::{Canvas, piece, split_top};
use crate::ui::input;
use crate::ui::theme::Role;
use crate::ui::words::wrap_within;

const WIDTH: u16 = 72;

pub fn export(canvas: &mut Canvas<'_>, area: Rect, layer: &ExportLayer) {
    let inner = window(canvas, area, "Write all rows of the query to", WIDTH.min(area.width), 11);
    let (line, rest) = split_top(inner, 1);
    input::input(canvas, line, &layer.input);
    let (_, rest) = split_top(rest, 1);
    let (forms, rest) = split_top(rest, 1);
    let form = layer.form().ok();
    let mut pieces = Vec::new();
    for each in Form::ALL {
        let role = if form == Some(each) { Role::Selection } else { Role::Dim };
        pieces.push(piece(format!(" {} ", each.word()), role));
        pieces.push(piece(" ", Role::Plain));
    }
    canvas.line(forms.x, forms.y, forms.width, &pieces);
    let mut lines: Vec<(String, Role)> = Vec::new();
    let mut say = |text: &str, role: Role, most: usize| {
        lines.extend(wrap_within(text, inner.width.into(), most).into_iter().map(|l| (l, role)));
    };
    match (&layer.fault, form) {
        (Some(fault), _) => say(&clean(fault), Role::Warn, 2),
        (None, Some(_)) if layer.replaces() => {
            say("▲ There is something of that name. Enter replaces it.", Role::Warn, 2);
        }
        (None, Some(form)) => say(form.note(), Role::Plain, 2),
        (None, None) => say("The ending says the form; a / at the end makes a Delta table.", Role::Plain, 2),
    }
    say("", Role::Plain, 1);
    say(&clean(&layer.text), Role::Dim, 2);
    let (_, rest) = split_top(rest, 1);
    for (y, (text, role)) in (rest.top()..rest.bottom().saturating_sub(1)).zip(&lines) {
        canvas.put(rest.x, y, rest.width, text, *role);
    }
    let keys = [
        piece("Enter", Role::Accent),
        piece(if layer.replaces() { " replaces it" } else { " writes" }, Role::Plain),
        piece("   Tab", Role::Accent),
        piece(" takes another form", Role::Plain),
        piece("   Esc", Role::Accent),
        piece(" goes back", Role::Plain),
    ];
    canvas.line(inner.x, inner.bottom().saturating_sub(1), inner.width, &keys);
}
