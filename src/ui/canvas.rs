//! The one way to put text on the screen: cleaned, cut to its place, in a role.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::ascii;
use super::theme::{Role, Theme};
use crate::app::frame::{Area, Drawn, Hit};
use crate::model::fit;
use crate::model::text::clean;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub role: Role,
}

pub fn piece(text: impl Into<String>, role: Role) -> Piece {
    Piece { text: text.into(), role }
}

/// Columns that the pieces take one after the other.
pub fn pieces_width(pieces: &[Piece]) -> usize {
    pieces.iter().map(|p| fit::width(&clean(&p.text))).sum()
}

/// The buffer with a theme, and what the frame reports.
pub struct Canvas<'b> {
    pub buffer: &'b mut Buffer,
    pub theme: Theme,
    /// Only ASCII characters may be shown.
    pub ascii: bool,
    pub drawn: Drawn,
    pub cursor: Option<(u16, u16)>,
}

impl Canvas<'_> {
    /// Puts a text, cut with `…` if it is wider than `width`; gives the columns it took.
    pub fn put(&mut self, x: u16, y: u16, width: u16, text: &str, role: Role) -> u16 {
        let text = self.spelled(text, width);
        self.raw(x, y, width, &fit::fit(&text, width.into()), role)
    }

    /// As [`Self::put`], cut so that the file's name stays: for paths.
    pub fn put_path(&mut self, x: u16, y: u16, width: u16, text: &str, role: Role) -> u16 {
        let text = clean(text);
        self.raw(x, y, width, &fit::fit_path(&text, width.into()), role)
    }

    /// Aligned to the right.
    pub fn put_right(&mut self, x: u16, y: u16, width: u16, text: &str, role: Role) {
        let text = self.spelled(text, width);
        let text = fit::fit(&text, width.into());
        let used = (fit::width(&text) as u16).min(width);
        self.raw(x + (width - used), y, used, &text, role);
    }

    /// Cleaned, and in ASCII spelled out as far as there is room.
    fn spelled<'t>(&self, text: &'t str, width: u16) -> Cow<'t, str> {
        let text = clean(text);
        if !self.ascii || text.is_ascii() {
            return text;
        }
        let wide = ascii::spelled(&text, false);
        let fits = fit::width(&wide) <= usize::from(width);
        Cow::Owned(if fits { wide.into_owned() } else { ascii::spelled(&text, true).into_owned() })
    }

    fn raw(&mut self, x: u16, y: u16, width: u16, text: &str, role: Role) -> u16 {
        let area = self.buffer.area;
        if width == 0 || y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return 0;
        }
        let style = self.theme.style(role);
        let (end, _) = self.buffer.set_stringn(x, y, text, width.into(), style);
        end.saturating_sub(x)
    }

    /// Puts pieces one after the other; what does not fit is cut.
    pub fn line(&mut self, x: u16, y: u16, width: u16, pieces: &[Piece]) -> u16 {
        let mut used = 0;
        for piece in pieces {
            used += self.put(x + used, y, width.saturating_sub(used), &piece.text, piece.role);
        }
        used
    }

    /// The same character all along.
    pub fn rule(&mut self, x: u16, y: u16, width: u16, symbol: &str, role: Role) {
        self.raw(x, y, width, &symbol.repeat(width.into()), role);
    }

    /// Lays a role's style over what was drawn.
    pub fn restyle(&mut self, area: Rect, role: Role) {
        let style = self.theme.style(role);
        self.buffer.set_style(area.intersection(self.buffer.area), style);
    }

    /// Empties an area.
    pub fn blank(&mut self, area: Rect) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                self.buffer[(x, y)].reset();
            }
        }
    }

    /// Says what a click there does.
    pub fn hit(&mut self, area: Rect, hit: Hit) {
        let Rect { x, y, width, height } = area;
        self.drawn.hits.push((Area { x, y, width, height }, hit));
    }
}

/// The first row of an area and what is below it.
pub fn split_top(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let top = Rect { height: rows, ..area };
    (top, Rect { y: area.y + rows, height: area.height - rows, ..area })
}

/// What is above the last rows of an area, and these.
pub fn split_bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let (top, bottom) = split_top(area, area.height - rows);
    (top, bottom)
}

/// The area without a margin on the left and on the right.
pub fn inset(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width / 2);
    Rect { x: area.x + columns, width: area.width - 2 * columns, ..area }
}
