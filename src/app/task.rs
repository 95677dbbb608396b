//! What runs in the background: changes, one after the other on a table, and exports.

use super::ctx::Ctx;
use super::msg::{Job, JobEvent, JobId};
use super::pane::tune::on_screen;
use crate::model::change::{Change, Done, Phase, PlanView, TaskProgress};
use crate::model::export::{Export, Exported};
use crate::model::units::Millis;
use crate::model::{Fault, units};

/// Lines kept of a task's log.
const LOG_LINES: usize = 200;

/// Ended tasks kept.
const KEPT: usize = 50;

/// A change from its confirmation on, or an export.
#[derive(Debug, Clone)]
pub struct Task {
    /// What it does, in a few words.
    pub title: String,
    pub table: String,
    pub location: String,
    pub work: TaskWork,
    pub state: TaskState,
    pub progress: TaskProgress,
    /// What happened, oldest first, in lines.
    pub log: Vec<String>,
    pace: Option<Pace>,
}

/// What a task does.
#[derive(Debug, Clone)]
pub enum TaskWork {
    /// `plan`: the job that made the plan; what runs is that very plan.
    Change { change: Change, plan: JobId },
    /// Changes nothing, and waits for nothing.
    Export(Box<Export>),
}

#[derive(Debug, Clone)]
pub enum TaskState {
    /// For the table's task before it.
    Waiting,
    Running(JobId),
    /// Asked to end; the outcome is still to come.
    Ending(JobId),
    Done(Box<Done>),
    Exported(Box<Exported>),
    Failed(Fault),
}

/// When and where the present phase started, as far as the clock has told.
#[derive(Debug, Clone, Copy)]
struct Pace {
    phase: Phase,
    since: Millis,
    bytes: u64,
    now: Millis,
}

/// What an ended task means for the rest of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub task: usize,
    pub location: String,
    /// Whether the table was changed.
    pub committed: bool,
}

impl Task {
    /// The change; none for an export.
    pub fn change(&self) -> Option<&Change> {
        match &self.work {
            TaskWork::Change { change, .. } => Some(change),
            TaskWork::Export(_) => None,
        }
    }

    /// The export; none for a change.
    pub fn export(&self) -> Option<&Export> {
        match &self.work {
            TaskWork::Export(order) => Some(order),
            TaskWork::Change { .. } => None,
        }
    }

    fn is_of_plan(&self, id: JobId) -> bool {
        matches!(self.work, TaskWork::Change { plan, .. } if plan == id)
    }

    pub fn job(&self) -> Option<JobId> {
        match self.state {
            TaskState::Running(job) | TaskState::Ending(job) => Some(job),
            _ => None,
        }
    }

    /// Waiting or at work.
    pub fn is_open(&self) -> bool {
        matches!(self.state, TaskState::Waiting | TaskState::Running(_) | TaskState::Ending(_))
    }

    /// Bytes a second in the present phase; none until a second has passed.
    pub fn rate(&self) -> Option<u64> {
        let pace = self.pace.filter(|p| p.phase == self.progress.phase && p.now > p.since)?;
        let bytes = self.progress.bytes_done.checked_sub(pace.bytes)?;
        let rate = u128::from(bytes) * 1000 / u128::try_from(pace.now - pace.since).ok()?;
        u64::try_from(rate).ok().filter(|r| *r > 0)
    }

    /// Milliseconds that the present phase will still take at its rate.
    pub fn left(&self) -> Option<u64> {
        let rest = self.progress.bytes_total?.checked_sub(self.progress.bytes_done)?;
        u64::try_from(u128::from(rest) * 1000 / u128::from(self.rate()?)).ok()
    }

    fn note(&mut self, line: String) {
        if self.log.last() == Some(&line) {
            return;
        }
        if self.log.len() == LOG_LINES {
            self.log.remove(0);
        }
        self.log.push(line);
    }

    fn take_progress(&mut self, progress: TaskProgress) {
        if progress.phase != self.progress.phase {
            self.pace = None;
            self.note(progress.phase.word().to_owned());
        }
        if let Some(line) = progress.note.clone() {
            self.note(line);
        }
        self.progress = progress;
    }

    fn tick(&mut self, now: Millis) {
        if !matches!(self.state, TaskState::Running(_) | TaskState::Ending(_)) {
            return;
        }
        let (phase, bytes) = (self.progress.phase, self.progress.bytes_done);
        let pace = self.pace.get_or_insert(Pace { phase, since: now, bytes, now });
        pace.now = now;
    }
}

/// All tasks since the start, oldest first.
#[derive(Debug, Default)]
pub struct Tasks {
    pub list: Vec<Task>,
}

impl Tasks {
    /// Tasks that wait or are at work.
    pub fn open(&self) -> usize {
        self.list.iter().filter(|t| t.is_open()).count()
    }

    pub fn running(&self) -> bool {
        self.list.iter().any(|t| t.job().is_some())
    }

    /// The task that runs a plan, if it was started.
    pub fn of_plan(&self, plan: JobId) -> Option<(usize, &Task)> {
        self.list.iter().enumerate().find(|(_, t)| t.is_of_plan(plan))
    }

    /// Takes the change into the queue, and starts it if nothing else changes its table.
    pub fn push(
        &mut self,
        title: String,
        location: &str,
        table: &str,
        plan: JobId,
        view: &PlanView,
        ctx: &mut Ctx,
    ) {
        self.list.push(Task {
            title,
            table: table.to_owned(),
            location: location.to_owned(),
            work: TaskWork::Change { change: view.change.clone(), plan },
            state: TaskState::Waiting,
            progress: TaskProgress::default(),
            log: Vec::new(),
            pace: None,
        });
        self.start_next(ctx);
    }

    /// Starts an export at once: it changes nothing.
    pub fn export(&mut self, table: &str, order: Export, ctx: &mut Ctx) {
        let job = ctx.start(Job::Export(Box::new(order.clone())));
        self.list.push(Task {
            title: format!("Export to {}", order.path),
            table: table.to_owned(),
            location: order.location.clone(),
            work: TaskWork::Export(Box::new(order)),
            state: TaskState::Running(job),
            progress: TaskProgress::default(),
            log: Vec::new(),
            pace: None,
        });
    }

    fn start_next(&mut self, ctx: &mut Ctx) {
        for at in 0..self.list.len() {
            let TaskWork::Change { plan, .. } = self.list[at].work else { continue };
            let location = &self.list[at].location;
            let changes = |t: &Task| t.job().is_some() && t.change().is_some();
            let busy = self.list.iter().any(|t| changes(t) && t.location == *location);
            if !busy && matches!(self.list[at].state, TaskState::Waiting) {
                let job = ctx.start(Job::Run { plan });
                self.list[at].state = TaskState::Running(job);
            }
        }
    }

    /// Takes an event of a task's job; says what ended by it. None if the job is no task's.
    pub fn answer(&mut self, id: JobId, event: &JobEvent, ctx: &mut Ctx) -> Option<Option<Ended>> {
        let at = self.list.iter().position(|t| t.job() == Some(id))?;
        let task = &mut self.list[at];
        let committed = match event {
            JobEvent::Task(progress) => {
                task.take_progress(progress.clone());
                return Some(None);
            }
            JobEvent::TaskNote(line) => {
                task.note(line.clone());
                return Some(None);
            }
            JobEvent::Changed(done) => {
                done.notes.iter().for_each(|n| task.note(n.clone()));
                task.note(format!("done in {}", units::duration((done.seconds * 1000.0) as u64)));
                let committed = done.new_version.is_some() || done.num_files_removed > 0;
                task.state = TaskState::Done(done.clone());
                committed
            }
            JobEvent::Exported(written) => {
                task.note(format!("done in {}", units::duration(written.millis)));
                task.state = TaskState::Exported(written.clone());
                false
            }
            JobEvent::Failed(fault) => {
                let fault = on_screen(fault.clone());
                task.note(fault.to_string());
                // Batches that were committed before stay.
                let committed = task.progress.batches_done > 0 || task.progress.phase == Phase::Deleting;
                task.state = TaskState::Failed(fault);
                committed
            }
            _ => return Some(None),
        };
        let location = task.location.clone();
        self.start_next(ctx);
        Some(Some(Ended { task: at, location, committed }))
    }

    /// Whether an undo now would take back what this task did: it rewrote files, and nothing was
    /// rewritten or taken back on the table after it. An undo always takes back the last rewrite.
    pub fn can_undo(&self, at: usize) -> Result<(), &'static str> {
        let committed = |t: &&Task| matches!(&t.state, TaskState::Done(done) if done.new_version.is_some());
        let Some(task) = self.list.get(at).filter(committed) else { return Err("it has changed nothing") };
        if !matches!(task.change(), Some(Change::Rewrite(_))) {
            return Err("only a rewrite can be undone");
        }
        let mut later = self.list.iter().skip(at + 1).filter(committed);
        let layout = |t: &Task| {
            t.change().is_some_and(|c| !matches!(c, Change::Vacuum(_))) && t.location == task.location
        };
        if later.any(layout) {
            return Err("the table was rewritten again; U plans the undo of the last rewrite");
        }
        Ok(())
    }

    /// Asks a running task to end, or takes a waiting one out of the queue.
    pub fn cancel(&mut self, at: usize, ctx: &mut Ctx) {
        let Some(task) = self.list.get_mut(at) else { return };
        match task.state {
            TaskState::Waiting => task.state = TaskState::Failed(Fault::cancelled()),
            TaskState::Running(job) => {
                task.state = TaskState::Ending(job);
                task.note("asked to end".to_owned());
                ctx.cancel(job);
            }
            _ => {}
        }
    }

    pub fn cancel_all(&mut self, ctx: &mut Ctx) {
        (0..self.list.len()).for_each(|at| self.cancel(at, ctx));
    }

    /// Takes ended tasks off the list; all but the last ones if there are many.
    pub fn clear(&mut self) {
        self.list.retain(Task::is_open);
    }

    /// Keeps the list short.
    pub fn trim(&mut self) {
        let ended = self.list.iter().filter(|t| !t.is_open()).count();
        let mut surplus = ended.saturating_sub(KEPT);
        self.list.retain(|t| {
            let goes = surplus > 0 && !t.is_open();
            surplus -= usize::from(goes);
            !goes
        });
    }

    pub fn tick(&mut self, now: Millis) {
        self.list.iter_mut().for_each(|t| t.tick(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::change::{Report, UndoReport};

    fn view() -> PlanView {
        let report = UndoReport {
            operation: "undo",
            table: "t".into(),
            version: 3,
            versions: vec![3],
            num_files_restored: 1,
            bytes_restored: 1,
            num_files_removed: 1,
            bytes_removed: 1,
            risks: Vec::new(),
            command: String::new(),
        };
        PlanView {
            change: Change::Undo { to_before: None },
            report: Report::Undo(report),
            before: None,
            after: None,
            empty: false,
            destructive: false,
        }
    }

    fn two_on(a: &str, b: &str, ctx: &mut Ctx) -> Tasks {
        let mut tasks = Tasks::default();
        for (location, plan) in [(a, 100), (b, 101)] {
            tasks.push("undo".into(), location, "t", JobId(plan), &view(), ctx);
        }
        tasks
    }

    fn done(new_version: Option<u64>) -> JobEvent {
        JobEvent::Changed(Box::new(Done {
            new_version,
            num_files_added: 1,
            num_files_removed: 0,
            bytes_added: 1,
            bytes_removed: 1,
            rows_verified: None,
            seconds: 1.0,
            notes: Vec::new(),
        }))
    }

    #[test]
    fn one_writer_a_table_at_a_time() {
        let mut ctx = Ctx::new(1);
        let mut tasks = two_on("/a", "/a", &mut ctx);
        assert_eq!(tasks.list[0].job(), Some(JobId(1)));
        assert!(matches!(tasks.list[1].state, TaskState::Waiting));
        let ended = tasks.answer(JobId(1), &done(Some(4)), &mut ctx).flatten().expect("an end");
        assert!(ended.committed);
        assert_eq!((tasks.list[1].job(), tasks.open()), (Some(JobId(2)), 1));
        assert!(tasks.answer(JobId(9), &done(None), &mut ctx).is_none(), "not of a task");
        assert_eq!(
            two_on("/a", "/b", &mut Ctx::new(1)).list[1].job(),
            Some(JobId(2)),
            "other tables do not wait"
        );
    }

    #[test]
    fn a_cancelled_task_is_over_only_when_it_says_so() {
        let mut ctx = Ctx::new(1);
        let mut tasks = two_on("/a", "/a", &mut ctx);
        tasks.cancel(0, &mut ctx);
        assert!(tasks.list[0].is_open());
        assert!(matches!(tasks.list[1].state, TaskState::Waiting), "the table is still being written to");
        let cancelled = JobEvent::Failed(Fault::cancelled());
        assert!(!tasks.answer(JobId(1), &cancelled, &mut ctx).flatten().expect("an end").committed);
        tasks.cancel_all(&mut ctx);
        tasks.clear();
        assert_eq!((tasks.list.len(), tasks.open()), (1, 1));
    }

    fn set(tasks: &mut Tasks, at: usize, to: Change) {
        if let TaskWork::Change { change, .. } = &mut tasks.list[at].work {
            *change = to;
        }
    }

    #[test]
    fn only_the_last_rewrite_can_be_undone() {
        let mut ctx = Ctx::new(1);
        let mut tasks = two_on("/a", "/a", &mut ctx);
        set(&mut tasks, 0, crate::app::pane::tune::command::compaction());
        assert!(tasks.can_undo(0).is_err(), "it still runs");
        tasks.answer(JobId(1), &done(Some(4)), &mut ctx);
        assert_eq!(tasks.can_undo(0), Ok(()));
        // The second one is an undo: it took the first one back, and is none itself.
        tasks.answer(JobId(2), &done(Some(5)), &mut ctx);
        assert!(tasks.can_undo(0).is_err_and(|why| why.contains("again")));
        assert_eq!(tasks.can_undo(1), Err("only a rewrite can be undone"));
        assert!(tasks.can_undo(9).is_err());
        set(&mut tasks, 1, crate::app::pane::tune::command::vacuum());
        assert_eq!(tasks.can_undo(0), Ok(()), "a vacuum rewrites nothing");
    }

    #[test]
    fn rates_are_those_of_the_phase() {
        let mut ctx = Ctx::new(1);
        let mut tasks = two_on("/a", "/b", &mut ctx);
        let progress = |phase, bytes_done| {
            JobEvent::Task(TaskProgress {
                phase,
                bytes_done,
                bytes_total: Some(3000),
                ..TaskProgress::default()
            })
        };
        tasks.answer(JobId(1), &progress(Phase::Rewriting, 500), &mut ctx);
        tasks.tick(10_000);
        assert_eq!((tasks.list[0].rate(), tasks.list[0].left()), (None, None));
        tasks.answer(JobId(1), &progress(Phase::Rewriting, 1500), &mut ctx);
        tasks.tick(12_000);
        assert_eq!((tasks.list[0].rate(), tasks.list[0].left()), (Some(500), Some(3000)));
        tasks.answer(JobId(1), &progress(Phase::Verifying, 0), &mut ctx);
        assert_eq!(tasks.list[0].rate(), None);
        assert_eq!(tasks.list[0].log, ["rewriting", "verifying"]);
    }
}
