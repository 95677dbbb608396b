//! What lies over a pane: a window in the middle, or a list from the top.

mod compare;
mod confirm;
mod detail;
mod export;
mod help;
mod histogram;
mod palette;
mod prune;
mod runs;
mod sheet;
pub(in crate::ui) mod tasks;

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset};
use super::theme::Role;
use crate::app::App;
use crate::app::frame::Hit;
use crate::app::layer::Layer;

/// `area`: everything but the footer, which shows the layer's keys.
pub fn layer(canvas: &mut Canvas<'_>, area: Rect, app: &App, layer: &Layer) {
    match layer {
        // It is typed in the footer's place.
        Layer::Filter(_) => {}
        Layer::Help(help) => help::help(canvas, area, app, help),
        Layer::Palette(palette) => palette::palette(canvas, area, app, palette),
        Layer::Detail(detail) => detail::detail(canvas, area, detail),
        Layer::Finding(finding) => detail::detail(canvas, area, &finding.detail),
        Layer::Sheet(sheet) => sheet::sheet(canvas, area, sheet),
        Layer::Confirm(confirm) => confirm::confirm(canvas, area, confirm),
        Layer::Export(layer) => export::export(canvas, area, layer),
        Layer::Runs(layer) => runs::runs(canvas, area, app, layer),
        Layer::Compare(layer) => compare::compare(canvas, area, layer),
        Layer::Prune(layer) => prune::prune(canvas, area, layer),
        Layer::Histogram(layer) => histogram::histogram(canvas, area, layer),
        Layer::Tasks(layer) => tasks::tasks(canvas, area, app, layer),
    }
}

/// Draws a frame for content of that size (as far as there is room) and gives its inside.
fn window(canvas: &mut Canvas<'_>, area: Rect, title: &str, width: u16, height: u16) -> Rect {
    canvas.hit(area, Hit::Nothing);
    let width = (width + 4).min(area.width);
    let height = (height + 2).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 3;
    let frame = Rect { x, y, width, height };
    canvas.blank(frame);
    if width < 2 || height < 2 {
        return frame;
    }
    canvas.rule(x, y, width, "─", Role::Line);
    canvas.rule(x, frame.bottom() - 1, width, "─", Role::Line);
    for y in frame.top()..frame.bottom() {
        canvas.put(x, y, 1, "│", Role::Line);
        canvas.put(frame.right() - 1, y, 1, "│", Role::Line);
    }
    let corners = [
        ("╭", x, y),
        ("╮", frame.right() - 1, y),
        ("╰", x, frame.bottom() - 1),
        ("╯", frame.right() - 1, frame.bottom() - 1),
    ];
    for (symbol, x, y) in corners {
        canvas.put(x, y, 1, symbol, Role::Line);
    }
    canvas.put(x + 2, y, width.saturating_sub(4), &format!(" {title} "), Role::Strong);
    let inner = Rect { x, y: y + 1, width, height: height - 2 };
    inset(inner, 2)
}
