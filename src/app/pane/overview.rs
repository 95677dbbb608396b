//! The table at a glance.

use crate::app::scroll::Motion;
use crate::model::histogram::By;

/// What can be selected: the findings, then the histogram's bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    Finding(usize),
    Bar(usize),
}

/// Its figures come from the table and the file list; its own state is how one looks at them.
#[derive(Debug, Default)]
pub struct OverviewPane {
    /// The selected item, counted over findings and bars.
    pub cursor: usize,
    /// Rows that the text is scrolled beyond what the selected item needs to be visible.
    pub past: usize,
    /// Rows that the last frame had room for.
    pub page: usize,
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

    /// The selected item, if there are so many findings and bars.
    pub fn item(&self, findings: usize, bars: usize) -> Option<Item> {
        match self.cursor {
            at if at < findings => Some(Item::Finding(at)),
            at if at < findings + bars => Some(Item::Bar(at - findings)),
            _ => None,
        }
    }

    /// From item to item; beyond the last one the text scrolls on.
    pub fn go(&mut self, motion: Motion, items: usize) {
        let last = items.saturating_sub(1);
        self.cursor = self.cursor.min(last);
        let half = self.page.max(2) / 2;
        match motion {
            Motion::By(n) if n >= 0 => {
                let to = self.cursor.saturating_add(n.unsigned_abs());
                self.past = self.past.saturating_add(to.saturating_sub(last));
                self.cursor = to.min(last);
            }
            Motion::By(n) => {
                let (by, back) = (n.unsigned_abs(), self.past);
                self.past = back.saturating_sub(by);
                self.cursor = self.cursor.saturating_sub(by.saturating_sub(back));
            }
            Motion::HalfPages(n) => self.scroll(n, half),
            Motion::Pages(n) => self.scroll(n, self.page.saturating_sub(1).max(1)),
            Motion::First => (self.cursor, self.past) = (0, 0),
            Motion::Last => (self.cursor, self.past) = (last, usize::MAX),
        }
    }

    fn scroll(&mut self, pages: isize, rows: usize) {
        let by = pages.unsigned_abs().saturating_mul(rows);
        if pages >= 0 {
            self.past = self.past.saturating_add(by);
        } else if self.past == 0 {
            self.cursor = 0;
        } else {
            self.past = self.past.saturating_sub(by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_first_then_the_text() {
        let mut o = OverviewPane { page: 10, ..OverviewPane::default() };
        o.go(Motion::By(1), 3);
        assert_eq!((o.cursor, o.past, o.item(1, 2)), (1, 0, Some(Item::Bar(0))));
        o.go(Motion::By(4), 3);
        assert_eq!((o.cursor, o.past), (2, 3));
        o.go(Motion::By(-4), 3);
        assert_eq!((o.cursor, o.past), (1, 0));
        o.go(Motion::Pages(1), 3);
        assert_eq!((o.cursor, o.past), (1, 9));
        o.go(Motion::HalfPages(-2), 3);
        o.go(Motion::Pages(-1), 3);
        assert_eq!((o.cursor, o.past), (0, 0));
        o.go(Motion::By(2), 0);
        assert_eq!((o.cursor, o.item(0, 0)), (0, None));
    }
}
