//! What lies over a pane. The topmost layer gets the keys; `Esc` takes it away.

pub mod compare;
pub mod confirm;
pub mod detail;
pub mod export;
pub mod filter;
pub mod finding;
pub mod help;
pub mod histogram;
pub mod palette;
pub mod prune;
pub mod runs;
pub mod sheet;
pub mod tasks;

use super::command::Context;
use super::ctx::Ctx;
use super::frame::Window;
use super::scroll::Motion;

#[derive(Debug)]
pub enum Layer {
    Help(help::HelpLayer),
    Palette(palette::PaletteLayer),
    Detail(detail::DetailLayer),
    Filter(filter::FilterLayer),
    Finding(finding::FindingLayer),
    Sheet(Box<sheet::SheetLayer>),
    Confirm(confirm::ConfirmLayer),
    Tasks(tasks::TasksLayer),
    Histogram(Box<histogram::HistogramLayer>),
    Prune(Box<prune::PruneLayer>),
    Export(export::ExportLayer),
    Runs(runs::RunsLayer),
    Compare(Box<compare::CompareLayer>),
}

impl Layer {
    /// The commands that its own keys belong to.
    pub fn context(&self) -> Context {
        match self {
            Layer::Help(_) => Context::Help,
            Layer::Palette(_) => Context::Palette,
            Layer::Detail(_) => Context::Detail,
            Layer::Filter(_) => Context::Filter,
            Layer::Finding(_) => Context::Finding,
            Layer::Sheet(_) => Context::Sheet,
            Layer::Confirm(_) => Context::Confirm,
            Layer::Tasks(_) => Context::Tasks,
            Layer::Histogram(_) => Context::Histogram,
            Layer::Prune(layer) if layer.typing => Context::PrunePrompt,
            Layer::Prune(_) => Context::Prune,
            Layer::Export(_) => Context::Export,
            Layer::Runs(_) => Context::Runs,
            Layer::Compare(_) => Context::Compare,
        }
    }

    /// `tasks`: how many there are.
    pub fn go(&mut self, motion: Motion, tasks: usize) {
        match self {
            Layer::Help(help) => help.scroll.go(motion, usize::MAX),
            Layer::Detail(detail) => detail.scroll.go(motion, usize::MAX),
            Layer::Palette(palette) => palette.go(motion),
            Layer::Finding(finding) => finding.detail.scroll.go(motion, usize::MAX),
            Layer::Sheet(sheet) => {
                if let Some(sheet) = &mut sheet.load.value {
                    sheet.scroll.go(motion, sheet.rows.len());
                }
            }
            Layer::Tasks(layer) => layer.scroll.go(motion, tasks),
            Layer::Histogram(layer) => layer.scroll.go(motion, layer.bars().len()),
            Layer::Prune(layer) => {
                let len = layer.rows();
                layer.scroll.go(motion, len);
            }
            Layer::Compare(layer) => layer.scroll.go(motion, usize::MAX),
            // The runs are the console's, which moves in them.
            Layer::Runs(_) => {}
            Layer::Filter(_) | Layer::Confirm(_) | Layer::Export(_) => {}
        }
    }

    /// Ends what runs for it.
    pub fn close(&mut self, ctx: &mut Ctx) {
        match self {
            Layer::Sheet(sheet) => drop(sheet.load.stop(ctx)),
            Layer::Prune(layer) => drop(layer.load.stop(ctx)),
            Layer::Histogram(layer) => drop(layer.load.stop(ctx)),
            _ => {}
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
            Layer::Finding(finding) => {
                finding.detail.scroll.drawn(window);
                finding.detail.scroll.selected = window.top;
            }
            Layer::Palette(palette) => palette.scroll.drawn(window),
            Layer::Sheet(sheet) => sheet.load.value.iter_mut().for_each(|s| s.scroll.drawn(window)),
            Layer::Tasks(layer) => layer.scroll.drawn(window),
            Layer::Histogram(layer) => layer.scroll.drawn(window),
            Layer::Prune(layer) => layer.scroll.drawn(window),
            Layer::Runs(layer) => layer.scroll.drawn(window),
            Layer::Compare(layer) => {
                layer.scroll.drawn(window);
                layer.scroll.selected = window.top;
            }
            Layer::Filter(_) | Layer::Confirm(_) | Layer::Export(_) => {}
        }
    }
}
