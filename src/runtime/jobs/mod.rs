//! Background work: each job is a task on worker threads of its own, so that the screen never
//! waits for reading, decoding or a query.
//!
//! Every job that was started ends with exactly one closing event, whatever happens to it: its
//! answer, its fault, its cancellation or its panic.

mod change;
mod commits;
mod diagnose;
mod export;
mod files;
mod follow;
mod look;
mod report;
mod slots;
mod sql;
mod supervise;
mod tables;
mod time;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::executor::{BLOCKING_THREADS, WORKER_STACK};
use crate::advice::Thresholds;
use crate::app::work::Work;
use crate::app::{Job, JobEvent, JobId};
use crate::lake::place::StorageOptions;
use crate::lake::sql::Limits;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

use change::Plans;
use report::Report;
use slots::Slots;
use tables::Tables;

/// Events that wait for the screen at most; a job that is ahead of it waits too.
const WAITING: usize = 16;

/// Progress and partial results reach the screen at most four times a second.
const PROGRESS: Duration = Duration::from_millis(250);

/// How long a cancelled job may take to end by itself before it is dropped.
const GRACE: Duration = Duration::from_secs(1);

/// The same for one that changes a table: it deletes what it staged, and waits for the outcome of a
/// commit that was sent.
const CHANGE_GRACE: Duration = Duration::from_secs(120);

/// How long the end of the program waits for changes.
const END: Duration = Duration::from_secs(5);

/// The running jobs. Dropping this ends them without waiting.
pub struct Jobs {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    send: mpsc::Sender<(JobId, JobEvent)>,
    receive: mpsc::Receiver<(JobId, JobEvent)>,
    running: HashMap<JobId, Running>,
    /// Values taken from the slots.
    ready: VecDeque<(JobId, JobEvent)>,
    slots_taken: Option<Instant>,
    /// A value waits in the slots, for this moment.
    slots_due: Option<Instant>,
}

struct Running {
    cancel: CancellationToken,
    /// It writes: it cleans up before it ends.
    changes: bool,
}

/// What jobs may do, and what they go by.
#[derive(Debug, Clone, Default)]
pub struct Powers {
    /// Changes may be run, not only planned.
    pub allow_writes: bool,
    pub limits: Thresholds,
    /// Bytes that rewriting may hold in memory; none: a share of the machine's.
    pub memory: Option<u64>,
    /// Those of a query.
    pub sql: Limits,
    /// Where the journal of changes lies; none: no journal is kept.
    pub data_folder: Option<PathBuf>,
}

/// What the jobs share.
struct Shared {
    options: StorageOptions,
    powers: Powers,
    tables: Tables,
    plans: Plans,
    slots: Slots,
}

impl Jobs {
    /// Starts the worker threads. `options` open every location.
    pub fn new(options: StorageOptions, powers: Powers) -> Outcome<Jobs> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("deltop-job")
            .thread_stack_size(WORKER_STACK)
            .max_blocking_threads(BLOCKING_THREADS)
            .build()
            .map_err(|e| Fault::read("no-runtime", "Cannot start worker threads").because(e))?;
        let (send, receive) = mpsc::channel(WAITING);
        Ok(Jobs {
            runtime: Some(runtime),
            shared: Arc::new(Shared {
                options,
                powers,
                tables: Tables::default(),
                plans: Plans::default(),
                slots: Slots::default(),
            }),
            send,
            receive,
            running: HashMap::new(),
            ready: VecDeque::new(),
            slots_taken: None,
            slots_due: None,
        })
    }

    pub fn start(&mut self, id: JobId, job: Job) {
        let Some(runtime) = &self.runtime else { return };
        let cancel = CancellationToken::new();
        let changes = matches!(job, Job::Run { .. } | Job::Export(_));
        self.running.insert(id, Running { cancel: cancel.clone(), changes });
        self.shared.slots.open(id);
        let work = {
            let shared = self.shared.clone();
            let report = Report::new(id, self.send.clone());
            let watch = watch(id, cancel.clone(), &shared);
            async move { run(id, job, &shared, &report, &watch).await }
        };
        let (shared, send) = (self.shared.clone(), self.send.clone());
        runtime.spawn(async move {
            let event = supervise::run(work, cancel, if changes { CHANGE_GRACE } else { GRACE }).await;
            shared.slots.close(id);
            // Nobody listens any more while the program ends.
            drop(send.send((id, event)).await);
        });
    }

    /// Asks a job to end; its closing event follows soon, whatever it does.
    pub fn cancel(&mut self, id: JobId) {
        if let Some(running) = self.running.get(&id) {
            running.cancel.cancel();
        }
    }

    /// Ends all jobs. Waits for those that change a table, so that they take away what they staged;
    /// but not for long.
    pub async fn end(&mut self) {
        self.running.values().for_each(|job| job.cancel.cancel());
        let changes: Vec<JobId> =
            self.running.iter().filter(|(_, job)| job.changes).map(|(id, _)| *id).collect();
        let ended = async {
            while changes.iter().any(|id| self.running.contains_key(id)) {
                self.next().await;
            }
        };
        if tokio::time::timeout(END, ended).await.is_err() {
            tracing::warn!("a change did not end in time; what it staged is named in the journal");
        }
    }

    /// The next event of any job. Can be dropped and called again without loss.
    pub async fn next(&mut self) -> (JobId, JobEvent) {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return event;
            }
            let due = self.slots_due.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                // The channel cannot close while `self.send` lives.
                Some(event) = self.receive.recv() => return self.taken(event),
                () = self.shared.slots.changed(), if self.slots_due.is_none() => self.slots_changed(),
                () = sleep_until(due), if self.slots_due.is_some() => self.take_slots(),
            }
        }
    }

    /// An event that is there already.
    pub fn try_next(&mut self) -> Option<(JobId, JobEvent)> {
        if let Some(event) = self.ready.pop_front() {
            return Some(event);
        }
        self.receive.try_recv().ok().map(|event| self.taken(event))
    }

    fn taken(&mut self, (id, event): (JobId, JobEvent)) -> (JobId, JobEvent) {
        if event.closes() {
            self.running.remove(&id);
        }
        (id, event)
    }

    fn slots_changed(&mut self) {
        let now = Instant::now();
        self.slots_due = Some(self.slots_taken.map_or(now, |last| now.max(last + PROGRESS)));
    }

    fn take_slots(&mut self) {
        self.ready = self.shared.slots.take();
        self.slots_taken = Some(Instant::now());
        self.slots_due = None;
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for running in self.running.values() {
            running.cancel.cancel();
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn watch(id: JobId, cancel: CancellationToken, shared: &Arc<Shared>) -> Watch {
    let (a, b) = (shared.clone(), shared.clone());
    Watch::new(cancel)
        .on_progress(move |progress| a.slots.progress(id, progress))
        .on_partial_files(move |list| b.slots.partial(id, list))
}

/// Pure work goes to a thread where it blocks nobody.
async fn compute(work: Work, watch: &Watch) -> Outcome<JobEvent> {
    let cancel = watch.cancel.clone();
    let done = tokio::task::spawn_blocking(move || work.run(&|| cancel.is_cancelled())).await;
    done.or_else(|error| match error.try_into_panic() {
        Ok(payload) => std::panic::resume_unwind(payload),
        Err(_) => Err(Fault::cancelled()),
    })
}

async fn run(id: JobId, job: Job, shared: &Arc<Shared>, report: &Report, watch: &Watch) -> Outcome<JobEvent> {
    // Neither locations nor statements: both may hold credentials.
    tracing::debug!(kind = name(&job), "job starts");
    match job {
        Job::Look { location } => look::look(&location, shared, watch).await,
        Job::Open { location, as_of } => look::open(&location, as_of, shared, watch).await,
        Job::Files { location, version, records } => {
            files::files(&location, version, records, shared, report, watch).await
        }
        Job::Commits { location, version, newest, limit } => {
            commits::commits(&location, version, newest, limit, shared, report, watch).await
        }
        Job::Commit { location, version, commit } => {
            time::commit(&location, version, commit, shared, watch).await
        }
        Job::Compare { location, version, from, to } => {
            time::compare(&location, version, (from, to), shared, watch).await
        }
        Job::Walk { location, version, look_for_files } => {
            time::walk(&location, version, look_for_files, shared, watch).await
        }
        Job::Follow { location, version, interval, now } => {
            follow::follow(follow::Follow { location, version, interval, now }, shared, report, watch).await
        }
        Job::Sql { location, version, text, max_rows } => {
            sql::run(sql::Query { location, version, text, max_rows }, shared, report, watch).await
        }
        Job::Export(order) => export::run(id, *order, shared, watch).await,
        Job::Diagnose { location, version, deep } => {
            diagnose::diagnose(&location, version, deep, shared, watch).await
        }
        Job::Footer { location, version, path, size } => {
            diagnose::footer(&location, version, &path, size, shared, watch).await
        }
        Job::Survey { location, version } => diagnose::survey(&location, version, shared, watch).await,
        Job::Prune { location, version, predicate } => {
            diagnose::prune(&location, version, &predicate, shared, watch).await
        }
        Job::Plan { location, change } => change::plan(id, &location, &change, shared, watch).await,
        Job::Run { plan } => change::run(id, plan, shared, report, watch).await,
        Job::Compute(work) => compute(work, watch).await,
    }
}

fn name(job: &Job) -> &'static str {
    match job {
        Job::Look { .. } => "look",
        Job::Open { .. } => "open",
        Job::Files { .. } => "files",
        Job::Commits { .. } => "commits",
        Job::Commit { .. } => "commit",
        Job::Compare { .. } => "compare",
        Job::Walk { .. } => "walk",
        Job::Follow { .. } => "follow",
        Job::Sql { .. } => "sql",
        Job::Export(_) => "export",
        Job::Diagnose { .. } => "diagnose",
        Job::Footer { .. } => "footer",
        Job::Survey { .. } => "survey",
        Job::Prune { .. } => "prune",
        Job::Plan { .. } => "plan",
        Job::Run { .. } => "run",
        Job::Compute(_) => "compute",
    }
}
