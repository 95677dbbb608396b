//! The commits, newest first, loaded as one scrolls.

use serde_json::{Map, Value};

use crate::app::ctx::Ctx;
use crate::app::layer::detail::DetailLayer;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent};
use crate::app::scroll::{Motion, Scroll};
use crate::model::history::Commit;
use crate::model::units;

/// Commits asked for at a time, and on the way to the last one.
pub const PAGE: usize = 100;
const LARGE_PAGE: usize = 10_000;

/// The list's state; `load.value` is the commits so far, complete when the log's beginning is reached.
#[derive(Debug, Default)]
pub struct HistoryPane {
    pub scroll: Scroll,
    pub load: Load<Vec<Commit>>,
    /// Commits that this page has brought, and how many it was asked for.
    page_len: usize,
    page_limit: usize,
    /// The user wants to see the last one, which is not loaded yet.
    to_end: bool,
}

impl HistoryPane {
    /// Without commits yet, but with the selection where it was.
    pub fn starting_at(scroll: Scroll) -> Self {
        HistoryPane { scroll, ..HistoryPane::default() }
    }

    pub fn commits(&self) -> &[Commit] {
        self.load.value.as_deref().unwrap_or_default()
    }

    /// Asks for the page after the last commit, unless there is none or one is on its way.
    pub fn load_more(&mut self, location: &str, version: u64, ctx: &mut Ctx) {
        if self.load.running() || self.load.complete {
            return;
        }
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

    /// Newer commits, newest first. The selected one stays selected, and a list that was scrolled
    /// does not move.
    pub fn prepend(&mut self, newer: Vec<Commit>) {
        let (Some(commits), count) = (&mut self.load.value, newer.len()) else { return };
        if commits.is_empty() && !self.load.complete {
            return;
        }
        if !commits.is_empty() {
            self.scroll.push_down(count);
        }
        commits.splice(0..0, newer);
    }

    pub fn answer(&mut self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.load.progress = Some(progress),
            JobEvent::Commits(commits) => {
                self.page_len += commits.len();
                self.load.value.get_or_insert_default().extend(commits);
                self.follow_end();
            }
            JobEvent::CommitsEnd => {
                self.load.job = None;
                self.load.progress = None;
                let at_zero = self.commits().last().is_none_or(|c| c.version == 0);
                self.load.complete = at_zero || self.page_len < self.page_limit;
                self.load.value.get_or_insert_default();
            }
            JobEvent::Failed(fault) => {
                self.to_end = false;
                self.load.fail(fault);
            }
            _ => {}
        }
    }

    /// Whether commits are to be loaded until the last one.
    pub fn seeks_end(&self) -> bool {
        self.to_end && !self.load.complete
    }

    fn follow_end(&mut self) {
        if self.to_end {
            self.scroll.go(Motion::Last, self.commits().len());
        }
    }

    /// `Last` is the last of all commits, loaded or not.
    pub fn go(&mut self, motion: Motion) {
        self.to_end = motion == Motion::Last;
        self.scroll.go(motion, self.commits().len());
    }

    /// Whether the selection comes near to the end of what is loaded.
    pub fn nears_end(&self) -> bool {
        self.scroll.selected + 2 * self.scroll.page.max(10) >= self.commits().len()
    }

    pub fn selected(&self) -> Option<&Commit> {
        self.commits().get(self.scroll.selected)
    }

    /// The commit with all its parameters and metrics.
    pub fn detail(&self) -> Option<DetailLayer> {
        let c = self.selected()?;
        let mut d = DetailLayer::new(&format!("Version {}", c.version));
        let time =
            |t: Option<i64>| t.map_or_else(|| "unknown".into(), |t| format!("{} UTC", units::screen_time(t)));
        if let Some(problem) = &c.problem {
            d.warn("problem", problem.clone());
        }
        if !c.readable {
            d.warn("readable", "no: the log no longer holds all that this version needs");
        }
        d.row("operation", c.operation.clone().unwrap_or_else(|| "not stated".into()));
        d.row("time", time(c.timestamp));
        if c.stated_timestamp.is_some() && c.stated_timestamp != c.timestamp {
            d.row("stated time", time(c.stated_timestamp));
        }
        d.row("added", files(c.added_files, c.added_bytes));
        d.row("removed", files(c.removed_files, c.removed_bytes));
        d.row("rows in added files", c.added_records.map_or_else(|| "unknown".into(), units::count));
        if c.cdc_files > 0 {
            d.row("change data", format!("{} files", units::count(c.cdc_files)));
        }
        let flag = |f: Option<bool>| match f {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not stated",
        };
        d.row("data changed", flag(c.data_change));
        d.row("blind append", flag(c.is_blind_append));
        for (changed, what) in [(c.metadata_changed, "metadata"), (c.protocol_changed, "protocol")] {
            if changed {
                d.row("changed", format!("the table's {what}"));
            }
        }
        d.row("engine", c.engine_info.clone().unwrap_or_else(|| "not stated".into()));
        if let Some(text) = &c.user_metadata {
            d.row("user metadata", text.clone());
        }
        section(&mut d, "Parameters", c.operation_parameters.as_ref());
        section(&mut d, "Metrics", c.operation_metrics.as_ref());
        Some(d)
    }
}

fn files(files: u64, bytes: u64) -> String {
    let s = if files == 1 { "" } else { "s" };
    format!("{} file{s}, {}", units::count(files), units::bytes(bytes))
}

fn section(d: &mut DetailLayer, title: &str, values: Option<&Map<String, Value>>) {
    let Some(values) = values.filter(|v| !v.is_empty()) else { return };
    d.heading(title);
    for (key, value) in values {
        d.row(key, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
}
