//! What one looks at from the list of commits.

use std::sync::Arc;

use super::view::View;
use crate::app::ctx::Ctx;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;
use crate::model::calendar::Span;
use crate::model::commit_view::CommitView;
use crate::model::diff_rows::Compared;
use crate::model::log_reach::contains;
use crate::model::past::Past;
use crate::model::trend_samples::Axis;

/// What is in front, and what was read for it.
#[derive(Debug, Default)]
pub struct Looks {
    pub view: View,
    pub scroll: Scroll,
    /// The version of the commit that is open.
    pub version: Option<u64>,
    pub commit: Load<Arc<CommitView>>,
    /// The versions compared, from and to.
    pub between: Option<(u64, u64)>,
    pub compared: Load<Arc<Compared>>,
    /// The walk through the whole log; of an older version of the table until news come.
    pub past: Load<Arc<Past>>,
    /// The data files were asked for too.
    pub looked_for_files: bool,
    /// What the trends run along.
    pub axis: Axis,
    /// The length of the periods; none: a day.
    pub period: Option<Span>,
}

impl Looks {
    /// Shows a view from its top.
    pub fn show(&mut self, view: View) {
        self.view = view;
        self.scroll = Scroll::default();
    }

    pub fn open_commit(&mut self, location: &str, version: u64, commit: u64, ctx: &mut Ctx) {
        self.show(View::Commit);
        if self.version != Some(commit) {
            self.commit.stop(ctx);
            (self.version, self.commit) = (Some(commit), Load::default());
        }
        if self.commit.value.is_none() {
            self.commit.start(Job::Commit { location: location.into(), version, commit }, ctx);
        }
    }

    pub fn compare(&mut self, location: &str, version: u64, (from, to): (u64, u64), ctx: &mut Ctx) {
        self.show(View::Diff);
        if self.between != Some((from, to)) {
            self.compared.stop(ctx);
            (self.between, self.compared) = (Some((from, to)), Load::default());
        }
        if self.compared.value.is_none() {
            let location = location.into();
            self.compared.start(Job::Compare { location, version, from, to }, ctx);
        }
    }

    /// Walks through the log unless that was done, or is to be done again with a look at the files.
    pub fn walk(&mut self, location: &str, version: u64, look_for_files: bool, ctx: &mut Ctx) {
        let fresh = self.past.value.as_ref().is_some_and(|p| p.version == version);
        let looked = self.looked_for_files && self.past.fault.is_none();
        if (fresh && (looked || !look_for_files)) || (self.past.running() && !look_for_files) {
            return;
        }
        self.looked_for_files |= look_for_files;
        let look_for_files = self.looked_for_files;
        self.past.start(Job::Walk { location: location.into(), version, look_for_files }, ctx);
    }

    /// Tries again what failed, of what is in front.
    pub fn retry(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        match (self.view, self.version, self.between) {
            (View::Commit, Some(commit), _) if self.commit.fault.is_some() => {
                self.open_commit(location, version, commit, ctx);
            }
            (View::Diff, _, Some(versions)) if self.compared.fault.is_some() => {
                self.compare(location, version, versions, ctx);
            }
            (view, ..) if view.needs_past() && self.past.fault.is_some() => {
                self.walk(location, version, self.looked_for_files, ctx);
            }
            _ => {}
        }
    }

    /// Takes the event if one of its jobs waits for it.
    pub fn answer(&mut self, id: JobId, event: &JobEvent) -> bool {
        match event {
            _ if !self.awaits(id) => return false,
            JobEvent::Commit(view) => self.commit.done(view.clone()),
            JobEvent::Compared(compared) => self.compared.done(compared.clone()),
            JobEvent::Past(past) => self.past.done(past.clone()),
            JobEvent::Progress(progress) => {
                let all = [&mut self.commit.progress, &mut self.compared.progress, &mut self.past.progress];
                let jobs = [self.commit.job, self.compared.job, self.past.job];
                for (slot, _) in all.into_iter().zip(jobs).filter(|(_, job)| *job == Some(id)) {
                    *slot = Some(progress.clone());
                }
            }
            JobEvent::Failed(fault) if self.commit.awaits(id) => self.commit.fail(fault.clone()),
            JobEvent::Failed(fault) if self.compared.awaits(id) => self.compared.fail(fault.clone()),
            JobEvent::Failed(fault) => self.past.fail(fault.clone()),
            _ => {}
        }
        true
    }

    fn awaits(&self, id: JobId) -> bool {
        self.commit.awaits(id) || self.compared.awaits(id) || self.past.awaits(id)
    }

    pub fn running(&self) -> bool {
        self.commit.running() || self.compared.running() || self.past.running()
    }

    /// Another version of the table is open: what was read of commits and versions stays true, but
    /// the past has become longer.
    pub fn outdate(&mut self, ctx: &mut Ctx) {
        self.stop(ctx);
    }

    pub fn stop(&mut self, ctx: &mut Ctx) {
        self.commit.stop(ctx);
        self.compared.stop(ctx);
        self.past.stop(ctx);
    }

    /// By the user's wish.
    pub fn cancel(&mut self, ctx: &mut Ctx) {
        self.commit.cancel(ctx);
        self.compared.cancel(ctx);
        self.past.cancel(ctx);
    }

    /// Whether a version is known to miss data files.
    pub fn missing(&self, version: u64) -> bool {
        let past = self.past.value.as_ref();
        let horizon = past.and_then(|p| p.keeping.horizon.as_ref());
        horizon.is_some_and(|h| contains(&h.missing, version))
    }

    /// The trends along the next thing: versions, then hours, days, weeks.
    pub fn next_axis(&mut self) {
        self.axis = match self.axis {
            Axis::Version => Axis::Time(Span::Hour),
            Axis::Time(Span::Hour) => Axis::Time(Span::Day),
            Axis::Time(Span::Day) => Axis::Time(Span::Week),
            Axis::Time(Span::Week) => Axis::Version,
        };
    }

    pub fn span(&self) -> Span {
        self.period.unwrap_or(Span::Day)
    }

    pub fn next_period(&mut self) {
        self.period = Some(match self.span() {
            Span::Hour => Span::Day,
            Span::Day => Span::Week,
            Span::Week => Span::Hour,
        });
        self.scroll = Scroll::default();
    }
}
