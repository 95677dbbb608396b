//! Something that a background job brings, perhaps piece by piece.

use super::ctx::Ctx;
use super::msg::{Job, JobId};
use crate::model::progress::Progress;
use crate::model::{Fault, FaultKind};

/// A value on its way: what has come so far, and how the job that brings it is doing.
#[derive(Debug, Clone)]
pub struct Load<T> {
    pub value: Option<T>,
    /// Whether `value` is all there is.
    pub complete: bool,
    pub job: Option<JobId>,
    pub progress: Option<Progress>,
    /// Why it ended early. What came until then stays.
    pub fault: Option<Fault>,
}

impl<T> Default for Load<T> {
    fn default() -> Self {
        Load { value: None, complete: false, job: None, progress: None, fault: None }
    }
}

impl<T> Load<T> {
    /// Starts a job in the place of one that may be running. What was there stays until news come.
    pub fn start(&mut self, job: Job, ctx: &mut Ctx) {
        self.stop(ctx);
        self.job = Some(ctx.start(job));
        self.fault = None;
    }

    /// Cancels the running job, if any; says whether there was one. Its answer will be dropped.
    pub fn stop(&mut self, ctx: &mut Ctx) -> bool {
        self.progress = None;
        self.job.take().map(|id| ctx.cancel(id)).is_some()
    }

    /// As [`Self::stop`], by the user's wish: remembered, so that the screen says so.
    pub fn cancel(&mut self, ctx: &mut Ctx) -> bool {
        let stopped = self.stop(ctx);
        if stopped {
            self.fault = Some(Fault::cancelled());
        }
        stopped
    }

    pub fn awaits(&self, id: JobId) -> bool {
        self.job == Some(id)
    }

    pub fn running(&self) -> bool {
        self.job.is_some()
    }

    /// The job is over, and this is all.
    pub fn done(&mut self, value: T) {
        *self = Load { value: Some(value), complete: true, ..Load::default() };
    }

    pub fn fail(&mut self, fault: Fault) {
        self.job = None;
        self.progress = None;
        self.fault = Some(fault);
    }

    pub fn was_cancelled(&self) -> bool {
        self.fault.as_ref().is_some_and(|f| f.kind == FaultKind::Cancelled)
    }
}
