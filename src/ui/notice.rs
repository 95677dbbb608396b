//! What stands in the place of something that is not there: still loading, failed, or empty.

use ratatui::layout::Rect;

use super::canvas::{Canvas, Piece, inset, piece};
use super::theme::Role;
use super::words::{wrap, wrap_within};
use crate::app::load::Load;
use crate::model::progress::Progress;
use crate::model::text::clean_lines;
use crate::model::{Fault, FaultKind, units};

/// ```text
///   ✗ Cannot read the table
///     why   the newest commit is truncated
///     do    open an older version with --as-of
///     r     tries again
/// ```
pub fn fault(canvas: &mut Canvas<'_>, area: Rect, fault: &Fault, retry: &str) {
    fault_with(canvas, area, fault, &[(retry, "tries again")]);
}

/// With these keys and what they do.
pub fn fault_with(canvas: &mut Canvas<'_>, area: Rect, fault: &Fault, keys: &[(&str, &str)]) {
    let area = inset(area, 2);
    let (mark, role) = match fault.kind {
        FaultKind::Cancelled => ("•", Role::Strong),
        _ => ("✗", Role::Critical),
    };
    let blocks = [
        (mark, role, 2, fault.message.as_str(), Role::Strong),
        ("  why", Role::Dim, 8, fault.cause.as_str(), Role::Plain),
        ("  do", Role::Dim, 8, fault.hint.as_str(), Role::Plain),
    ];
    let mut keys = keys.to_vec();
    let first = area.y + u16::from(area.height > 8);
    let room = usize::from(area.bottom().saturating_sub(first)).saturating_sub(keys.len());
    let texts = blocks.map(|(_, _, indent, text, _)| (text, usize::from(area.width.saturating_sub(indent))));
    let (most, cut) = shares(texts, room);
    if cut {
        keys.push(("e", "shows all of the error"));
    }
    let keys: Vec<_> = keys.iter().map(|(key, does)| (format!("  {key}"), *does)).collect();
    let keys = keys.iter().map(|(key, does)| (key.as_str(), Role::Accent, 8, *does, Role::Plain));
    let mut y = first;
    for (n, (label, label_role, indent, text, text_role)) in blocks.into_iter().chain(keys).enumerate() {
        if text.is_empty() {
            continue;
        }
        if y < area.bottom() {
            canvas.put(area.x, y, indent.min(area.width), label, label_role);
        }
        let width = area.width.saturating_sub(indent);
        for line in wrap_within(&clean_lines(text), width.into(), most.get(n).copied().unwrap_or(2)) {
            if y < area.bottom() {
                canvas.put(area.x + indent.min(area.width), y, width, &line, text_role);
            }
            y += 1;
        }
    }
}

/// Lines that each of these texts gets in so many rows, by its width, and whether one is cut. What
/// failed and what to do give way last: a cause can quote anything.
fn shares(texts: [(&str, usize); 3], rows: usize) -> ([usize; 3], bool) {
    let needs = texts.map(|(text, width)| match text {
        "" => 0,
        _ => wrap(&clean_lines(text), width).len(),
    });
    let mut most = needs;
    // A row more is needed for the key that shows all.
    let rows = if needs.iter().sum::<usize>() > rows { rows.saturating_sub(1) } else { rows };
    for at in [1, 0, 2] {
        let over = most.iter().sum::<usize>().saturating_sub(rows);
        most[at] = most[at].saturating_sub(over).max(most[at].min(1));
    }
    (most, most != needs)
}

/// A sentence where a list would be.
pub fn sentence(canvas: &mut Canvas<'_>, area: Rect, text: &str, role: Role) {
    let area = inset(area, 2);
    let text = clean_lines(text);
    let first = area.y + u16::from(area.height > 4);
    for (y, line) in (first..area.bottom()).zip(wrap(&text, area.width.into())) {
        canvas.put(area.x, y, area.width, &line, role);
    }
}

/// What a load shows while it has nothing else: its error or its progress.
pub fn instead<T>(canvas: &mut Canvas<'_>, area: Rect, load: &Load<T>, waiting: &str, retry: &str) {
    if let Some(f) = &load.fault {
        return fault(canvas, area, f, retry);
    }
    let area = inset(area, 2);
    let y = area.y + u16::from(area.height > 4);
    if y < area.bottom() {
        canvas.line(area.x, y, area.width, &progress(load.progress.as_ref(), waiting, area.width));
    }
}

/// `reading checkpoint 120  ████░░░░  34 %  340 k of 1.00 M files`.
pub fn progress(progress: Option<&Progress>, waiting: &str, width: u16) -> Vec<Piece> {
    let Some(p) = progress else {
        return vec![piece(format!("{waiting} …"), Role::Accent)];
    };
    let mut out = vec![piece(format!("{} …", p.phase), Role::Accent)];
    if let Some(total) = p.total.filter(|t| *t > 0) {
        let done = p.done.min(total);
        if width >= 60 {
            let cells = 12 * done / total;
            let bar = |n: u64, s: &str| s.repeat(n as usize);
            out.push(piece(format!("  {}", bar(cells, "█")), Role::Bar));
            out.push(piece(bar(12 - cells, "░"), Role::Line));
        }
        out.push(piece(format!("  {}", units::percent(done, total)), Role::Strong));
    }
    if width >= 40 {
        out.push(piece(format!("  {}", amount(p)), Role::Dim));
    }
    out
}

fn amount(p: &Progress) -> String {
    let figure = |n| if p.unit == "bytes" { units::bytes(n) } else { units::short_count(n) };
    let unit = if p.unit == "bytes" { "" } else { p.unit };
    match p.total {
        Some(total) => format!("{} of {} {unit}", figure(p.done), figure(total)),
        None if p.done > 0 => format!("{} {unit} so far", figure(p.done)),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cause_leaves_room_for_what_to_do() {
        let long = "x".repeat(2000);
        let texts = [("what failed", 70), (long.as_str(), 64), ("do this", 64)];
        assert_eq!(shares(texts, 10), ([1, 7, 1], true));
        assert_eq!(shares([("a", 9), ("", 9), ("b", 9)], 2), ([1, 0, 1], false));
        assert_eq!(shares([(&long, 70), (&long, 64), (&long, 64)], 0), ([1, 1, 1], true));
    }
}
