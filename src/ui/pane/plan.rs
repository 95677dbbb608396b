//! A plan: each scan's funnel, then the steps as a tree; after ANALYZE with rows and time.
//!
//! ```text
//!  ▾ sales v7: reads only year=2024: 3 of 412 files (2.69 GiB), 0.7 % of the bytes
//!      condition         year = 2024
//!      all files             412    2.69 GiB
//!         rows       time  share
//!          600     120 µs    2 %  ▾ SortExec: …
//!          600    9.50 ms   91 %    ◀ slow  DataSourceExec: reads sales v7, …
//! ```

use ratatui::layout::Rect;

use crate::app::pane::sql::plan::{Line, PlanTree};
use crate::app::pane::sql::run::Run;
use crate::model::query_plan::short_time;
use crate::model::text::clean;
use crate::model::units::{count, duration};
use crate::ui::canvas::{Canvas, Piece, inset, piece};
use crate::ui::list;
use crate::ui::theme::Role;
use crate::ui::words::counted;

pub fn plan(canvas: &mut Canvas<'_>, area: Rect, run: &Run, tree: &PlanTree, editing: bool) {
    let area = inset(area, 1);
    let area = Rect { width: area.width.saturating_sub(2), ..area };
    let mut scroll = run.scroll;
    if editing {
        // Nothing is marked while one types.
        scroll.selected = scroll.top_for(tree.lines().len(), area.height.into());
    }
    list::list(canvas, area, &scroll, tree.lines().len(), |canvas, row, at| {
        let Some(line) = tree.line(at) else { return };
        canvas.line(row.x, row.y, row.width, &pieces(tree, line, row.width));
    });
}

fn pieces(tree: &PlanTree, line: Line, width: u16) -> Vec<Piece> {
    let plan = &tree.plan;
    match line {
        Line::Scan(at) => {
            let text = plan.scans.get(at).map(|s| s.sentence()).unwrap_or_default();
            vec![piece(sign(tree, line), Role::Accent), piece(clean(&text), Role::Strong)]
        }
        Line::Condition(at) => {
            let text = plan.scans.get(at).and_then(|s| s.predicate.as_deref()).unwrap_or_default();
            vec![piece(format!("    {:<18}", "condition"), Role::Dim), piece(clean(text), Role::Plain)]
        }
        Line::Stage(at, stage) => {
            let stages = plan.scans.get(at).map(|s| s.stages()).unwrap_or_default();
            let Some((name, share, why)) = stages.into_iter().nth(stage) else { return Vec::new() };
            vec![
                piece(format!("    {name:<18}"), Role::Dim),
                piece(share, Role::Plain),
                piece(format!("   {why}"), Role::Dim),
            ]
        }
        Line::Steps => {
            let (Some(rows), Some(millis)) = (plan.rows, plan.millis) else {
                return vec![piece(
                    "  How it would run; F8 runs it and shows what each step took",
                    Role::Dim,
                )];
            };
            let text = format!("{:>12}  {:>9}  {:>6}", "rows", "time", "share");
            let whole = format!("   {} in {}", counted(rows, "row"), duration(millis));
            vec![piece(text, Role::Header), piece(whole, Role::Dim)]
        }
        Line::Step(at) => step(tree, line, at, width),
    }
}

fn sign(tree: &PlanTree, line: Line) -> &'static str {
    match tree.folded(line) {
        Some(true) => "▸ ",
        Some(false) => "▾ ",
        None => "  ",
    }
}

fn step(tree: &PlanTree, line: Line, at: usize, width: u16) -> Vec<Piece> {
    let Some(node) = tree.plan.nodes.get(at) else { return Vec::new() };
    let role = if node.slow { Role::Warn } else { Role::Plain };
    let mut out = Vec::new();
    if tree.plan.millis.is_some() {
        let rows = node.rows.map_or_else(String::new, count);
        let time = node.nanos.map_or_else(String::new, short_time);
        let share = node.nanos.map_or_else(String::new, |_| tree.share(node));
        out.push(piece(format!("{rows:>12}  {time:>9}  {share:>6}  "), role));
    }
    // Deep trees leave room for the names.
    let most = usize::from(width / 3);
    out.push(piece(" ".repeat((node.depth * 2).min(most)), Role::Plain));
    out.push(piece(sign(tree, line), Role::Accent));
    if node.slow {
        out.push(piece("◀ slow  ", Role::Warn));
    }
    out.push(piece(clean(&node.name), if node.slow { Role::Warn } else { Role::Strong }));
    if let Some(scan) = node.scan.and_then(|scan| tree.plan.scans.get(scan)) {
        let files = counted(scan.after_statistics.files, "file");
        out.push(piece(format!("  {} · {files}", clean(&scan.table)), Role::Accent));
    }
    if !node.detail.is_empty() {
        out.push(piece(format!("  {}", clean(&node.detail)), Role::Dim));
    }
    out
}
