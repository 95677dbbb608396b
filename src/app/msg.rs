//! Everything that can happen to the screen, and everything it can ask for.

use std::sync::Arc;

use crate::model::change::{Change, Done, PlanView, TaskProgress};
use crate::model::commit_view::CommitView;
use crate::model::diff_rows::Compared;
use crate::model::expiry::Versions;
use crate::model::export::{Export, Exported};
use crate::model::files::FileList;
use crate::model::footer::Footer;
use crate::model::footer_totals::Report as Survey;
use crate::model::grid::GridColumn;
use crate::model::history::Commit;
use crate::model::lakehouse::Found;
use crate::model::past::Past;
use crate::model::progress::Progress;
use crate::model::prune::PruneReport;
use crate::model::query_plan::QueryPlan;
use crate::model::run_facts::RunFacts;
use crate::model::table::{AsOf, Table, Tombstones};
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

use super::diagnosis::Diagnosis;
use super::frame::Drawn;
use super::key::{Key, Mouse};
use super::live::News;
use super::summary::Summary;
use super::work::{Spread, Work};

/// A background job. Ids are never used twice, so an answer to a job that the state no longer
/// waits for is recognised and dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// An event for [`crate::app::update`].
#[derive(Debug, Clone)]
pub enum Msg {
    Key(Key),
    Paste(String),
    Mouse(Mouse),
    Resize {
        width: u16,
        height: u16,
    },
    /// The clock, at most once a second and only while [`crate::app::App::wants_clock`].
    Now(Millis),
    Job(JobId, JobEvent),
    /// The text of the query, as the person's own editor left it.
    Edited(String),
    /// An effect could not be carried out, such as a copy that is too large; to be shown in passing.
    Notice(Fault),
    /// What the frame that was just drawn looks like; follows every frame, and asks for none.
    Drawn(Drawn),
    /// SIGTERM, SIGHUP or a closed terminal: end without questions.
    Terminate,
}

/// What a job reports. Progress and partial results are last-value-wins; exactly one of the
/// closing events (see [`JobEvent::closes`]) comes last.
#[derive(Debug, Clone)]
pub enum JobEvent {
    Progress(Progress),
    Looked(Found),
    Opened(Arc<Table>),
    PartialFiles(FileList),
    Files {
        list: FileList,
        tombstones: Option<Tombstones>,
        warnings: Vec<String>,
    },
    /// Newest first, following those that came before.
    Commits(Vec<Commit>),
    /// What the log can rebuild in spite of what is wrong with commits that came; None if nothing is.
    CommitsEnd(Option<Vec<Versions>>),
    /// The answer of [`Job::Commit`].
    Commit(Arc<CommitView>),
    /// The answer of [`Job::Compare`].
    Compared(Arc<Compared>),
    /// The answer of [`Job::Walk`].
    Past(Arc<Past>),
    SqlColumns(Vec<GridColumn>),
    /// The answer to EXPLAIN; its rows, which say the same, follow.
    SqlPlan(Arc<QueryPlan>),
    /// Rows that follow those that came before.
    SqlRows(Vec<Vec<Option<String>>>),
    /// What the query cost; before its end.
    SqlFacts(Arc<RunFacts>),
    /// The statement asks for a change of the table: it is to be planned.
    SqlChange(Box<Change>),
    SqlEnd {
        rows: u64,
        truncated: bool,
        millis: u64,
    },
    /// The answer of [`Job::Compute`].
    Summary(Arc<Summary>),
    /// The answer of [`Job::Compute`]: indexes into the list, in the order asked for.
    Arranged(Arc<[u32]>),
    /// The answer of [`Job::Compute`].
    Spread(Arc<Spread>),
    /// The answer of [`Job::Follow`].
    News(Box<News>),
    /// The answer of [`Job::Follow`] if it was to look once and found nothing.
    NoNews,
    /// A look for newer commits failed, and the next one comes after so many seconds; none: they
    /// succeed again.
    LookFailed(Option<(Fault, u32)>),
    /// The answer of [`Job::Diagnose`].
    Diagnosis(Arc<Diagnosis>),
    /// The answer of [`Job::Footer`].
    Footer(Arc<Footer>),
    /// The answer of [`Job::Survey`].
    Survey(Arc<Survey>),
    /// The answer of [`Job::Prune`].
    Pruned(Arc<PruneReport>),
    /// The answer of [`Job::Plan`]; the plan itself is kept under the job's id.
    Planned(Arc<PlanView>),
    /// How far a change is; last-value-wins.
    Task(TaskProgress),
    /// A line for a change's log.
    TaskNote(String),
    /// The answer of [`Job::Run`].
    Changed(Box<Done>),
    /// The answer of [`Job::Export`].
    Exported(Box<Exported>),
    /// Any job's other end.
    Failed(Fault),
}

impl JobEvent {
    /// Whether this is a job's last event.
    pub fn closes(&self) -> bool {
        match self {
            JobEvent::Looked(_)
            | JobEvent::Opened(_)
            | JobEvent::Files { .. }
            | JobEvent::CommitsEnd(_)
            | JobEvent::Commit(_)
            | JobEvent::Compared(_)
            | JobEvent::Past(_)
            | JobEvent::SqlEnd { .. }
            | JobEvent::SqlChange(_)
            | JobEvent::Summary(_)
            | JobEvent::Arranged(_)
            | JobEvent::Spread(_)
            | JobEvent::News(_)
            | JobEvent::NoNews
            | JobEvent::Diagnosis(_)
            | JobEvent::Footer(_)
            | JobEvent::Survey(_)
            | JobEvent::Pruned(_)
            | JobEvent::Planned(_)
            | JobEvent::Changed(_)
            | JobEvent::Exported(_)
            | JobEvent::Failed(_) => true,
            JobEvent::Progress(_)
            | JobEvent::PartialFiles(_)
            | JobEvent::LookFailed(_)
            | JobEvent::Commits(_)
            | JobEvent::SqlColumns(_)
            | JobEvent::SqlPlan(_)
            | JobEvent::SqlFacts(_)
            | JobEvent::SqlRows(_)
            | JobEvent::Task(_)
            | JobEvent::TaskNote(_) => false,
        }
    }
}

/// What the state machine asks the runtime to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Start(JobId, Job),
    Cancel(JobId),
    /// To the clipboard (OSC 52).
    Copy(String),
    /// For later sessions.
    Keep(Keepsake),
    /// Ctrl-Z.
    Suspend,
    /// Gives the text to the person's own editor; answered by [`Msg::Edited`] or [`Msg::Notice`].
    Edit(String),
    Mouse {
        capture: bool,
    },
    Quit,
}

/// What is wanted of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ask {
    /// Its rows.
    #[default]
    Rows,
    /// How it would run.
    Explain,
    /// How it ran.
    Analyze,
}

/// What later sessions shall know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keepsake {
    /// A query was run.
    Ran(String),
    /// All queries that are saved now.
    Saved(Vec<String>),
    /// The text of a location's SQL editor; empty: none.
    Draft { location: String, text: String },
}

/// A background job, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// What is at the location?
    Look {
        location: String,
    },
    Open {
        location: String,
        as_of: AsOf,
    },
    /// Files of the table at that version; with tombstones counted.
    Files {
        location: String,
        version: u64,
        records: bool,
    },
    /// Commits from `newest` down (none: from the table's version).
    Commits {
        location: String,
        version: u64,
        newest: Option<u64>,
        limit: usize,
    },
    /// One commit with all its actions.
    Commit {
        location: String,
        /// The table's.
        version: u64,
        commit: u64,
    },
    /// What changed between two versions.
    Compare {
        location: String,
        version: u64,
        from: u64,
        to: u64,
    },
    /// A walk through the whole log; with a listing of the data files if wanted.
    Walk {
        location: String,
        version: u64,
        look_for_files: bool,
    },
    /// Waits for commits after that version and reads them; with `now` it looks at once, and only
    /// once. Only what is new is read, if the files of that version were read before.
    Follow {
        location: String,
        version: u64,
        /// Seconds between two looks.
        interval: u32,
        now: bool,
    },
    /// Runs one statement; rows past `max_rows` are not sent, and the query is ended.
    Sql {
        location: String,
        version: Option<u64>,
        text: String,
        ask: Ask,
        max_rows: usize,
    },
    /// Writes all rows of a statement.
    Export(Box<Export>),
    /// What is wrong with the table and how its columns lie; with `deep` also what takes longer to
    /// look at: the footers of a large table's files (a sample), and a listing of its folder.
    Diagnose {
        location: String,
        version: u64,
        deep: bool,
    },
    /// One data file's footer. `path` and `size` are the log's.
    Footer {
        location: String,
        version: u64,
        path: String,
        size: u64,
    },
    /// The footers of all files summed up, of a sample of a large table's.
    Survey {
        location: String,
        version: u64,
    },
    /// Which files a query with that condition would read.
    Prune {
        location: String,
        version: u64,
        predicate: String,
    },
    /// What a change of the latest version would do; nothing is touched.
    Plan {
        location: String,
        change: Change,
    },
    /// Carries out the plan that this job made.
    Run {
        plan: JobId,
    },
    /// Pure work too long for a frame: the runtime calls [`Work::run`] on a thread of its own.
    Compute(Work),
}

/// How a job's answer is produced, for those that answer once.
pub type Answer = Outcome<JobEvent>;
