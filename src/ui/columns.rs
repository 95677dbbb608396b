//! Columns of a list: how wide each is, and which are left out where there is no room.

use super::canvas::Canvas;
use super::theme::Role;
use crate::app::frame::Hit;
use crate::model::units;
use ratatui::layout::Rect;

/// A column's wish.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub title: &'static str,
    /// Columns that it needs.
    pub width: u16,
    /// It takes what is left, up to this many columns.
    pub most: u16,
    pub right: bool,
    /// Columns with a higher rank are left out first; 0 never is.
    pub rank: u8,
}

impl Column {
    pub const fn text(title: &'static str, width: u16, rank: u8) -> Self {
        Column { title, width, most: width, right: false, rank }
    }

    pub const fn figure(title: &'static str, width: u16, rank: u8) -> Self {
        Column { title, width, most: width, right: true, rank }
    }

    pub const fn growing(title: &'static str, width: u16, most: u16, rank: u8) -> Self {
        Column { title, width, most, right: false, rank }
    }
}

/// Blank columns between two columns.
const GAP: u16 = 2;

/// A column's place on a row: x and width; width 0 if it is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slot {
    pub x: u16,
    pub width: u16,
}

/// Places the columns that are `wanted` (by index) on a row that starts at `x`.
pub fn place(columns: &[Column], x: u16, width: u16, wanted: impl Fn(usize) -> bool) -> Vec<Slot> {
    let mut kept: Vec<bool> = (0..columns.len()).map(wanted).collect();
    let needed = |kept: &[bool]| {
        let widths = columns.iter().zip(kept).filter(|(_, k)| **k).map(|(c, _)| c.width + GAP);
        widths.sum::<u16>().saturating_sub(GAP)
    };
    while needed(&kept) > width {
        let droppable = columns.iter().enumerate().filter(|(i, c)| kept[*i] && c.rank > 0);
        match droppable.max_by_key(|(_, c)| c.rank) {
            Some((at, _)) => kept[at] = false,
            None => break,
        }
    }
    let widths = grown(columns, &kept, width.saturating_sub(needed(&kept)));
    let mut at = x;
    let end = x.saturating_add(width);
    let mut out = Vec::with_capacity(columns.len());
    for (wish, kept) in widths.into_iter().zip(kept) {
        if !kept {
            out.push(Slot::default());
            continue;
        }
        out.push(Slot { x: at, width: wish.min(end.saturating_sub(at)) });
        at = at.saturating_add(wish + GAP).min(end);
    }
    out
}

/// As [`place`], where one column has all the room that it can use before any other grows.
pub fn place_first(
    columns: &mut [Column],
    first: usize,
    x: u16,
    width: u16,
    wanted: impl Fn(usize) -> bool,
) -> Vec<Slot> {
    let alone: Vec<Column> = columns
        .iter()
        .enumerate()
        .map(|(at, c)| Column { most: if at == first { c.most } else { c.width }, ..*c })
        .collect();
    let slots = place(&alone, x, width, &wanted);
    if let (Some(column), Some(slot)) = (columns.get_mut(first), slots.get(first)) {
        column.width = column.width.max(slot.width);
    }
    place(columns, x, width, wanted)
}

/// The columns' widths, with the spare room shared out among those that can use it.
fn grown(columns: &[Column], kept: &[bool], mut spare: u16) -> Vec<u16> {
    let mut widths: Vec<u16> = columns.iter().map(|c| c.width).collect();
    loop {
        let growing = |at: &usize| kept[*at] && columns[*at].most > widths[*at];
        let hungry: Vec<usize> = (0..columns.len()).filter(growing).collect();
        if hungry.is_empty() || spare == 0 {
            return widths;
        }
        let share = (spare / hungry.len() as u16).max(1);
        for at in hungry {
            let more = share.min(columns[at].most - widths[at]).min(spare);
            widths[at] += more;
            spare -= more;
        }
    }
}

/// The titles; `sorted` is the column that the list is sorted by and whether downwards. With
/// `clicks`, a click on a title sorts by it.
pub fn header(
    canvas: &mut Canvas<'_>,
    y: u16,
    columns: &[Column],
    slots: &[Slot],
    sorted: Option<(usize, bool)>,
    clicks: bool,
) {
    for (at, (column, slot)) in columns.iter().zip(slots).enumerate() {
        if slot.width == 0 {
            continue;
        }
        let (title, role) = match sorted {
            Some((by, descending)) if by == at => {
                (format!("{} {}", column.title, if descending { "↓" } else { "↑" }), Role::Accent)
            }
            _ => (column.title.to_owned(), Role::Header),
        };
        if column.right {
            canvas.put_right(slot.x, y, slot.width, &title, role);
        } else {
            canvas.put(slot.x, y, slot.width, &title, role);
        }
        if clicks {
            canvas.hit(Rect { x: slot.x, y, width: slot.width, height: 1 }, Hit::SortBy(at));
        }
    }
}

/// A count for a slot: short where the whole number has no room, so that no digit is ever cut off.
pub fn count_in(slot: Slot, n: u64) -> String {
    let whole = units::count(n);
    if whole.len() <= usize::from(slot.width) { whole } else { units::short_count(n).replace(' ', "") }
}

/// A cell, aligned as its column is.
pub fn cell(canvas: &mut Canvas<'_>, y: u16, column: &Column, slot: Slot, text: &str, role: Role) {
    if column.right {
        canvas.put_right(slot.x, y, slot.width, text, role);
    } else {
        canvas.put(slot.x, y, slot.width, text, role);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] =
        &[Column::growing("path", 10, 35, 0), Column::figure("size", 8, 1), Column::text("time", 19, 2)];

    #[test]
    fn columns_are_left_out_by_rank() {
        let widths = |w| place(COLUMNS, 0, w, |_| true).iter().map(|s| s.width).collect::<Vec<_>>();
        assert_eq!(widths(100), [35, 8, 19]);
        assert_eq!(widths(50), [19, 8, 19]);
        assert_eq!(widths(41), [10, 8, 19]);
        assert_eq!(widths(40), [30, 8, 0]);
        assert_eq!(widths(12), [12, 0, 0]);
        assert_eq!(widths(3), [3, 0, 0]);
        assert_eq!(widths(0), [0, 0, 0]);
    }

    /// What one column does not need, the others get, also those before it.
    #[test]
    fn spare_room_goes_where_it_is_used() {
        let columns = [Column::growing("a", 10, 60, 0), Column::growing("b", 10, 12, 0)];
        let widths: Vec<u16> = place(&columns, 0, 62, |_| true).iter().map(|s| s.width).collect();
        assert_eq!(widths, [48, 12]);
        let mut columns = [Column::growing("a", 10, 60, 0), Column::growing("b", 10, 30, 0)];
        let widths = |slots: Vec<Slot>| slots.iter().map(|s| s.width).collect::<Vec<_>>();
        assert_eq!(widths(place_first(&mut columns, 1, 0, 42, |_| true)), [10, 30]);
        assert_eq!(widths(place_first(&mut columns, 1, 0, 52, |_| true)), [20, 30]);
    }
}
