//! Keys and mouse as the state machine knows them; the runtime translates the terminal's events.

use std::fmt;

/// A key with its modifiers. `shift` is set for named keys only: a shifted letter is its capital.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCode {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Home,
    End,
    PageUp,
    PageDown,
    Up,
    Down,
    Left,
    Right,
    F(u8),
}

impl Key {
    pub const fn new(code: KeyCode) -> Self {
        Key { code, ctrl: false, alt: false, shift: false }
    }

    pub const fn char(c: char) -> Self {
        Key::new(KeyCode::Char(c))
    }

    pub const fn ctrl(c: char) -> Self {
        Key { ctrl: true, ..Key::char(c) }
    }

    pub const fn alt(c: char) -> Self {
        Key { alt: true, ..Key::char(c) }
    }
}

impl Key {
    /// Ctrl, for named keys.
    pub const fn with_ctrl(self) -> Self {
        Key { ctrl: true, ..self }
    }

    /// Alt, for named keys.
    pub const fn with_alt(self) -> Self {
        Key { alt: true, ..self }
    }

    /// Whether a text input takes the key for itself: everything without Ctrl and Alt but the
    /// function keys.
    pub fn is_for_input(self) -> bool {
        !self.ctrl && !self.alt && !matches!(self.code, KeyCode::F(_))
    }
}

/// As keys are named on the screen: `Ctrl-c`, `Alt-Enter`, `F5`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")] {
            if on {
                f.write_str(name)?;
            }
        }
        let name = match self.code {
            KeyCode::Char(' ') => "Space",
            KeyCode::Char(c) => return write!(f, "{c}"),
            KeyCode::F(n) => return write!(f, "F{n}"),
            KeyCode::Enter => "Enter",
            KeyCode::Esc => "Esc",
            KeyCode::Tab => "Tab",
            KeyCode::BackTab => "Shift-Tab",
            KeyCode::Backspace => "Backspace",
            KeyCode::Delete => "Del",
            KeyCode::Insert => "Ins",
            KeyCode::Home => "Home",
            KeyCode::End => "End",
            KeyCode::PageUp => "PgUp",
            KeyCode::PageDown => "PgDn",
            KeyCode::Up => "↑",
            KeyCode::Down => "↓",
            KeyCode::Left => "←",
            KeyCode::Right => "→",
        };
        f.write_str(name)
    }
}

/// A mouse event at a screen cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub kind: MouseKind,
    pub column: u16,
    pub row: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    Click,
    WheelUp,
    WheelDown,
}
