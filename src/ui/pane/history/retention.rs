//! How far back one can go, what would change that, what it costs.

use ratatui::layout::Rect;

use super::page::{self, Line, fact, heading, pad, right};
use crate::app::table::TableView;
use crate::model::expiry::Versions;
use crate::model::keeping_words::{facts, ranges};
use crate::model::past::Past;
use crate::model::units;
use crate::ui::bar::bar;
use crate::ui::canvas::{Canvas, piece};
use crate::ui::notice;
use crate::ui::theme::Role;

pub fn retention(canvas: &mut Canvas<'_>, area: Rect, view: &TableView) {
    let looks = &view.history.looks;
    let area = page::inside(area);
    if page::waits(canvas, area, &looks.past, "walking through the log") {
        return;
    }
    let Some(past) = &looks.past.value else { return };
    let mut lines = lines(past, area.width);
    if looks.past.running() {
        lines.insert(
            0,
            notice::progress(looks.past.progress.as_ref(), "looking for the data files", area.width),
        );
    } else if let Some(fault) = &looks.past.fault {
        lines.insert(0, vec![piece(format!("▲ {fault}"), Role::Warn)]);
    }
    page::page(canvas, area, &looks.scroll, &lines, 0, |_, _, _| {});
}

fn lines(past: &Past, width: u16) -> Vec<Line> {
    let title = format!("What is kept of the versions up to v{}", past.version);
    let mut out: Vec<Line> = vec![vec![piece(title, Role::Strong)], Vec::new()];
    for f in facts(past) {
        let (text, role) =
            if f.warns { (format!("▲ {}", f.text), Role::Warn) } else { (f.text, Role::Plain) };
        out.extend(fact(f.label, &text, role, width));
    }
    for problem in past.keeping.retention.problems() {
        out.extend(fact("property", &format!("▲ {problem}"), Role::Warn, width));
    }
    out.extend(costs(past, width));
    out
}

/// The storage that each range of versions costs.
fn costs(past: &Past, width: u16) -> Vec<Line> {
    let costs = &past.keeping.costs;
    let most = costs.iter().map(|c| c.bytes).max().unwrap_or(0);
    if costs.iter().all(|c| c.files == 0) {
        return Vec::new();
    }
    let mut out: Vec<Line> = heading("What history costs, by the version that needs a file last").to_vec();
    out.push(vec![piece(
        format!(
            "{}{}{}{}",
            pad("versions", 20),
            right("files", 10),
            right("bytes", 12),
            right("freed up to here", 18)
        ),
        Role::Header,
    )]);
    let cells = usize::from(width).saturating_sub(63).min(40);
    for c in costs {
        let more = if c.files_without_size > 0 { "≥ " } else { "" };
        let role = if c.files == 0 { Role::Dim } else { Role::Plain };
        out.push(vec![
            piece(pad(&ranges(&[Versions { first: c.first, last: c.last }]), 20), Role::Dim),
            piece(right(&units::count(c.files), 10), role),
            piece(right(&format!("{more}{}", units::bytes(c.bytes)), 12), role),
            piece(right(&units::bytes(c.cumulative_bytes), 18), role),
            piece(format!("  {}", bar(c.bytes, most, cells)), Role::Bar),
        ]);
    }
    out
}
