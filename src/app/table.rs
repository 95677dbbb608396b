//! An open table: what was read of it, and its panes.

use std::sync::Arc;

use super::ctx::{Ctx, Tone};
use super::diagnosis::Diagnosis;
use super::live::{Live, News};
use super::load::Load;
use super::marks::Marks;
use super::msg::{Effect, Job, JobEvent, JobId, Keepsake};
use super::pane::Pane;
use super::pane::columns::ColumnsPane;
use super::pane::files::FilesPane;
use super::pane::history::HistoryPane;
use super::pane::overview::OverviewPane;
use super::pane::partitions::PartitionsPane;
use super::pane::sql::SqlPane;
use super::pane::sql::complete::Known;
use super::pane::tune::TunePane;
use super::recover::readable_version;
use super::summary::Summary;
use super::work::{SMALL, Work};
use crate::model::Fault;
use crate::model::files::FileList;
use crate::model::footer_totals::Report as Survey;
use crate::model::table::{AsOf, Table, Tombstones};
use crate::model::units::Millis;

/// Seconds between two looks, where the setting is not to look and a key asks for it.
const DEFAULT_INTERVAL: u32 = 5;

/// The files as far as they were read.
#[derive(Debug, Clone, Default)]
pub struct FileSet {
    pub list: Arc<FileList>,
    /// None until all was read.
    pub tombstones: Option<Tombstones>,
    /// What was got over while reading.
    pub warnings: Vec<String>,
}

/// The table in front.
#[derive(Debug)]
pub struct TableView {
    /// As it was given or listed.
    pub location: String,
    pub as_of: AsOf,
    /// What the table is being opened as of; `as_of` follows when it is open.
    opening: AsOf,
    pub table: Load<Arc<Table>>,
    pub files: Load<FileSet>,
    pub summary: Option<Arc<Summary>>,
    /// The list that the summary is of.
    summarised: Arc<FileList>,
    summarising: Option<(JobId, Arc<FileList>)>,
    pub live: Live,
    /// Findings and figures of columns; those of the version before stay until new ones come.
    pub diagnosis: Load<Arc<Diagnosis>>,
    /// The footers of all files, once they were asked for.
    pub survey: Option<Arc<Survey>>,
    pub marks: Marks,
    pub pane: Pane,
    pub overview: OverviewPane,
    pub files_pane: FilesPane,
    pub partitions: PartitionsPane,
    pub columns: ColumnsPane,
    pub history: HistoryPane,
    pub sql: SqlPane,
    pub tune: TunePane,
}

impl TableView {
    /// Starts to open the table. `query`: the text to start with in the SQL editor; `interval`: as in
    /// [`Live`].
    pub fn open(location: &str, as_of: AsOf, query: &str, interval: u32, ctx: &mut Ctx) -> Self {
        let mut view = TableView {
            location: location.to_owned(),
            as_of,
            opening: as_of,
            table: Load::default(),
            files: Load::default(),
            summary: None,
            summarised: Arc::default(),
            summarising: None,
            live: Live::new(interval),
            diagnosis: Load::default(),
            survey: None,
            marks: Marks::default(),
            pane: Pane::Overview,
            overview: OverviewPane::default(),
            files_pane: FilesPane::default(),
            partitions: PartitionsPane::default(),
            columns: ColumnsPane::default(),
            history: HistoryPane::default(),
            sql: SqlPane::new(query),
            tune: TunePane::default(),
        };
        view.start_open(as_of, ctx);
        view
    }

    fn start_open(&mut self, as_of: AsOf, ctx: &mut Ctx) {
        self.live.stop(ctx);
        self.opening = as_of;
        self.table.start(Job::Open { location: self.location.clone(), as_of }, ctx);
    }

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
    fn is_latest(&self) -> bool {
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
    fn follow(&mut self, ctx: &mut Ctx) {
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

    /// Looks at another version. Until that is open, and if it cannot be opened, the one on the
    /// screen stays.
    pub fn travel(&mut self, as_of: AsOf, ctx: &mut Ctx) {
        let shown = self.table.value.as_ref().map(|t| t.version);
        if let (AsOf::Version(wanted), Some(shown)) = (as_of, shown)
            && wanted == shown
        {
            return ctx.note(Tone::Plain, format!("Version {shown} is shown already"));
        }
        if shown.is_none() {
            self.as_of = as_of;
        }
        self.start_open(as_of, ctx);
    }

    /// Another version is open: pane and query stay, everything else is read anew.
    fn forget_version(&mut self, ctx: &mut Ctx) {
        self.stop_reading(ctx);
        (self.files, self.files_pane) = (Load::default(), FilesPane::default());
        (self.summary, self.summarised) = (None, Arc::default());
        (self.overview, self.partitions) = (OverviewPane::default(), PartitionsPane::default());
        self.columns = ColumnsPane::default();
        // The list is of another version; marks and what is looked at hold for any.
        let old = std::mem::take(&mut self.history);
        (self.history.marks, self.history.looks) = (old.marks, old.looks);
        (self.live.small, self.live.doubled) = (Vec::new(), Vec::new());
        (self.diagnosis, self.survey) = (Load::default(), None);
    }

    /// Has a changed text of the SQL editor kept for later sessions.
    pub fn keep_draft(&mut self, ctx: &mut Ctx) {
        if std::mem::take(&mut self.sql.unsaved) {
            let (location, text) = (self.location.clone(), self.sql.text());
            ctx.effects.push(Effect::Keep(Keepsake::Draft { location, text }));
        }
    }

    /// Ends all its jobs.
    pub fn close(&mut self, ctx: &mut Ctx) {
        self.keep_draft(ctx);
        self.table.stop(ctx);
        self.stop_reading(ctx);
        self.tune.stop(ctx);
        if self.sql.cancel(ctx) {
            ctx.note(Tone::Plain, "Query cancelled");
        }
    }

    fn stop_reading(&mut self, ctx: &mut Ctx) {
        self.live.stop(ctx);
        self.files.stop(ctx);
        self.history.stop(ctx);
        self.files_pane.stop(ctx);
        self.diagnosis.stop(ctx);
        if let Some((id, _)) = self.summarising.take() {
            ctx.cancel(id);
        }
    }

    /// On the version that is shown, so that all panes tell of the same one.
    pub fn run_sql(&mut self, max_rows: usize, ctx: &mut Ctx) {
        let version = self.table.value.as_ref().map(|t| t.version);
        self.sql.execute(&self.location, version, max_rows, ctx);
    }

    /// What may be completed in the SQL editor: columns of this table, tables by name, and the
    /// values of its partitions.
    pub fn known(&self, tables: Vec<String>) -> Known {
        /// Values of a partition column that are offered at most.
        const VALUES: usize = 200;
        let Some(table) = &self.table.value else { return Known { tables, ..Known::default() } };
        let columns = table.metadata.schema.iter().map(|f| (f.name.clone(), f.data_type.to_string()));
        let mut all = vec![table.name.clone(), "t".to_owned()];
        all.extend(tables.into_iter().filter(|t| *t != table.name));
        let mut values: Vec<(String, Vec<String>)> = Vec::new();
        if let Some(files) = &self.files.value {
            let dict = &files.list.partitions;
            for (at, name) in dict.columns().iter().enumerate() {
                let of = (0..dict.len() as u32).filter_map(|id| dict.values(id).get(at)?.as_deref());
                let mut seen: Vec<String> = of.map(str::to_owned).collect();
                seen.sort();
                seen.dedup();
                seen.truncate(VALUES);
                values.push((name.clone(), seen));
            }
        }
        Known { tables: all, columns: columns.collect(), values }
    }

    /// Where no version could be opened, one that probably can.
    pub fn readable_version(&self) -> Option<u64> {
        let fault = self.table.fault.as_ref().filter(|_| self.table.value.is_none())?;
        readable_version(fault)
    }

    pub fn unfold_column(&mut self, unfold: bool) {
        let Some(table) = self.table.value.clone() else { return };
        if unfold {
            self.columns.unfold(&table);
        } else {
            self.columns.fold(&table);
        }
    }

    /// Asks for more commits if the pane shows the end of those that are there.
    pub fn feed_history(&mut self, ctx: &mut Ctx) {
        let Some(version) = self.table.value.as_ref().map(|t| t.version) else { return };
        if self.history.load.fault.is_none()
            && (self.history.commits().is_empty() || self.history.nears_end() || self.history.seeks_end())
        {
            self.history.load_more(&self.location, version, ctx);
        }
    }

    /// Opens the selected commit.
    pub fn open_commit(&mut self, ctx: &mut Ctx) {
        let Some(version) = self.table.value.as_ref().map(|t| t.version) else { return };
        if let Some(commit) = self.history.selected().map(|c| c.version) {
            self.history.looks.open_commit(&self.location, version, commit, ctx);
        }
    }

    /// Compares the versions that are marked, or selected.
    pub fn compare(&mut self, ctx: &mut Ctx) {
        if let Some(versions) = self.history.to_compare() {
            self.compare_between(versions, ctx);
        }
    }

    pub fn compare_between(&mut self, versions: (u64, u64), ctx: &mut Ctx) {
        if let Some(version) = self.table.value.as_ref().map(|t| t.version) {
            self.history.looks.compare(&self.location, version, versions, ctx);
        }
    }

    /// Walks through the log, if need be with a look whether the data files are there.
    pub fn walk(&mut self, look_for_files: bool, ctx: &mut Ctx) {
        if let Some(version) = self.table.value.as_ref().map(|t| t.version) {
            self.history.looks.walk(&self.location, version, look_for_files, ctx);
        }
    }

    /// Asks for what the History's view in front needs, if it is not there.
    pub fn feed_looks(&mut self, ctx: &mut Ctx) {
        if self.history.looks.view.needs_past() {
            self.walk(false, ctx);
        }
    }

    /// Takes an event of one of its jobs; those of others are not for it.
    pub fn answer(&mut self, id: JobId, event: JobEvent, ctx: &mut Ctx) {
        if self.table.awaits(id) {
            self.table_answer(event, ctx);
        } else if self.files.awaits(id) {
            self.files_answer(event, ctx);
        } else if self.history.looks.answer(id, &event) {
            // Taken.
        } else if self.history.load.awaits(id) {
            self.history.answer(event);
            if self.history.seeks_end() {
                self.feed_history(ctx);
            }
        } else if self.live.awaits(id) {
            self.live_answer(event, ctx);
        } else if self.diagnosis.awaits(id) {
            self.diagnosis_answer(event);
        } else if self.tune.answer(id, &event) {
        } else if self.sql.awaits(id) {
            self.sql.answer(event);
        } else if self.summarising.as_ref().is_some_and(|(job, _)| *job == id) {
            self.summary_answer(event, ctx);
        } else {
            self.files_pane.answer(id, &event, ctx);
        }
    }

    fn table_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
        match event {
            JobEvent::Progress(progress) => self.table.progress = Some(progress),
            JobEvent::Opened(table) => self.opened(table, ctx),
            JobEvent::Failed(fault) => self.open_failed(fault, ctx),
            _ => {}
        }
    }

    fn open_failed(&mut self, fault: Fault, ctx: &mut Ctx) {
        if self.table.value.is_some() && self.opening != self.as_of {
            let what = match self.opening {
                AsOf::Latest => "The latest version".to_owned(),
                other => format!("Version {other}"),
            };
            ctx.note(Tone::Warning, format!("{what} cannot be opened: {fault}"));
            (self.table.job, self.table.progress) = (None, None);
            self.opening = self.as_of;
            self.follow(ctx);
        } else {
            self.table.fail(fault);
        }
    }

    fn opened(&mut self, table: Arc<Table>, ctx: &mut Ctx) {
        let travelled = self.opening != self.as_of;
        self.as_of = self.opening;
        let before = self.table.value.take().filter(|_| !travelled);
        if travelled {
            self.forget_version(ctx);
        }
        let (location, version) = (self.location.clone(), table.version);
        self.columns.set(&table);
        match &before {
            Some(old) if old.version == version => {
                let text = same_version(old, &table);
                if self.files.complete && self.history.load.fault.is_none() {
                    self.table.done(table);
                    self.follow(ctx);
                    if self.diagnosis.fault.is_some() {
                        self.gather(false, ctx);
                    }
                    return ctx.note(Tone::Plain, text);
                }
            }
            Some(old) => ctx.note(Tone::Good, format!("Version {} → {version}", old.version)),
            None => {}
        }
        self.table.done(table);
        self.files.start(Job::Files { location: location.clone(), version, records: true }, ctx);
        self.history = self.history.renewed(ctx);
        self.history.load_more(&location, version, ctx);
        self.feed_looks(ctx);
    }

    fn files_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
        match event {
            JobEvent::Progress(progress) => self.files.progress = Some(progress),
            JobEvent::PartialFiles(list) if !self.files.complete => {
                let list = Arc::new(list);
                self.files.value = Some(FileSet { list: list.clone(), ..FileSet::default() });
                self.new_list(list, ctx);
            }
            JobEvent::Files { list, tombstones, warnings } => {
                let list = Arc::new(list);
                self.files.done(FileSet { list: list.clone(), tombstones, warnings });
                self.new_list(list, ctx);
                self.renew(ctx);
                self.follow(ctx);
            }
            JobEvent::Failed(fault) => self.files.fail(fault),
            _ => {}
        }
    }

    fn live_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
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
            self.history.load.stop(ctx);
            self.history = HistoryPane::starting_at(self.history.scroll);
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

    fn new_list(&mut self, list: Arc<FileList>, ctx: &mut Ctx) {
        self.files_pane.set_list(list.clone(), self.files.complete, ctx);
        // As with sorting: a growing list is summed up again only when it has doubled.
        let grown = list.len() >= 2 * self.summarised.len() && self.summarising.is_none();
        if self.files.complete || grown {
            self.summarise(list, ctx);
        }
    }

    fn summarise(&mut self, list: Arc<FileList>, ctx: &mut Ctx) {
        if let Some((id, _)) = self.summarising.take() {
            ctx.cancel(id);
        }
        let Some(table) = self.table.value.clone() else { return };
        let work = Work::Summarise { list: list.clone(), table };
        if !work.is_small() {
            self.summarising = Some((ctx.start(Job::Compute(work)), list));
        } else if let JobEvent::Summary(summary) = work.run(&|| false) {
            self.set_summary(summary, list);
        }
    }

    fn summary_answer(&mut self, event: JobEvent, ctx: &mut Ctx) {
        let Some((_, list)) = self.summarising.take() else { return };
        let JobEvent::Summary(summary) = event else { return };
        let len = list.len();
        self.set_summary(summary, list);
        let latest = self.files.value.as_ref().map(|f| f.list.clone()).unwrap_or_default();
        if latest.len() >= 2 * len.max(1) {
            self.summarise(latest, ctx);
        }
    }

    fn set_summary(&mut self, summary: Arc<Summary>, list: Arc<FileList>) {
        self.partitions.set(summary.clone());
        self.summary = Some(summary);
        self.summarised = list;
        if let (true, Some(table), Some(summary)) =
            (self.summary_is_final(), &self.table.value, &self.summary)
        {
            self.live.sample(table.version, summary);
        }
    }

    /// Whether the figures are those of all files.
    pub fn summary_is_final(&self) -> bool {
        let list = self.files.value.as_ref().map(|f| &f.list);
        self.files.complete && list.is_some_and(|l| Arc::ptr_eq(l, &self.summarised))
    }

    fn reading(&self) -> bool {
        self.table.running() || self.files.running() || self.live.is_asked()
    }

    /// The job that one waits for most: that of the pane in front, else any other.
    pub fn foremost(&self) -> Option<Running> {
        use Running::{Commits, Findings, Planning, Query, Reading};
        let order = match self.pane {
            Pane::Sql => [Query, Reading, Commits, Planning, Findings],
            Pane::History => [Commits, Reading, Query, Planning, Findings],
            Pane::Tune => [Planning, Reading, Query, Findings, Commits],
            _ => [Reading, Query, Findings, Commits, Planning],
        };
        order.into_iter().find(|what| match what {
            Query => self.sql.is_running(),
            Reading => self.reading(),
            Commits => self.history.load.running() || self.history.looks.running(),
            Planning => self.tune.is_planning(),
            Findings => self.diagnosis.running(),
        })
    }

    /// Cancels the foremost job.
    pub fn cancel_running(&mut self, ctx: &mut Ctx) {
        let text = match self.foremost() {
            None => return,
            Some(Running::Query) => {
                self.sql.cancel(ctx);
                "Query cancelled; F5 runs it again"
            }
            Some(Running::Planning) => {
                self.tune.cancel(ctx);
                "Cancelled; r plans again"
            }
            Some(Running::Findings) => {
                self.diagnosis.cancel(ctx);
                "Cancelled; r reads again"
            }
            Some(Running::Commits) => {
                self.history.load.cancel(ctx);
                self.history.looks.cancel(ctx);
                "Cancelled; r reads again"
            }
            Some(Running::Reading) if self.table.running() => {
                if self.table.value.is_some() && self.opening != self.as_of {
                    self.table.stop(ctx);
                    self.opening = self.as_of;
                    self.follow(ctx);
                    "Cancelled; the version shown stays"
                } else {
                    self.table.cancel(ctx);
                    "Cancelled; r reads again"
                }
            }
            Some(Running::Reading) if self.live.is_asked() => {
                self.live.stop(ctx);
                self.follow(ctx);
                "Cancelled; r looks again"
            }
            Some(Running::Reading) => {
                self.files.cancel(ctx);
                "Cancelled; r reads again"
            }
        };
        ctx.note(Tone::Plain, text);
    }
}

/// A job of an open table, as the user knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    Query,
    /// The log, then the files.
    Reading,
    Commits,
    /// What a change would do.
    Planning,
    /// Statistics and what follows from them.
    Findings,
}

/// What a refresh says that found the same version again.
fn same_version(old: &Table, new: &Table) -> String {
    let version = new.version;
    let news = new.log.newer_versions.saturating_sub(old.log.newer_versions);
    let s = |n: u64| if n == 1 { "" } else { "s" };
    match (news, new.log.newer_versions) {
        (0, 0) => format!("Nothing new: still version {version}"),
        (0, newer) => format!("Nothing new; you look at v{version}, {newer} version{} back", s(newer)),
        (news, _) => format!("{news} new version{}; you look at v{version}", s(news)),
    }
}
