//! Keys and mouse as the state machine knows them; the runtime translates the terminal's events.

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
