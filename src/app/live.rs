//! Following a table: new commits come by themselves, as processes do in htop.

use std::sync::Arc;

use super::ctx::Ctx;
use super::msg::{Job, JobId};
use super::summary::Summary;
use crate::model::Fault;
use crate::model::calendar::Clock;
use crate::model::double_rewrite::DoubleRewrite;
use crate::model::files::FileList;
use crate::model::history::Commit;
use crate::model::table::{Table, Tombstones};
use crate::model::trend_rates::Rates;
use crate::model::trends::Trends;
use crate::model::units::Millis;

/// Rates are those of the last ten minutes.
pub const WINDOW: Millis = 10 * 60_000;
/// Versions whose small files are remembered.
const REMEMBERED: usize = 120;

/// What a table's newer commits brought, read and summed up.
#[derive(Debug, Clone)]
pub struct News {
    pub table: Arc<Table>,
    /// None if no files of the version before were held.
    pub files: Option<NewFiles>,
    /// Newest first.
    pub commits: Vec<Commit>,
    /// The table was replaced or its log cleaned up: the history is to be read anew.
    pub replaced: bool,
    /// Rewrites of the same files that the new commits complete.
    pub doubled: Vec<DoubleRewrite>,
}

/// The files of the new version.
#[derive(Debug, Clone)]
pub struct NewFiles {
    pub list: Arc<FileList>,
    pub tombstones: Option<Tombstones>,
    pub warnings: Vec<String>,
    pub summary: Arc<Summary>,
}

/// How an open table is followed.
#[derive(Debug, Default)]
pub struct Live {
    /// Seconds between two looks; 0: not at all.
    pub interval: u32,
    pub paused: bool,
    job: Option<JobId>,
    /// The running look was asked for by a key, so its outcome is told.
    asked: bool,
    /// Why the last look failed, and the seconds until the next one.
    pub trouble: Option<(Fault, u32)>,
    pub rates: Option<Rates>,
    /// The rates go by the times that the commits state, for the log files were copied.
    pub stated_times: bool,
    /// Small files and all files, version by version as they were seen; the last one is the newest.
    pub small: Vec<SmallShare>,
    /// Of all that was followed.
    pub doubled: Vec<DoubleRewrite>,
}

/// How many of a version's files are smaller than is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallShare {
    pub version: u64,
    pub small: u64,
    pub files: u64,
    /// Files below this, bytes, are small.
    pub below: u64,
}

impl Live {
    pub fn new(interval: u32) -> Self {
        Live { interval, ..Live::default() }
    }

    /// Begins to follow, or goes on with what is shown now, unless it is paused.
    pub fn start(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        if self.interval > 0 && !self.paused {
            self.look(location, version, false, ctx);
        }
    }

    /// Looks at once, by the user's wish.
    pub fn ask(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        self.look(location, version, true, ctx);
    }

    fn look(&mut self, location: &str, version: u64, now: bool, ctx: &mut Ctx) {
        self.stop(ctx);
        self.asked = now;
        let (location, interval) = (location.to_owned(), self.interval.max(1));
        self.job = Some(ctx.start(Job::Follow { location, version, interval, now }));
    }

    pub fn stop(&mut self, ctx: &mut Ctx) {
        (self.asked, self.trouble) = (false, None);
        if let Some(id) = self.job.take() {
            ctx.cancel(id);
        }
    }

    pub fn awaits(&self, id: JobId) -> bool {
        self.job == Some(id)
    }

    /// The job has ended; says whether the user had asked for it.
    pub fn ended(&mut self) -> bool {
        (self.job, self.trouble) = (None, None);
        std::mem::take(&mut self.asked)
    }

    pub fn is_following(&self) -> bool {
        self.job.is_some()
    }

    /// Whether one waits for a look that a key asked for.
    pub fn is_asked(&self) -> bool {
        self.asked && self.job.is_some()
    }

    /// Remembers how many small files a version has.
    pub fn sample(&mut self, version: u64, summary: &Summary) {
        let Some(below) = summary.by_size.recommended.map(|t| t.low) else { return };
        let small = summary.by_size.buckets.iter().filter(|b| b.to.is_some_and(|to| to <= below));
        let share =
            SmallShare { version, small: small.map(|b| b.files).sum(), files: summary.total.files, below };
        self.small.retain(|s| s.version < version);
        if self.small.len() == REMEMBERED {
            self.small.remove(0);
        }
        self.small.push(share);
    }

    /// The rates as of `now`; `commits` are the newest ones.
    pub fn measure(&mut self, commits: &[Commit], now: Option<Millis>) {
        self.rates = now.filter(|_| !commits.is_empty()).map(|now| {
            let clock = Clock::best(commits);
            let recent = |c: &&Commit| clock.time(c, now).is_none_or(|t| t > now - WINDOW);
            // One more tells that the window is filled.
            self.stated_times = clock == Clock::Stated;
            let until = (commits.iter().take_while(recent).count() + 1).min(commits.len());
            Trends::of(&commits[..until], &[], &[], now).rates(WINDOW, now)
        });
    }

    /// Whether the rates change as time goes by.
    pub fn wants_clock(&self, now: Option<Millis>) -> bool {
        self.is_following() && (now.is_none() || self.rates.is_some_and(|r| r.commits > 0))
    }
}
