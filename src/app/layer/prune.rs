//! A condition, and which files a query with it would read.

use std::sync::Arc;

use super::detail::DetailLayer;
use crate::app::ctx::Ctx;
use crate::app::input::Input;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;
use crate::model::prune::PruneReport;
use crate::model::units::bytes;

/// The prompt and its answer.
#[derive(Debug, Default)]
pub struct PruneLayer {
    pub input: Input,
    /// The condition is being typed; else one looks through the files.
    pub typing: bool,
    pub load: Load<Arc<PruneReport>>,
    pub scroll: Scroll,
}

impl PruneLayer {
    pub fn new() -> Self {
        PruneLayer { typing: true, ..PruneLayer::default() }
    }

    /// Works out the condition that was typed.
    pub fn ask(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        let predicate = self.input.text().trim().to_owned();
        if predicate.is_empty() {
            return;
        }
        self.load.value = None;
        self.scroll = Scroll::default();
        self.typing = false;
        self.load.start(Job::Prune { location: location.to_owned(), version, predicate }, ctx);
    }

    pub fn answer(&mut self, event: &JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.load.progress = Some(progress.clone()),
            JobEvent::Pruned(pruned) => self.load.done(pruned.clone()),
            JobEvent::Failed(fault) => {
                self.load.fail(fault.clone());
                // A wrong condition is mended where it stands.
                self.typing = true;
            }
            _ => {}
        }
    }

    pub fn awaits(&self, id: JobId) -> bool {
        self.load.awaits(id)
    }

    /// All that is known of the selected file.
    pub fn detail(&self) -> Option<DetailLayer> {
        let fate = self.load.value.as_ref()?.files.get(self.scroll.selected)?;
        let mut d = DetailLayer::new("What the condition does to a file");
        d.row("file", fate.path.clone());
        d.row("size", bytes(fate.bytes));
        d.row("fate", if fate.kept { "read" } else { "skipped" });
        d.row("because", fate.reason.clone());
        d.row("condition", self.input.text());
        Some(d)
    }

    /// Files that are listed.
    pub fn rows(&self) -> usize {
        self.load.value.as_ref().map_or(0, |p| p.files.len())
    }
}
