//! A selection in a list, and the scroll position of a text.

use super::frame::Window;

/// How to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Rows, down if positive.
    By(isize),
    /// Half pages, down if positive.
    HalfPages(isize),
    Pages(isize),
    First,
    Last,
}

/// The selected row of a list, or the first visible row of a text (there, both are the same).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scroll {
    pub selected: usize,
    /// The first visible row of the last frame; the next frame keeps it as far as it can.
    pub top: usize,
    /// Rows that the last frame had room for.
    pub page: usize,
}

impl Scroll {
    pub fn go(&mut self, motion: Motion, len: usize) {
        let page = self.page.max(2) as isize;
        let at = self.selected as isize;
        let to = match motion {
            Motion::By(n) => at.saturating_add(n),
            Motion::HalfPages(n) => at.saturating_add(n * (page / 2).max(1)),
            // One row of the old page stays visible.
            Motion::Pages(n) => at.saturating_add(n * (page - 1)),
            Motion::First => 0,
            Motion::Last => isize::MAX,
        };
        self.selected = (to.max(0) as usize).min(len.saturating_sub(1));
    }

    /// So many rows came before the first one: the selected one stays selected, and if the list was
    /// scrolled down it stays where it is on the screen.
    pub fn push_down(&mut self, rows: usize) {
        self.move_to(self.selected + rows);
    }

    /// The selected row is now here; if the list was scrolled down, it stays where it is on the screen.
    pub fn move_to(&mut self, row: usize) {
        if self.top > 0 {
            self.top = row.saturating_sub(self.selected.saturating_sub(self.top));
        }
        self.selected = row;
    }

    /// Keeps the selection inside a list that has become shorter.
    pub fn clamp(&mut self, len: usize) {
        self.selected = self.selected.min(len.saturating_sub(1));
    }

    /// Takes over what the frame made of it.
    pub fn drawn(&mut self, window: Window) {
        self.top = window.top;
        self.page = window.page;
    }

    /// The first row to draw when `page` rows fit, so that the selection is visible and the list
    /// fills the page.
    pub fn top_for(&self, len: usize, page: usize) -> usize {
        let page = page.max(1);
        let lowest = (self.selected + 1).saturating_sub(page);
        self.top.clamp(lowest, self.selected.max(lowest)).min(len.saturating_sub(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_inside() {
        let mut s = Scroll { page: 10, ..Scroll::default() };
        s.go(Motion::Last, 100);
        assert_eq!((s.selected, s.top_for(100, 10)), (99, 90));
        s.go(Motion::Pages(-1), 100);
        assert_eq!(s.selected, 90);
        s.go(Motion::By(isize::MIN), 100);
        assert_eq!(s.selected, 0);
        s.go(Motion::HalfPages(3), 0);
        assert_eq!((s.selected, s.top_for(0, 10)), (0, 0));
    }

    #[test]
    fn the_page_moves_only_when_it_must() {
        let mut s = Scroll { selected: 50, top: 45, page: 10 };
        assert_eq!(s.top_for(100, 10), 45);
        s.go(Motion::By(-3), 100);
        assert_eq!(s.top_for(100, 10), 45);
        s.go(Motion::By(-5), 100);
        assert_eq!(s.top_for(100, 10), 42);
        assert_eq!(s.top_for(100, 100), 0);
    }
}
