//! The files of a partition, or those that a filter shows, by size or by rows.

use std::sync::Arc;

use crate::app::ctx::Ctx;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent};
use crate::app::pane::files::arrange::Band;
use crate::app::scroll::Scroll;
use crate::app::work::{Spread, Work};
use crate::model::histogram::{Bucket, By, Histogram};
use crate::model::partition::PartitionValues;

/// A bar can be selected; its files are then listed.
#[derive(Debug, Clone)]
pub struct HistogramLayer {
    /// Which files these are.
    pub title: String,
    /// The partition that they are of.
    pub scope: Option<PartitionValues>,
    pub by: By,
    pub scroll: Scroll,
    pub load: Load<Arc<Spread>>,
}

impl HistogramLayer {
    /// `work`: what counts the files. Of few files that is done here; of many a job does it.
    pub fn new(title: String, scope: Option<PartitionValues>, work: Work, ctx: &mut Ctx) -> Self {
        let mut layer =
            HistogramLayer { title, scope, by: By::Size, scroll: Scroll::default(), load: Load::default() };
        if work.is_small() {
            layer.answer(&work.run(&|| false));
        } else {
            layer.load.start(Job::Compute(work), ctx);
        }
        layer
    }

    pub fn answer(&mut self, event: &JobEvent) {
        match event {
            JobEvent::Spread(spread) => self.load.done(spread.clone()),
            JobEvent::Failed(fault) => self.load.fail(fault.clone()),
            _ => {}
        }
    }

    /// None while the files are still being counted.
    pub fn shown(&self) -> Option<&Histogram> {
        let spread = self.load.value.as_ref()?;
        Some(match self.by {
            By::Size => &spread.by_size,
            By::Rows => &spread.by_rows,
        })
    }

    pub fn bars(&self) -> Vec<Bucket> {
        self.shown().map(Histogram::bars).unwrap_or_default()
    }

    pub fn switch(&mut self) {
        self.by = match self.by {
            By::Size => By::Rows,
            By::Rows => By::Size,
        };
        self.scroll.clamp(self.bars().len());
    }

    /// What the selected bar counts.
    pub fn band(&self) -> Option<Band> {
        let bar = self.bars().into_iter().nth(self.scroll.selected)?;
        Some(Band { by: self.by, from: bar.from, to: bar.to })
    }
}
