//! The queries of before, searched by a few letters.
//!
//! ```text
//!  find: reg
//!  ★ SELECT region, count(*) FROM t GROUP BY 1
//!    SELECT * FROM t WHERE region = 'north'
//! ```

use ratatui::layout::Rect;

use crate::app::pane::sql::queries::Queries;
use crate::model::fit;
use crate::ui::canvas::{Canvas, inset, piece, split_top};
use crate::ui::theme::Role;
use crate::ui::{input, list, notice};

pub fn queries(canvas: &mut Canvas<'_>, area: Rect, queries: &Queries) {
    canvas.blank(area);
    let area = inset(area, 1);
    let (line, rows) = split_top(area, 1);
    const FIND: &str = "find: ";
    let used = canvas.put(line.x, line.y, line.width, FIND, Role::Accent);
    input::input(
        canvas,
        Rect { x: line.x + used, width: line.width.saturating_sub(used), ..line },
        &queries.input,
    );
    if queries.shown.is_empty() {
        return notice::sentence(canvas, rows, "No query matches. Alt-s in the editor saves one.", Role::Dim);
    }
    let rows = Rect { width: rows.width.saturating_sub(2), ..rows };
    list::list(canvas, rows, &queries.scroll, queries.shown.len(), |canvas, row, at| {
        let Some((text, saved)) = queries.get(at) else { return };
        let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mark = if saved { piece("★ ", Role::Accent) } else { piece("  ", Role::Plain) };
        let text = fit::fit(&one_line, usize::from(row.width).saturating_sub(2)).into_owned();
        canvas.line(row.x, row.y, row.width, &[mark, piece(text, Role::Plain)]);
    });
}
