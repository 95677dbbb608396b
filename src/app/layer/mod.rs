//! What lies over a pane. The topmost layer gets the keys; `Esc` takes it away.

pub mod detail;
pub mod filter;
pub mod help;
pub mod palette;

use super::command::Context;
use super::frame::Window;
use super::scroll::Motion;

#[derive(Debug)]
pub enum Layer {
    Help(help::HelpLayer),
    Palette(palette::PaletteLayer),
    Detail(detail::DetailLayer),
    Filter(filter::FilterLayer),
}

impl Layer {
    /// The commands that its own keys belong to.
    pub fn context(&self) -> Context {
        match self {
            Layer::Help(_) => Context::Help,
            Layer::Palette(_) => Context::Palette,
            Layer::Detail(_) => Context::Detail,
            Layer::Filter(_) => Context::Filter,
        }
    }

    pub fn go(&mut self, motion: Motion) {
        match self {
            Layer::Help(help) => help.scroll.go(motion, usize::MAX),
            Layer::Detail(detail) => detail.scroll.go(motion, usize::MAX),
            Layer::Palette(palette) => palette.go(motion),
            Layer::Filter(_) => {}
        }
    }

    /// Takes over what the frame made of the scroll position. A text has no selected row: its
    /// first visible row stands for it.
    pub fn drawn(&mut self, window: Window) {
        match self {
            Layer::Help(help::HelpLayer { scroll, .. }) => {
                scroll.drawn(window);
                scroll.selected = window.top;
            }
            Layer::Detail(detail) => {
                detail.scroll.drawn(window);
                detail.scroll.selected = window.top;
            }
            Layer::Palette(palette) => palette.scroll.drawn(window),
            Layer::Filter(_) => {}
        }
    }
}
