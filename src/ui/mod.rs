//! State to screen: a pure function of [`crate::app::App`].
//!
//! ```text
//! theme.rs  roles and styles      canvas.rs   the one way to put text      columns.rs, list.rs   lists
//! chrome.rs, footer.rs  around a pane    pane/, home.rs, place.rs  in it    layer/  over it
//! ```

pub mod ascii;
mod bar;
mod canvas;
pub mod chart;
mod chrome;
mod columns;
mod footer;
mod home;
mod input;
mod layer;
mod list;
mod live;
mod notice;
mod pane;
mod place;
mod theme;
mod words;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::frame::Drawn;
use crate::app::{App, Scene};
use canvas::{Canvas, split_bottom, split_top};
use theme::{Role, Theme};

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
    /// To be handed to [`crate::app::update`] as [`crate::app::Msg::Drawn`] after each frame.
    pub drawn: Drawn,
}

/// The least size that anything useful fits in.
const LEAST: (u16, u16) = (30, 8);

/// Draws the whole screen. Never panics, from 0×0 up.
pub fn render(app: &App, look: Look, area: Rect, buffer: &mut Buffer) -> FrameInfo {
    let area = area.intersection(buffer.area);
    let drawn = Drawn { context: app.context(), ..Drawn::default() };
    let mut canvas =
        Canvas { buffer, theme: Theme::new(look.colours), ascii: look.ascii, drawn, cursor: None };
    canvas.blank(area);
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let (width, height) = LEAST;
        let text = format!("terminal too small ({width}×{height} needed)");
        notice::sentence(&mut canvas, Rect { height: area.height.min(3), ..area }, &text, Role::Plain);
    } else {
        whole(&mut canvas, area, app);
    }
    let info = FrameInfo { cursor: canvas.cursor, drawn: canvas.drawn };
    if look.ascii {
        ascii::to_ascii(buffer);
    }
    info
}

/// Chrome, what fills the screen, layers.
fn whole(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    let (rest, footer) = split_bottom(area, 1);
    let mut body = rest;
    if !app.zoom {
        let (title, below) = split_top(rest, 1);
        chrome::title(canvas, title, app);
        body = below;
    }
    match &app.scene {
        Scene::Place(load) => place::place(canvas, body, app, load),
        Scene::Home(load) => home::home(canvas, body, app, load),
        Scene::Table(view) => {
            if !app.zoom {
                // The rule below the tabs is given up first where rows are few.
                let (tabs, below) = split_top(body, if area.height >= 14 { 2 } else { 1 });
                chrome::tabs(canvas, tabs, view);
                body = below;
            }
            if let Some(text) = chrome::banner_text(view, area.width, app.context().takes_text()) {
                let (banner, below) = split_top(body, 1);
                chrome::banner(canvas, banner, view, &text);
                body = below;
            }
            pane::pane(canvas, body, app, view);
        }
    }
    footer::footer(canvas, footer, app);
    if let Some(layer) = app.layers.last() {
        layer::layer(canvas, rest, app, layer);
    }
    footer::long_note(canvas, area, app);
}
