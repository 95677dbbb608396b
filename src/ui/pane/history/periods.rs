//! The history by day (or hour, or week), and what can be asked of daily snapshots.

use ratatui::layout::Rect;

use super::page;
use crate::app::table::TableView;
use crate::model::calendar::{Span, Zone};
use crate::model::daily::{self, Period};
use crate::model::daily_sql::snapshot_column;
use crate::model::units;
use crate::ui::canvas::{Canvas, piece, split_top};
use crate::ui::columns::{Column, Slot, cell, count_in, header, place};
use crate::ui::list;
use crate::ui::theme::Role;

const COLUMNS: [Column; 10] = [
    Column::text("", 16, 0),
    Column::figure("commits", 7, 5),
    Column::figure("versions", 13, 1),
    Column::figure("+files", 7, 3),
    Column::figure("−files", 7, 6),
    Column::figure("+bytes", 9, 1),
    Column::figure("+rows", 11, 1),
    Column::figure("files", 9, 7),
    Column::figure("bytes", 9, 8),
    Column::figure("rows", 13, 2),
];

pub fn periods(canvas: &mut Canvas<'_>, area: Rect, view: &TableView, zone: Zone) {
    let looks = &view.history.looks;
    let area = page::inside(area);
    if page::waits(canvas, area, &looks.past, "walking through the log") {
        return;
    }
    let Some(past) = &looks.past.value else { return };
    let span = looks.span();
    let all = daily::periods(&past.trends, span, zone, usize::MAX);
    let (top, rest) = split_top(area, 2);
    let (titles, rows) = split_top(rest, 1);
    if top.height > 0 {
        let what = match span {
            Span::Hour => "hour",
            Span::Day => "day",
            Span::Week => "week",
        };
        let line = [
            piece(format!("By {what}"), Role::Strong),
            piece(
                format!("   times in {}; +rows include rows that were only copied", zone.name()),
                Role::Dim,
            ),
        ];
        canvas.line(top.x, top.y, top.width, &line);
    }
    if top.height > 1 {
        let column = view.table.value.as_ref().and_then(|t| snapshot_column(&t.metadata));
        let text = match column {
            Some(field) => {
                format!("Snapshot date: {}   s, u, p put queries on it into the SQL console", field.name)
            }
            None => {
                "No partition column holds a snapshot date, so there are no queries on daily snapshots".into()
            }
        };
        canvas.put(top.x, top.y + 1, top.width, &text, Role::Dim);
    }
    let mut columns = COLUMNS;
    (columns[0].title, columns[0].width) = match span {
        Span::Hour => ("hour", 16),
        Span::Day => ("day", 10),
        Span::Week => ("week from", 10),
    };
    columns[0].most = columns[0].width;
    let slots = place(&columns, rows.x, rows.width, |_| true);
    if titles.height > 0 {
        header(canvas, titles.y, &columns, &slots, None, false);
    }
    list::text(canvas, rows, &looks.scroll, all.len(), |canvas, row, at| {
        for (at, text) in texts(&all[at], &slots).iter().enumerate() {
            let role = if text == "?" || text == "–" { Role::Dim } else { Role::Plain };
            cell(canvas, row.y, &columns[at], slots[at], text, role);
        }
    });
}

fn texts(p: &Period, slots: &[Slot]) -> [String; 10] {
    let count = |at: usize, n: Option<u64>| n.map_or_else(|| "?".into(), |n| count_in(slots[at], n));
    let some = |text: String, n: u64| if n == 0 { "–".into() } else { text };
    let size = |n: Option<u64>| n.map_or_else(|| "?".into(), units::bytes);
    let versions = match p.first_version == p.last_version {
        true => format!("v{}", p.last_version),
        false => format!("v{}–v{}", p.first_version, p.last_version),
    };
    [
        p.period.clone(),
        count(1, Some(p.num_commits)),
        versions,
        some(count(3, Some(p.num_added_files)), p.num_added_files),
        some(count(4, Some(p.num_removed_files)), p.num_removed_files),
        some(units::bytes(p.added_bytes), p.added_bytes),
        count(6, p.added_records),
        count(7, p.num_files),
        size(p.size_in_bytes),
        count(9, p.num_records),
    ]
}
