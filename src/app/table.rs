//! An open table: what was read of it, and its panes.

use std::sync::Arc;

use super::ctx::{Ctx, Tone};
use super::load::Load;
use super::msg::{Job, JobEvent, JobId};
use super::pane::Pane;
use super::pane::columns::ColumnsPane;
use super::pane::files::FilesPane;
use super::pane::history::HistoryPane;
use super::pane::overview::OverviewPane;
use super::pane::partitions::PartitionsPane;
use super::pane::sql::SqlPane;
use super::summary::Summary;
use super::work::Work;
use crate::model::files::FileList;
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
    pub table: Load<Arc<Table>>,
    pub files: Load<FileSet>,
    pub summary: Option<Arc<Summary>>,
    /// The list that the summary is of.
    summarised: Arc<FileList>,
    summarising: Option<(JobId, Arc<FileList>)>,
    pub pane: Pane,
    pub overview: OverviewPane,
    pub files_pane: FilesPane,
    pub partitions: PartitionsPane,
    pub columns: ColumnsPane,
    pub history: HistoryPane,
    pub sql: SqlPane,
}

impl TableView {
    /// Starts to open the table. `query`: the text to start with in the SQL editor.
    pub fn open(location: &str, as_of: AsOf, query: &str, ctx: &mut Ctx) -> Self {
        let mut view = TableView {
            location: location.to_owned(),
            as_of,
            table: Load::default(),
            files: Load::default(),
            summary: None,
            summarised: Arc::default(),
            summarising: None,
            pane: Pane::Overview,
            overview: OverviewPane::default(),
            files_pane: FilesPane::default(),
            partitions: PartitionsPane::default(),
            columns: ColumnsPane::default(),
            history: HistoryPane::default(),
            sql: SqlPane::new(query),
        };
        view.start_open(ctx);
        view
    }

    fn start_open(&mut self, ctx: &mut Ctx) {
        self.table.start(Job::Open { location: self.location.clone(), as_of: self.as_of }, ctx);
    }

    /// Reads the table again; what is on the screen stays until news come.
    pub fn refresh(&mut self, ctx: &mut Ctx) {
        self.start_open(ctx);
    }

    /// Looks at another version: pane and query stay, everything else is read anew.
    pub fn travel(&mut self, as_of: AsOf, ctx: &mut Ctx) {
        self.close(ctx);
        let mut view = TableView::open(&self.location, as_of, "", ctx);
        std::mem::swap(&mut view.sql, &mut self.sql);
        view.pane = self.pane;
        *self = view;
    }

    /// Ends all its jobs.
    pub fn close(&mut self, ctx: &mut Ctx) {
        self.table.stop(ctx);
        self.files.stop(ctx);
        self.history.load.stop(ctx);
        self.sql.cancel(ctx);
        self.files_pane.stop(ctx);
        if let Some((id, _)) = self.summarising.take() {
            ctx.cancel(id);
        }
    }

    /// The version that is shown, if one is asked for that may not be the latest.
    fn sql_version(&self) -> Option<u64> {
        let version = self.table.value.as_ref().map(|t| t.version);
        version.filter(|_| self.as_of != AsOf::Latest)
    }

    pub fn run_sql(&mut self, max_rows: usize, ctx: &mut Ctx) {
        let version = self.sql_version();
        self.sql.execute(&self.location, version, max_rows, ctx);
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
            && (self.history.commits().is_empty() || self.history.nears_end())
        {
            self.history.load_more(&self.location, version, ctx);
        }
    }

    /// Takes an event of one of its jobs; those of others are not for it.
    pub fn answer(&mut self, id: JobId, event: JobEvent, ctx: &mut Ctx) {
        if self.table.awaits(id) {
            self.table_answer(event, ctx);
        } else if self.files.awaits(id) {
            self.files_answer(event, ctx);
        } else if self.history.load.awaits(id) {
            self.history.answer(event);
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
            JobEvent::Failed(fault) => self.table.fail(fault),
            _ => {}
        }
    }

    fn opened(&mut self, table: Arc<Table>, ctx: &mut Ctx) {
        let before = self.table.value.as_ref().map(|t| t.version);
        let (location, version) = (self.location.clone(), table.version);
        self.columns.set(&table);
        self.table.done(table);
        match before {
            Some(old) if old == version && self.files.complete && self.history.load.fault.is_none() => {
                return ctx.note(Tone::Plain, format!("Nothing new: still version {version}"));
            }
            Some(old) if old != version => ctx.note(Tone::Good, format!("Version {old} → {version}")),
            _ => {}
        }
        self.files.start(Job::Files { location: location.clone(), version, records: true }, ctx);
        self.history.load.stop(ctx);
        self.history = HistoryPane::starting_at(self.history.scroll);
        self.history.load_more(&location, version, ctx);
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
    }

    /// Whether the figures are those of all files.
    pub fn summary_is_final(&self) -> bool {
        let list = self.files.value.as_ref().map(|f| &f.list);
        self.files.complete && list.is_some_and(|l| Arc::ptr_eq(l, &self.summarised))
    }

    /// Whether a job runs for what is in focus.
    pub fn something_runs(&self) -> bool {
        match self.pane {
            Pane::Sql => self.sql.is_running(),
            Pane::History => self.history.load.running() || self.reading(),
            _ => self.reading(),
        }
    }

    fn reading(&self) -> bool {
        self.table.running() || self.files.running()
    }

    /// Cancels the job of what is in focus.
    pub fn cancel_running(&mut self, ctx: &mut Ctx) {
        let stopped = match self.pane {
            Pane::Sql => self.sql.cancel(ctx),
            Pane::History => self.history.load.cancel(ctx) || self.cancel_reading(ctx),
            _ => self.cancel_reading(ctx),
        };
        if stopped {
            let again = if self.pane == Pane::Sql { "F5 runs it again" } else { "r reads again" };
            ctx.note(Tone::Plain, format!("Cancelled; {again}"));
        }
    }

    fn cancel_reading(&mut self, ctx: &mut Ctx) -> bool {
        // The files come after the table, so at most one of them runs for long.
        self.files.cancel(ctx) || self.table.cancel(ctx)
    }
}
