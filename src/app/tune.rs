//! From a choice to a running task: forms, plans, confirmations, and what follows from an end.

use super::App;
use super::ctx::{Ctx, Tone};
use super::layer::Layer;
use super::layer::confirm::{ConfirmLayer, Confirmed};
use super::msg::{JobEvent, JobId};
use super::pane::Pane;
use super::pane::tune::command::compaction;
use super::pane::tune::form::Marked;
use super::pane::tune::{Step, mends, title};
use super::table::TableView;
use super::task::{Ended, Task, TaskState};
use crate::model::change::{Change, Report, Scope};
use crate::model::table::AsOf;
use crate::model::{FaultKind, units};

impl App {
    /// The actions, for what is marked; in Partitions with no mark, for the selected partition.
    pub(crate) fn tune_here(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        if table.pane == Pane::Partitions && table.marks.partitions.is_empty() {
            table.partitions.selected_values().into_iter().for_each(|v| table.marks.toggle_partition(v));
        }
        let marked = match table.pane {
            Pane::Files => !table.marks.files.is_empty(),
            Pane::Partitions => !table.marks.partitions.is_empty(),
            _ => false,
        };
        if marked {
            return self.ask(&compaction());
        }
        table.tune.step = Step::Choose;
        self.show(Pane::Tune, ctx);
    }

    /// Shows the form of a change in the Tune pane.
    pub(crate) fn ask(&mut self, change: &Change) {
        let Some(table) = self.table_mut() else { return };
        let marked = table.marked();
        table.tune.ask(&scoped(change, &marked, table.pane), marked);
        table.pane = Pane::Tune;
    }

    /// Takes the selected choice of the Tune pane.
    pub(crate) fn choose(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table() else { return };
        let choices = table.choices();
        let Some(choice) = choices.get(table.tune.scroll.selected) else { return };
        if let Some(why) = &choice.refusal {
            return ctx.note(Tone::Warning, format!("Not on this table: {why}"));
        }
        match choice.change.clone() {
            Some(change) => self.ask(&change),
            None => self.explain_command(ctx),
        }
    }

    fn explain_command(&self, ctx: &mut Ctx) {
        ctx.note(Tone::Plain, "Give this by the command line: y copies the command");
    }

    /// Starts the plan of what mends the finding in front.
    pub(crate) fn mend(&mut self, ctx: &mut Ctx) {
        let Some(Layer::Finding(layer)) = self.layers.last() else { return };
        match mends(&layer.finding) {
            Some(change) => {
                self.layers.pop();
                self.ask(&change);
                self.submit(ctx);
            }
            None => self.explain_command(ctx),
        }
    }

    /// Has planned what the form asks for.
    pub(crate) fn submit(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        if let Some(change) = table.tune.form.as_mut().and_then(|f| f.submit()) {
            let location = table.location.clone();
            table.tune.plan(&location, change, ctx);
        }
    }

    /// Plans the same change anew, on the table as it is now.
    pub(crate) fn replan(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        if let Some(change) = table.tune.plan.as_ref().map(|p| p.change.clone()) {
            let location = table.location.clone();
            table.tune.plan(&location, change, ctx);
        }
    }

    /// Plans the inverse of the last change.
    pub(crate) fn plan_undo(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        let location = table.location.clone();
        table.pane = Pane::Tune;
        table.tune.form = None;
        table.tune.plan(&location, Change::Undo { to_before: None }, ctx);
    }

    /// Why the plan in front cannot be run, if so.
    pub(crate) fn can_run(&self) -> Result<(), &'static str> {
        let table = self.table().ok_or("no table is open")?;
        let (id, view) = table.tune.ready().ok_or("there is no plan yet")?;
        if self.tasks.of_plan(id).is_some() {
            Err("this plan was started already; r plans again")
        } else if view.empty {
            Err("there is nothing to do")
        } else {
            may_change(self.startup.allow_writes, table)
        }
    }

    /// Asks before the plan in front is run.
    pub(crate) fn confirm_plan(&mut self) {
        let Some(table) = self.table() else { return };
        let Some((_, view)) = table.tune.ready() else { return };
        let name = table.table.value.as_ref().map_or("", |t| &t.name);
        let mut lines = vec![format!("{} of {name}.", title(&view.change))];
        lines.extend(question(&view.report));
        let mut layer = ConfirmLayer::new("Run this plan?", lines, Confirmed::RunPlan);
        if view.destructive {
            layer.lines.push("This cannot be taken back. Type the table's name to go on:".into());
            layer = layer.typing(name);
        }
        self.layers.push(Layer::Confirm(layer));
    }

    /// What the confirmation in front was for, if it is ready.
    pub(crate) fn confirmed(&mut self, ctx: &mut Ctx) {
        let Some(Layer::Confirm(layer)) = self.layers.last() else { return };
        let then = layer.then;
        self.layers.pop();
        match then {
            Confirmed::RunPlan => self.run_plan(ctx),
            Confirmed::Quit => {
                self.ending = true;
                self.tasks.cancel_all(ctx);
                if self.tasks.open() == 0 {
                    self.end(ctx);
                } else {
                    ctx.note(Tone::Plain, "Ending the tasks; q quits without waiting");
                }
            }
        }
    }

    fn run_plan(&mut self, ctx: &mut Ctx) {
        if self.can_run().is_err() {
            return;
        }
        let Some((location, name, (id, view))) = self.table().and_then(|t| {
            let (id, view) = t.tune.ready()?;
            let name = t.table.value.as_ref().map(|t| t.name.clone()).unwrap_or_default();
            Some((t.location.clone(), name, (id, view.clone())))
        }) else {
            return;
        };
        self.tasks.push(title(&view.change), &location, &name, id, &view, ctx);
        self.tasks.trim();
        ctx.note(Tone::Good, "Started; T shows the tasks from everywhere");
    }

    /// Takes an event of a task's job; gives it back if it is none's.
    pub(super) fn task_answer(&mut self, id: JobId, event: JobEvent, ctx: &mut Ctx) -> Option<JobEvent> {
        match self.tasks.answer(id, &event, ctx) {
            None => return Some(event),
            Some(None) => {}
            Some(Some(ended)) => self.task_ended(&ended, ctx),
        }
        None
    }

    fn task_ended(&mut self, ended: &Ended, ctx: &mut Ctx) {
        if self.ending && self.tasks.open() == 0 {
            return self.end(ctx);
        }
        if let Some(task) = self.tasks.list.get(ended.task) {
            let (tone, text) = match &task.state {
                TaskState::Failed(fault) if fault.kind == FaultKind::Cancelled => {
                    (Tone::Plain, format!("{}: cancelled", task.title))
                }
                TaskState::Failed(fault) if task.export().is_some() => {
                    let why = if fault.cause.is_empty() { &fault.message } else { &fault.cause };
                    (Tone::Warning, format!("{} was not written: {why}", export_name(task)))
                }
                TaskState::Exported(written) => {
                    let s = if written.rows == 1 { "" } else { "s" };
                    (
                        Tone::Good,
                        format!("{}: {} row{s} written", export_name(task), units::count(written.rows)),
                    )
                }
                // The drawer and the plan's page have the cause.
                TaskState::Failed(fault) => (Tone::Warning, format!("{}: {}", task.title, fault.message)),
                _ => (Tone::Good, format!("{}: done", task.title)),
            };
            ctx.note(tone, text);
        }
        self.export_again(ended.task);
        if let Some(table) = self.table_mut().filter(|t| ended.committed && t.location == ended.location) {
            // Files that were marked may be gone.
            table.marks.files.clear();
            if table.as_of == AsOf::Latest {
                table.refresh(ctx);
            }
        }
    }

    pub(super) fn quit_question(&self) -> ConfirmLayer {
        let open = self.tasks.list.iter().filter(|t| t.is_open());
        let mut lines: Vec<String> = open.map(|t| format!("{} of {}", t.title, t.table)).collect();
        let n = lines.len();
        lines.push(String::new());
        lines.push(format!(
            "Quitting cancels {}: what is committed stays, what is not is cleaned up.",
            if n == 1 { "it" } else { "them" }
        ));
        let title = format!("{n} task{} at work. Quit?", if n == 1 { " is" } else { "s are" });
        ConfirmLayer::new(&title, lines, Confirmed::Quit)
    }
}

/// The last part of an export's path, which is known by the person who typed it.
fn export_name(task: &Task) -> &str {
    let path = task.export().map_or("", |order| order.path.trim_end_matches('/'));
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether changes of the table may be run.
pub(super) fn may_change(allow_writes: bool, table: &TableView) -> Result<(), &'static str> {
    if !allow_writes {
        Err("read-only: start with --allow-writes to change tables")
    } else if table.as_of != AsOf::Latest {
        Err("you look at an older version; L goes back to the latest")
    } else {
        Ok(())
    }
}

/// The change on what is marked, or on the partition or file that it was asked for from.
fn scoped(change: &Change, marked: &Marked, from: Pane) -> Change {
    let mut change = change.clone();
    if let Change::Rewrite(rewrite) = &mut change
        && rewrite.scope == Scope::Table
    {
        rewrite.scope = match from {
            Pane::Files if !marked.files.is_empty() => Scope::Files(marked.files.clone()),
            Pane::Partitions if !marked.partitions.is_empty() => Scope::Partitions(marked.partitions.clone()),
            _ => Scope::Table,
        };
    }
    change
}

/// What is about to happen, in a sentence or two.
fn question(report: &Report) -> Vec<String> {
    let s = |n: u64| if n == 1 { "" } else { "s" };
    match report {
        Report::Rewrite(r) => vec![format!(
            "{} file{} ({}) become {} file{}; u takes it back afterwards.",
            units::count(r.num_input_files),
            s(r.num_input_files),
            units::bytes(r.input_bytes),
            units::count(r.num_output_files),
            s(r.num_output_files)
        )],
        Report::Vacuum(v) => vec![format!(
            "{} file{} ({}) are deleted for good.",
            units::count(v.num_files),
            s(v.num_files),
            units::bytes(v.bytes)
        )],
        Report::Undo(u) => vec![format!(
            "{} file{} come back, {} go.",
            units::count(u.num_files_restored),
            s(u.num_files_restored),
            units::count(u.num_files_removed)
        )],
    }
}

impl App {
    /// Whether the Tune pane shows a plan.
    pub fn shows_plan(&self) -> bool {
        self.table().is_some_and(|t| t.pane == Pane::Tune && t.tune.step == Step::Plan)
    }
}
