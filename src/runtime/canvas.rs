//! Two buffers: what the terminal shows and what it shall show; only their difference is written.

use std::mem;

use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::ui::FrameInfo;

/// What ratatui's `Terminal` does, apart from two things: nothing at all is written when a frame
/// equals the one before (it would move and hide the cursor each time), and the size is told
/// rather than asked for at each frame.
#[derive(Debug, Default)]
pub struct Canvas {
    shown: Buffer,
    next: Buffer,
    /// Where the terminal's cursor stands; none while it is hidden.
    cursor: Option<(u16, u16)>,
    /// What the terminal shows is unknown.
    stale: bool,
}

impl Canvas {
    pub fn new(size: Size) -> Self {
        let mut canvas = Canvas::default();
        canvas.resize(size);
        canvas
    }

    pub fn resize(&mut self, size: Size) {
        let area = Rect::new(0, 0, size.width, size.height);
        self.shown = Buffer::empty(area);
        self.next = Buffer::empty(area);
        self.stale = true;
    }

    /// The next frame clears the terminal and writes every cell.
    pub fn invalidate(&mut self) {
        self.stale = true;
        self.cursor = None;
    }

    /// What the terminal shows now.
    pub fn shown(&self) -> &Buffer {
        &self.shown
    }

    /// Renders a frame and writes what differs. The terminal's cursor is taken to be hidden at
    /// first and after [`Canvas::invalidate`].
    pub fn draw<B: Backend>(
        &mut self,
        backend: &mut B,
        render: impl FnOnce(Rect, &mut Buffer) -> FrameInfo,
    ) -> Result<FrameInfo, B::Error> {
        self.next.reset();
        let area = self.next.area;
        let info = render(area, &mut self.next);
        if mem::take(&mut self.stale) {
            backend.clear()?;
            self.shown.reset();
        }
        let mut updates = self.shown.diff_iter(&self.next).peekable();
        let moved = updates.peek().is_some();
        if moved {
            backend.draw(updates)?;
        }
        let cursor = info.cursor.filter(|(x, y)| *x < area.width && *y < area.height);
        if let Some(at) = cursor
            && (moved || self.cursor != cursor)
        {
            backend.set_cursor_position(at)?;
        }
        match (self.cursor, cursor) {
            (None, Some(_)) => backend.show_cursor()?,
            (Some(_), None) => backend.hide_cursor()?,
            _ => {}
        }
        self.cursor = cursor;
        mem::swap(&mut self.shown, &mut self.next);
        backend.flush()?;
        Ok(info)
    }
}

#[cfg(test)]
mod tests {
    use ratatui::backend::CrosstermBackend;
    use ratatui::style::Style;

    use super::*;

    fn bytes_of(canvas: &mut Canvas, text: &str, cursor: Option<(u16, u16)>) -> String {
        let mut bytes = Vec::new();
        canvas
            .draw(&mut CrosstermBackend::new(&mut bytes), |_, buffer| {
                buffer.set_string(0, 0, text, Style::new());
                FrameInfo { cursor, ..FrameInfo::default() }
            })
            .unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_equal_frame_writes_nothing() {
        let mut canvas = Canvas::new(Size::new(10, 2));
        assert!(bytes_of(&mut canvas, "hello", None).contains("hello"));
        assert_eq!(bytes_of(&mut canvas, "hello", None), "");
        assert!(bytes_of(&mut canvas, "hellO", None).contains('O'));
        assert!(bytes_of(&mut canvas, "hellO", Some((2, 1))).contains("\x1b[?25h"));
        assert_eq!(bytes_of(&mut canvas, "hellO", Some((2, 1))), "");
        assert!(bytes_of(&mut canvas, "hellO", None).contains("\x1b[?25l"));
    }

    #[test]
    fn after_doubt_everything_is_written_again() {
        let mut canvas = Canvas::new(Size::new(10, 2));
        bytes_of(&mut canvas, "hello", Some((0, 0)));
        canvas.invalidate();
        let again = bytes_of(&mut canvas, "hello", Some((0, 0)));
        assert!(again.contains("\x1b[2J") && again.contains("hello") && again.contains("\x1b[?25h"));
        canvas.resize(Size::new(3, 1));
        assert!(bytes_of(&mut canvas, "hello", Some((5, 5))).contains("hel"));
    }
}
