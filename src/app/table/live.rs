//! An open table moves on: what is new, asked for or by itself.

use super::{FileSet, TableView};
use crate::app::ctx::{Ctx, Tone};
use crate::app::live::News;
use crate::app::msg::{Job, JobEvent};
use crate::app::work::SMALL;
use crate::model::table::{AsOf, Table};
use crate::model::units::Millis;

/// Seconds between two looks, where the setting is not to look and a key asks for it.
const DEFAULT_INTERVAL: u32 = 5;

impl TableView {
    /// Looks for what is new; what is on the screen stays until news come. Where all was read, only
    /// the new commits are.
    pub fn refresh(&mut self, ctx: &mut Ctx) {
        let sound = self.files.complete
            && !self.files.running()
            && [&self.table.fault, &self.files.fault, &self.history.load.fault].iter().all(|f| f.is_none());
        match self.table.value.as_ref().map(|t| t.version) {
            Some(version) if sound && self.is_latest() => self.live.ask(&self.location, version, ctx),
            _ => self.start_open(self.as_of, ctx),
        }
        if let Some(version) = self.table.value.as_ref().map(|t| t.version) {
            self.history.looks.retry(&self.location, version, ctx);
        }
    }

    /// Whether the latest version is looked at, and no other one is on its way.
    pub(super) fn is_latest(&self) -> bool {
        self.as_of == AsOf::Latest && self.opening == AsOf::Latest && !self.table.running()
    }

    /// Follows the table, or no longer.
    pub fn toggle_live(&mut self, ctx: &mut Ctx) {
        if self.live.interval == 0 {
            self.live.interval = DEFAULT_INTERVAL;
        } else {
            self.live.paused = !self.live.paused;
        }
        if self.live.paused {
            self.live.stop(ctx);
            return ctx.note(Tone::Plain, "Paused; F follows the table again");
        }
        self.follow(ctx);
        ctx.note(Tone::Plain, format!("Following: a look every {} s", self.live.interval));
    }

    /// Goes on following, if all that is followed was read.
    pub(super) fn follow(&mut self, ctx: &mut Ctx) {
        let version = self.table.value.as_ref().map(|t| t.version);
        if let Some(version) =
            version.filter(|_| self.is_latest() && self.files.complete && !self.files.running())
        {
            self.live.start(&self.location, version, ctx);
        }
    }

    /// Sums up the rates of the last minutes.
    pub fn measure(&mut self, now: Option<Millis>) {
        if self.live.is_following() {
            self.live.measure(self.history.commits(), now);
        }
    }

    pub(super) fn live_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
        match event {
            JobEvent::LookFailed(trouble) => self.live.trouble = trouble,
            JobEvent::News(news) => self.news(*news, ctx),
            JobEvent::NoNews | JobEvent::Failed(_) => {
                let asked = self.live.ended();
                match (&self.table.value, event) {
                    (_, JobEvent::Failed(fault)) => self.table.fault = Some(fault),
                    (Some(table), _) if asked => {
                        ctx.note(Tone::Plain, same_version(table, table));
                        let found = self.diagnosis.value.as_ref().map(|d| d.version);
                        if !self.diagnosis.running() && found != Some(table.version) {
                            self.renew(ctx);
                        }
                    }
                    _ => {}
                }
                self.follow(ctx);
            }
            _ => {}
        }
    }

    /// Everything moves on together, so that no frame mixes two versions; selections stay.
    fn news(&mut self, news: News, ctx: &mut Ctx) {
        let asked = self.live.ended();
        let before = self.table.value.as_ref().map(|t| t.version);
        let version = news.table.version;
        self.columns.set(&news.table);
        self.table.done(news.table);
        if let (true, Some(before)) = (asked || news.replaced, before) {
            let text = match (before == version, news.replaced) {
                (_, true) => {
                    format!("The table was replaced or its log cleaned up: read anew, version {version}")
                }
                (true, _) => format!("Nothing new: still version {version}"),
                (false, _) => format!("Version {before} → {version}"),
            };
            ctx.note(if news.replaced { Tone::Warning } else { Tone::Good }, text);
        }
        if news.replaced {
            self.history = self.history.renewed(ctx);
            self.history.load_more(&self.location, version, ctx);
        } else {
            self.history.prepend(news.commits);
        }
        if !news.doubled.is_empty() {
            ctx.note(Tone::Warning, "Double rewrite: rows of this table are there twice, see 1 Overview");
            self.live.doubled.extend(news.doubled);
        }
        match news.files {
            Some(files) => {
                let set = FileSet {
                    list: files.list.clone(),
                    tombstones: files.tombstones,
                    warnings: files.warnings,
                };
                self.files.done(set);
                self.files_pane.set_list(files.list.clone(), true, ctx);
                if let Some((id, _)) = self.summarising.take() {
                    ctx.cancel(id);
                }
                // Findings need all statistics. For a large table they are those of the version before
                // until one asks: no commit shall cost a reading of everything.
                let cheap = files.list.len() <= SMALL;
                self.set_summary(files.summary, files.list);
                if asked || news.replaced || (cheap && !self.diagnosis.running()) {
                    self.renew(ctx);
                }
                self.follow(ctx);
            }
            None => {
                let location = self.location.clone();
                self.files.start(Job::Files { location, version, records: true }, ctx);
            }
        }
    }
}

/// What a refresh says that found the same version again.
pub(super) fn same_version(old: &Table, new: &Table) -> String {
    let version = new.version;
    let news = new.log.newer_versions.saturating_sub(old.log.newer_versions);
    let s = |n: u64| if n == 1 { "" } else { "s" };
    match (news, new.log.newer_versions) {
        (0, 0) => format!("Nothing new: still version {version}"),
        (0, newer) => format!("Nothing new; you look at v{version}, {newer} version{} back", s(newer)),
        (news, _) => format!("{news} new version{}; you look at v{version}", s(news)),
    }
}
