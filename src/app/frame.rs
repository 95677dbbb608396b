//! What a frame reports back to the state: where things are, and how much of a list fits.
//!
//! Only the renderer knows the layout. It reports it as a message ([`super::Msg::Drawn`]), so that
//! update needs no second copy of it: page keys, scroll positions and mouse clicks use the last frame.

use super::command::Context;
use super::pane::Pane;

/// A frame's report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawn {
    /// What had the focus.
    pub context: Context,
    /// The window that was drawn of the list or text in focus.
    pub window: Window,
    /// Later ones lie above earlier ones.
    pub hits: Vec<(Area, Hit)>,
}

/// The visible part of a list or text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// The first visible row.
    pub top: usize,
    /// How many rows fit.
    pub page: usize,
    /// The first visible column of a grid, or the first visible character of a text.
    pub left: usize,
}

/// Screen cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Area {
    pub fn contains(self, column: u16, row: u16) -> bool {
        let inside = |at: u16, from: u16, len: u16| at >= from && at - from < len;
        inside(column, self.x, self.width) && inside(row, self.y, self.height)
    }
}

/// What a click does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    Pane(Pane),
    /// Selects this row of the list in focus; opens it if it was selected.
    Row(usize),
    /// Sorts by this column of the pane's list.
    SortBy(usize),
    /// Puts the focus into the SQL editor.
    Editor,
    /// Selects a cell of the result: row, column.
    Cell(usize, usize),
    /// Runs a command by its id.
    Command(&'static str),
    /// Swallows the click, so that nothing below a layer gets it.
    Nothing,
}

impl Drawn {
    /// The topmost thing at a cell.
    pub fn hit(&self, column: u16, row: u16) -> Option<Hit> {
        self.hits.iter().rev().find(|(area, _)| area.contains(column, row)).map(|(_, hit)| *hit)
    }
}
