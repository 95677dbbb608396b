//! The files of a partition, or those that a filter shows, by size or by rows.

use crate::app::pane::files::arrange::Band;
use crate::app::scroll::Scroll;
use crate::model::files::FileRef;
use crate::model::histogram::{By, Histogram};
use crate::model::partition::PartitionValues;
use crate::model::target::SizeTarget;

/// A bar can be selected; its files are then listed.
#[derive(Debug, Clone)]
pub struct HistogramLayer {
    /// Which files these are.
    pub title: String,
    /// The partition that they are of.
    pub scope: Option<PartitionValues>,
    pub by: By,
    pub scroll: Scroll,
    by_size: Histogram,
    by_rows: Histogram,
}

impl HistogramLayer {
    /// `target`: where the sizes of this table's files should be.
    pub fn new<'a>(
        title: String,
        scope: Option<PartitionValues>,
        files: impl Iterator<Item = FileRef<'a>> + Clone,
        target: SizeTarget,
    ) -> Self {
        let by_size = Histogram::of_sizes(files.clone(), target);
        let by_rows = Histogram::of_rows(files);
        HistogramLayer { title, scope, by: By::Size, scroll: Scroll::default(), by_size, by_rows }
    }

    pub fn shown(&self) -> &Histogram {
        match self.by {
            By::Size => &self.by_size,
            By::Rows => &self.by_rows,
        }
    }

    pub fn switch(&mut self) {
        self.by = match self.by {
            By::Size => By::Rows,
            By::Rows => By::Size,
        };
        self.scroll.clamp(self.shown().bars().len());
    }

    /// What the selected bar counts.
    pub fn band(&self) -> Option<Band> {
        let bar = self.shown().bars().into_iter().nth(self.scroll.selected)?;
        Some(Band { by: self.by, from: bar.from, to: bar.to })
    }
}
