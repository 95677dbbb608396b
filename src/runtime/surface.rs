//! What the event loop draws on.

use std::io;

use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;

use crate::app::App;
use crate::app::msg::Keepsake;
use crate::model::{Fault, Outcome};
use crate::ui::{self, FrameInfo, Look};

use super::canvas::Canvas;
use super::clipboard::{self, Multiplexer};
use super::input::Keyboard;
use super::{editor, guard, notebook, suspend};

/// A terminal, as the event loop needs it; tests have one of their own. An I/O error means that
/// the terminal is gone.
pub trait Surface {
    /// Shows the state; writes nothing if that shows already.
    fn draw(&mut self, app: &App) -> io::Result<FrameInfo>;

    fn resize(&mut self, width: u16, height: u16);

    /// Puts text on the person's clipboard.
    fn copy(&mut self, text: &str) -> Outcome<()>;

    /// Keeps something for later sessions.
    fn keep(&mut self, what: &Keepsake);

    /// Switches clicks and wheel on and off.
    fn mouse(&mut self, capture: bool) -> io::Result<()>;

    /// Hands the terminal back and stops the process. Returns when it goes on, with the
    /// terminal's size then.
    fn suspend(&mut self) -> io::Result<(u16, u16)>;

    /// Gives the terminal to the person's own editor, with that text. Gives what came of it, and the
    /// terminal's size then.
    fn edit(&mut self, text: &str) -> io::Result<(Outcome<String>, (u16, u16))>;

    /// Takes the terminal again after a stop that was not announced; gives its size.
    fn retake(&mut self) -> io::Result<(u16, u16)>;
}

/// The process's own terminal, taken by a [`guard::Guard`].
#[derive(Debug)]
pub(super) struct Terminal {
    canvas: Canvas,
    look: Look,
    mouse: bool,
    through: Multiplexer,
    keyboard: Keyboard,
}

impl Terminal {
    pub fn new((width, height): (u16, u16), look: Look, keyboard: Keyboard) -> Self {
        let through = Multiplexer::detect(|name| std::env::var(name).ok());
        Terminal { canvas: Canvas::new(Size::new(width, height)), look, mouse: false, through, keyboard }
    }

    /// What the terminal's size is; 80×24 where it does not know.
    pub fn size() -> (u16, u16) {
        match crossterm::terminal::size() {
            Ok((width, height)) if width > 0 && height > 0 => (width, height),
            _ => (80, 24),
        }
    }
}

impl Surface for Terminal {
    fn draw(&mut self, app: &App) -> io::Result<FrameInfo> {
        let mut bytes = Vec::new();
        queue!(bytes, BeginSynchronizedUpdate)?;
        let begun = bytes.len();
        let look = self.look;
        let info = self.canvas.draw(&mut CrosstermBackend::new(&mut bytes), |area, buffer| {
            ui::render(app, look, area, buffer)
        })?;
        if bytes.len() > begun {
            queue!(bytes, EndSynchronizedUpdate)?;
            guard::write(&bytes)?;
        }
        Ok(info)
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.canvas.resize(Size::new(width, height));
    }

    fn copy(&mut self, text: &str) -> Outcome<()> {
        let bytes = clipboard::copy_sequence(text, self.through)?;
        guard::write(bytes.as_bytes())
            .map_err(|e| Fault::read("terminal", "Cannot write to the terminal").because(e))
    }

    fn keep(&mut self, what: &Keepsake) {
        if let Some(folder) = notebook::folder() {
            notebook::keep(&folder, what);
        }
    }

    fn mouse(&mut self, capture: bool) -> io::Result<()> {
        self.mouse = capture;
        guard::capture_mouse(capture)
    }

    fn suspend(&mut self) -> io::Result<(u16, u16)> {
        guard::give_back();
        let stopped = suspend::stop_group();
        let size = self.retake()?;
        stopped.map(|()| size)
    }

    fn edit(&mut self, text: &str) -> io::Result<(Outcome<String>, (u16, u16))> {
        // Else it would take the editor's keys away.
        self.keyboard.rest();
        guard::give_back();
        let edited = editor::edit(text, &editor::command(|name| std::env::var(name).ok()));
        Ok((edited, self.retake()?))
    }

    fn retake(&mut self) -> io::Result<(u16, u16)> {
        // Modes may have been changed behind our back, so they are all set anew.
        guard::give_back();
        guard::take()?;
        guard::capture_mouse(self.mouse)?;
        self.canvas.invalidate();
        Ok(Terminal::size())
    }
}
