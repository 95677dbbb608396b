//! The history: the commits, newest first, loaded as one scrolls, and what one looks at from there.
//!
//! ```text
//! mod.rs    the list            look.rs   one commit, two versions compared, the past as a whole
//! view.rs   which of them is in front, and along what it runs
//! ```

mod look;
mod view;

use crate::app::ctx::Ctx;
use crate::app::frame::Window;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent};
use crate::app::scroll::{Motion, Scroll};
use crate::model::history::Commit;
use crate::model::history_rows::HistoryRows;
use crate::model::log_reach::mark;
use crate::model::vacuumed::Vacuumed;
pub use look::Looks;
pub use view::View;

/// Commits asked for at a time, and on the way to the last one.
pub const PAGE: usize = 100;
const LARGE_PAGE: usize = 10_000;

/// The list's state; `load.value` is the commits so far, complete when the log's beginning is reached.
#[derive(Debug, Default)]
pub struct HistoryPane {
    pub scroll: Scroll,
    pub load: Load<Vec<Commit>>,
    /// The commits and the gaps between them, as the list shows them.
    pub rows: HistoryRows,
    /// Versions to be compared, at most two, the one marked last at the end.
    pub marks: Vec<u64>,
    pub looks: Looks,
    /// The vacuum that may have ended older versions.
    vacuumed: Option<Vacuumed>,
    /// The version that the list begins at.
    newest: u64,
    /// Commits that this page has brought, and how many it was asked for.
    page_len: usize,
    page_limit: usize,
    /// The user wants to see the last one, which is not loaded yet.
    to_end: bool,
}

impl HistoryPane {
    /// Of another version of the table: without commits yet, but with selection, marks and view as
    /// they were.
    pub fn renewed(&mut self, ctx: &mut Ctx) -> Self {
        self.load.stop(ctx);
        let mut looks = std::mem::take(&mut self.looks);
        looks.outdate(ctx);
        HistoryPane {
            scroll: self.scroll,
            marks: std::mem::take(&mut self.marks),
            looks,
            ..HistoryPane::default()
        }
    }

    /// Ends its jobs.
    pub fn stop(&mut self, ctx: &mut Ctx) {
        self.load.stop(ctx);
        self.looks.stop(ctx);
    }

    pub fn commits(&self) -> &[Commit] {
        self.load.value.as_deref().unwrap_or_default()
    }

    /// Asks for the page after the last commit, unless there is none or one is on its way.
    pub fn load_more(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        if self.load.running() || self.load.complete {
            return;
        }
        self.newest = version;
        let newest = match self.commits().last() {
            None => None,
            Some(last) => match last.version.checked_sub(1) {
                Some(next) => Some(next),
                None => {
                    self.load.complete = true;
                    return;
                }
            },
        };
        let limit = if self.to_end { LARGE_PAGE } else { PAGE };
        (self.page_len, self.page_limit) = (0, limit);
        self.load.start(Job::Commits { location: location.into(), version, newest, limit }, ctx);
    }

    pub fn answer(&mut self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.load.progress = Some(progress),
            JobEvent::Commits(commits) => {
                self.page_len += commits.len();
                self.load.value.get_or_insert_default().extend(commits);
                self.take_rows();
                self.follow_end();
            }
            JobEvent::CommitsEnd(whole) => {
                self.load.job = None;
                self.load.progress = None;
                let at_zero = self.commits().last().is_none_or(|c| c.version == 0);
                self.load.complete = at_zero || self.page_len < self.page_limit;
                let commits = self.load.value.get_or_insert_default();
                if let Some(rebuildable) = whole {
                    mark(commits, &rebuildable);
                }
                self.take_rows();
            }
            JobEvent::Failed(fault) => {
                self.to_end = false;
                self.load.fail(fault);
            }
            _ => {}
        }
    }

    /// Newer commits, newest first. The selected one stays selected, and a list that was scrolled
    /// does not move.
    pub fn prepend(&mut self, newer: Vec<Commit>) {
        let (Some(commits), Some(first)) = (&mut self.load.value, newer.first()) else { return };
        if commits.is_empty() && !self.load.complete {
            return;
        }
        self.newest = first.version;
        let (empty, before) = (commits.is_empty(), self.rows.len());
        commits.splice(0..0, newer);
        self.rows = HistoryRows::default();
        self.take_rows();
        if !empty {
            self.scroll.push_down(self.rows.len().saturating_sub(before));
        }
    }

    fn take_rows(&mut self) {
        let commits = self.load.value.as_deref().unwrap_or_default();
        self.rows.extend(commits, self.newest, self.load.complete);
        self.vacuumed = Vacuumed::of(commits);
    }

    /// Whether commits are to be loaded until the last one.
    pub fn seeks_end(&self) -> bool {
        self.to_end && !self.load.complete
    }

    fn follow_end(&mut self) {
        if self.to_end {
            self.scroll.go(Motion::Last, self.rows.len());
        }
    }

    /// Moves in what is in front. In the list `Last` is the last of all commits, loaded or not.
    pub fn go(&mut self, motion: Motion) {
        if self.looks.view != View::List {
            return self.looks.scroll.go(motion, usize::MAX);
        }
        self.to_end = motion == Motion::Last;
        self.scroll.go(motion, self.rows.len());
    }

    /// Takes over what the frame made of the scroll position. A text has no selected row: its first
    /// visible row stands for it.
    pub fn drawn(&mut self, window: Window) {
        if self.looks.view == View::List {
            self.scroll.drawn(window);
        } else {
            self.looks.scroll.drawn(window);
            self.looks.scroll.selected = window.top;
        }
    }

    /// Whether the selection comes near to the end of what is loaded.
    pub fn nears_end(&self) -> bool {
        self.scroll.selected + 2 * self.scroll.page.max(10) >= self.rows.len()
    }

    /// None on a gap.
    pub fn selected(&self) -> Option<&Commit> {
        self.commits().get(self.rows.commit(self.scroll.selected)?)
    }

    /// The commit in front: the one that was opened, else the selected one.
    pub fn commit_in_front(&self) -> Option<&Commit> {
        match self.looks.view {
            View::Commit => self.commits().iter().find(|c| Some(c.version) == self.looks.version),
            _ => self.selected(),
        }
    }

    /// Marks the selected version, or takes its mark away; of three marks the oldest goes.
    pub fn toggle_mark(&mut self) {
        let Some(version) = self.selected().map(|c| c.version) else { return };
        match self.marks.iter().position(|m| *m == version) {
            Some(at) => drop(self.marks.remove(at)),
            None => self.marks.push(version),
        }
        let extra = self.marks.len().saturating_sub(2);
        self.marks.drain(..extra);
    }

    /// The versions to compare, older first: two marked ones, a marked one and the selected one, or
    /// the selected one with that before it.
    pub fn to_compare(&self) -> Option<(u64, u64)> {
        let selected = self.selected().map(|c| c.version);
        let (a, b) = match self.marks.as_slice() {
            [a, b, ..] => (*a, *b),
            [a] => (*a, selected.filter(|s| s != a)?),
            [] => (selected?.checked_sub(1)?, selected?),
        };
        Some((a.min(b), a.max(b)))
    }

    /// Why a version cannot be looked at, as far as is known.
    pub fn unreadable(&self, commit: &Commit) -> Option<&'static str> {
        if commit.incomplete {
            return Some("the commit file is damaged");
        }
        if !commit.readable {
            return Some("the log no longer holds what this version needs");
        }
        let missing = self.looks.missing(commit.version);
        missing.then_some("data files of this version are gone")
    }

    /// Whether a vacuum may have deleted data files of a version, and nobody has looked.
    pub fn is_doubtful(&self, version: u64) -> bool {
        let looked = self.looks.looked_for_files && self.looks.past.value.is_some();
        !looked && self.vacuumed.is_some_and(|v| v.doubt(version).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::expiry::Versions;

    /// Newest first, so that those that build on a damaged commit came before it.
    #[test]
    fn what_builds_on_a_damaged_commit_is_marked_once_that_has_come() {
        let commit =
            |version| Commit { version, readable: true, incomplete: version == 1, ..Commit::default() };
        let mut pane = HistoryPane::default();
        pane.answer(JobEvent::Commits(vec![commit(3), commit(2)]));
        pane.answer(JobEvent::Commits(vec![commit(1), commit(0)]));
        assert!(pane.unreadable(&pane.commits()[1]).is_none());
        let whole = vec![Versions { first: 0, last: 0 }, Versions { first: 3, last: 3 }];
        pane.answer(JobEvent::CommitsEnd(Some(whole)));
        let lost: Vec<bool> = pane.commits().iter().map(|c| pane.unreadable(c).is_some()).collect();
        assert_eq!(lost, [false, true, true, false]);
    }
}
