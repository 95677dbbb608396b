//! How the table grew, and how it is written: charts that read well at 80 columns.

use ratatui::layout::Rect;

use super::page::{self, Line, pad, right};
use crate::app::table::TableView;
use crate::model::calendar::{Span, Zone};
use crate::model::past::Past;
use crate::model::trend_samples::Axis;
use crate::model::units;
use crate::ui::canvas::{Canvas, piece};
use crate::ui::chart::{self, Chart};
use crate::ui::theme::Role;
use crate::ui::words::wrap;

/// Columns left of the charts: title or value, highest value.
const TITLE: usize = 15;
const HIGHEST: usize = 9;
const CHARTS: usize = 6;

pub fn trends(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, zone: Zone) {
    let looks = &view.history.looks;
    let area = page::inside(area);
    if page::waits(canvas, area, &looks.past, "walking through the log") {
        return;
    }
    let Some(past) = &looks.past.value else { return };
    let lines = lines(past, looks.axis, zone, area);
    page::page(canvas, area, &looks.scroll, &lines, 0, |_, _, _| {});
}

fn lines(past: &Past, axis: Axis, zone: Zone, area: Rect) -> Vec<Line> {
    let wide = usize::from(area.width);
    let mut out: Vec<Line> = Vec::new();
    for sentence in past.patterns.sentences() {
        for (n, part) in wrap(&sentence, wide.saturating_sub(2)).into_iter().enumerate() {
            let mark = if n == 0 { "• " } else { "  " };
            out.push(vec![piece(mark, Role::Accent), piece(part, Role::Plain)]);
        }
    }
    let notes = past.trends.notes();
    let below = 2 + notes.len();
    // What is left of the page is shared by the charts; more than four rows say no more.
    let room = usize::from(area.height).saturating_sub(out.len() + below);
    let height = (room / CHARTS).clamp(2, 4);
    let width = wide.saturating_sub(TITLE + HIGHEST + 3).max(8);
    let charts = chart::charts(&past.trends, axis, zone, width, height);
    out.extend(charts.list.iter().flat_map(draw));
    let along = match axis {
        Axis::Version => "by version",
        Axis::Time(Span::Hour) => "by hour",
        Axis::Time(Span::Day) => "by day",
        Axis::Time(Span::Week) => "by week",
    };
    out.push(vec![piece(pad(along, TITLE + HIGHEST + 2), Role::Accent), piece(charts.axis, Role::Dim)]);
    out.push(mix(past));
    out.extend(notes.into_iter().map(|note| vec![piece(format!("▲ {note}"), Role::Warn)]));
    out
}

fn draw(chart: &Chart) -> Vec<Line> {
    let line = |(at, row): (usize, &String)| {
        let (title, role) = match at {
            0 => (chart.title.to_owned(), Role::Strong),
            1 => (format!("  now {}", chart.now), Role::Plain),
            _ => (String::new(), Role::Plain),
        };
        let (highest, axis) = if at == 0 { (chart.highest.as_str(), "┤") } else { ("", "│") };
        vec![
            piece(pad(&title, TITLE), role),
            piece(right(highest, HIGHEST), Role::Dim),
            piece(format!(" {axis}"), Role::Line),
            piece(row.clone(), Role::Bar),
        ]
    };
    chart.rows.iter().enumerate().map(line).collect()
}

/// How often each kind of operation was committed, the most frequent first.
fn mix(past: &Past) -> Line {
    let mut all: Vec<_> = past.mix.iter().collect();
    all.sort_by_key(|(kind, share)| (std::cmp::Reverse(share.commits), **kind));
    let words: Vec<String> =
        all.iter().map(|(kind, share)| format!("{} {}", kind.name(), units::count(share.commits))).collect();
    vec![piece(pad("commits", TITLE), Role::Strong), piece(words.join(" · "), Role::Plain)]
}
