//! The runs of this session in a window.
//!
//! ```text
//!  • #4   running
//!  ✓ #3    600 rows    42 ms   2 files   7.90 KiB   select * from t
//! ```

use ratatui::layout::Rect;

use super::window;
use crate::app::App;
use crate::app::layer::runs::{Row, RunsLayer, rows};
use crate::app::pane::sql::run::Run;
use crate::model::text::clean;
use crate::model::units::{bytes, count, duration};
use crate::ui::canvas::{Canvas, Piece, piece, split_top};
use crate::ui::theme::Role;
use crate::ui::words::counted;
use crate::ui::{list, notice};

pub fn runs(canvas: &mut Canvas<'_>, area: Rect, app: &App, layer: &RunsLayer) {
    let Some(table) = app.table() else { return };
    let rows = rows(&table.sql);
    let height = (rows.len() as u16 + 3).max(6);
    let inner = window(canvas, area, "Runs of this session", area.width.saturating_sub(4).min(120), height);
    if rows.is_empty() {
        return notice::sentence(canvas, inner, "Nothing was run yet.", Role::Dim);
    }
    let (head, rest) = split_top(inner, 1);
    let text = match layer.marks.len() {
        2 => "Two are marked: d compares them.",
        _ => "Enter shows a result. Space marks two, d compares them.",
    };
    canvas.put(head.x, head.y, head.width, text, Role::Dim);
    let place = Rect { width: rest.width.saturating_sub(2), ..rest };
    list::list(canvas, place, &layer.scroll, rows.len(), |canvas, row, at| {
        let pieces = match &rows[at] {
            Row::Waiting(text) => vec![piece("  · waits   ", Role::Dim), piece(one_line(text), Role::Dim)],
            Row::Running(run) => {
                vec![piece("  ▸ running ", Role::Accent), piece(one_line(&run.text), Role::Plain)]
            }
            Row::Ended(run) => ended(run, layer.marks.contains(&run.number), row.width),
        };
        canvas.line(row.x, row.y, row.width, &pieces);
    });
}

fn ended(run: &Run, marked: bool, width: u16) -> Vec<Piece> {
    let mark = if marked { "●" } else { " " };
    let plan = run.tree.as_ref().map(|tree| &tree.plan);
    let rows = match (plan, run.end) {
        (Some(plan), _) if plan.millis.is_none() => "plan".to_owned(),
        (Some(plan), _) => plan.rows.map_or_else(String::new, |n| counted(n, "row")),
        (None, Some(end)) if end.truncated => format!("{}+ rows", count(end.rows)),
        (None, Some(end)) => counted(end.rows, "row"),
        (None, None) => String::new(),
    };
    let time = run.end.map_or_else(String::new, |end| duration(end.millis));
    let mut out = vec![
        piece(format!("{mark} #{:<4}", run.number), Role::Accent),
        piece(format!("{rows:>14}  {time:>8}  "), Role::Strong),
    ];
    if width >= 80 {
        let read = run.facts.as_ref().map(|facts| facts.files());
        let text = read.map_or_else(String::new, |read| {
            format!("{:>12}  {:>10}", counted(read.files, "file"), bytes(read.bytes))
        });
        out.push(piece(format!("{text:<24}  "), Role::Plain));
    }
    out.push(piece(one_line(&run.text), Role::Dim));
    out
}

fn one_line(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}
