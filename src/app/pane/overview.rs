//! The table at a glance.

use crate::app::scroll::Scroll;
use crate::model::histogram::By;

/// Its figures come from the table and the file list; its own state is how one looks at them.
#[derive(Debug, Default)]
pub struct OverviewPane {
    pub scroll: Scroll,
    /// What the histogram counts by.
    pub by: By,
}

impl OverviewPane {
    pub fn switch_histogram(&mut self) {
        self.by = match self.by {
            By::Size => By::Rows,
            By::Rows => By::Size,
        };
    }
}
