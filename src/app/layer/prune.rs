//! A condition, and which files a query with it would read.

use std::sync::Arc;

use crate::app::ctx::Ctx;
use crate::app::input::Input;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;

/// What a condition leaves to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruned {
    pub predicate: String,
    /// The funnel, from all files on.
    pub stages: Vec<Stage>,
    /// Those that are read first.
    pub files: Vec<Fate>,
}

/// What is left after a stage of the funnel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub name: &'static str,
    pub files: u64,
    pub bytes: u64,
}

/// What becomes of a file, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fate {
    pub path: String,
    pub bytes: u64,
    pub kept: bool,
    pub reason: String,
}

/// The prompt and its answer.
#[derive(Debug, Default)]
pub struct PruneLayer {
    pub input: Input,
    /// The condition is being typed; else one looks through the files.
    pub typing: bool,
    pub load: Load<Arc<Pruned>>,
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

    pub fn len(&self) -> usize {
        self.load.value.as_ref().map_or(0, |p| p.files.len())
    }
}
