//! State to screen: a pure function of [`crate::app::App`].

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::App;

/// How many colours and which characters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub colours: Colours,
    /// Only ASCII characters for bars, borders and marks.
    pub ascii: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    True,
    Indexed,
    Sixteen,
    None,
}

/// What a frame tells the runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameInfo {
    /// Where the terminal's cursor stands, if an input is focused.
    pub cursor: Option<(u16, u16)>,
}

/// Draws the whole screen. Never panics, from 0×0 up.
pub fn render(_app: &App, _look: Look, _area: Rect, _buffer: &mut Buffer) -> FrameInfo {
    todo!()
}
