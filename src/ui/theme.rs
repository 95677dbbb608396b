//! What colours mean. Nothing is said by colour alone: marks and words carry the meaning too.

use ratatui::style::{Color, Modifier, Style};

use super::Colours;

/// The part that a text plays on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// Headings and the figures that matter most.
    Strong,
    /// Labels, units, what is there if one looks for it.
    Dim,
    /// Keys, and what is being looked at.
    Accent,
    Ok,
    Warn,
    Critical,
    /// The selected row, cell or tab.
    Selection,
    /// Bars of figures that are as they should be, or that are not judged.
    Bar,
    /// Bars of figures that are not as they should be.
    BarOff,
    /// The place where figures should be.
    Band,
    /// Titles of columns.
    Header,
    /// A message across the screen that must not be overlooked.
    Banner,
    /// NULL, which is not the text "NULL".
    Null,
    /// Lines and frames.
    Line,
}

/// Styles of the roles for a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    colours: Colours,
}

impl Theme {
    pub fn new(colours: Colours) -> Self {
        Theme { colours }
    }

    pub fn style(self, role: Role) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match role {
            Role::Plain => Style::new(),
            Role::Strong => bold,
            Role::Dim | Role::Line => self.dim(),
            Role::Header => self.dim().add_modifier(Modifier::BOLD),
            Role::Null => self.dim().add_modifier(Modifier::ITALIC),
            Role::Accent => self.paint((0x3a, 0x9f, 0xcf), 38, Color::Cyan, bold),
            Role::Bar => self.paint((0x4f, 0x93, 0xc4), 67, Color::Blue, Style::new()),
            Role::Ok | Role::Band => self.paint((0x4c, 0xa8, 0x6a), 71, Color::Green, Style::new()),
            Role::Warn | Role::BarOff => self.paint((0xcc, 0x92, 0x2f), 172, Color::Yellow, Style::new()),
            Role::Critical => {
                self.paint((0xd9, 0x55, 0x50), 167, Color::Red, Style::new()).add_modifier(Modifier::BOLD)
            }
            Role::Selection => self.block((0xf2, 0xf5, 0xf9), (0x2b, 0x4f, 0x77), 255, 24),
            Role::Banner => {
                self.block((0x1d, 0x16, 0x05), (0xe0, 0xa9, 0x3b), 16, 178).add_modifier(Modifier::BOLD)
            }
        }
    }

    /// Tones in the middle of the scale, which read well on dark and on light backgrounds.
    fn paint(self, (r, g, b): (u8, u8, u8), index: u8, named: Color, without: Style) -> Style {
        match self.colours {
            Colours::True => Style::new().fg(Color::Rgb(r, g, b)),
            Colours::Indexed => Style::new().fg(Color::Indexed(index)),
            Colours::Sixteen => Style::new().fg(named),
            Colours::None => without,
        }
    }

    fn dim(self) -> Style {
        match self.colours {
            Colours::True => Style::new().fg(Color::Rgb(0x84, 0x8b, 0x98)),
            Colours::Indexed => Style::new().fg(Color::Indexed(245)),
            Colours::Sixteen => Style::new().fg(Color::DarkGray),
            Colours::None => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// Both colours are given, so that it reads well whatever the terminal's own are.
    fn block(self, fg: (u8, u8, u8), bg: (u8, u8, u8), fg_index: u8, bg_index: u8) -> Style {
        match self.colours {
            Colours::True => Style::new().fg(Color::Rgb(fg.0, fg.1, fg.2)).bg(Color::Rgb(bg.0, bg.1, bg.2)),
            Colours::Indexed => Style::new().fg(Color::Indexed(fg_index)).bg(Color::Indexed(bg_index)),
            // What was drawn dim or in a colour would be hard to read in reverse.
            Colours::Sixteen => {
                Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(Modifier::REVERSED)
            }
            Colours::None => Style::new().add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM),
        }
    }
}
