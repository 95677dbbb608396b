//! An open table: what was read of it, and its panes.

mod live;
mod sql;

use std::sync::Arc;

use super::ctx::{Ctx, Tone};
use super::diagnosis::Diagnosis;
use super::live::Live;
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
use super::summary::Summary;
use super::work::Work;
use crate::model::Fault;
use crate::model::files::FileList;
use crate::model::footer_totals::Report as Survey;
use crate::model::recover::readable_version;
use crate::model::table::{AsOf, Table, Tombstones};

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
        self.sql.queue.clear();
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
            self.sql_answer(event, ctx);
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
                let text = live::same_version(old, &table);
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
                self.next_sql(ctx);
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
