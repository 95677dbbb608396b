//! Tuning: what can be done, the form of one change, its plan.

pub mod command;
pub mod form;
mod words;

use std::sync::Arc;

use crate::advice::Finding;
use crate::app::ctx::Ctx;
use crate::app::diagnosis::Diagnosis;
use crate::app::load::Load;
use crate::app::msg::{Job, JobEvent, JobId};
use crate::app::scroll::Scroll;
use crate::model::change::{Change, Goal, Order, PlanView, Scope};
use crate::model::gate::{Action, refusals};
use crate::model::table::Table;
use crate::model::units::{bytes, count};
use command::{change_of, compaction, vacuum};
use form::{Form, Marked};
pub use words::on_screen;

/// What the pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Step {
    /// The actions to choose from.
    #[default]
    Choose,
    Form,
    Plan,
}

/// The pane's state.
#[derive(Debug, Default)]
pub struct TunePane {
    pub step: Step,
    pub scroll: Scroll,
    pub form: Option<Form>,
    pub plan: Option<Planned>,
}

/// A plan on its way, or there; it stays until another one takes its place.
#[derive(Debug)]
pub struct Planned {
    pub change: Change,
    /// The job that makes it, and the name under which it can be run.
    pub id: JobId,
    pub load: Load<Arc<PlanView>>,
    pub scroll: Scroll,
}

/// An action to choose: what mends a finding, or what can always be done.
#[derive(Debug, Clone)]
pub struct Choice<'a> {
    pub finding: Option<&'a Finding>,
    pub title: &'static str,
    pub doc: &'static str,
    /// None: only by the command line.
    pub change: Option<Change>,
    /// Why the table's features forbid it, if they do.
    pub refusal: Option<String>,
}

/// Why the table's features forbid a change, if they do.
pub fn refusal(change: &Change, table: &Table) -> Option<String> {
    let action = match change {
        Change::Rewrite(_) => Action::Rewrite,
        Change::Vacuum(_) => Action::Vacuum,
        Change::Undo { .. } => Action::Undo,
        Change::Repair => Action::Repair,
    };
    let refusals = refusals(action, table);
    let first = refusals.first()?;
    Some(format!("table feature {}: {}", first.feature, first.why))
}

/// What mends a finding; none if this pane cannot.
pub fn mends(finding: &Finding) -> Option<Change> {
    match finding.id {
        // Its command goes back to a version and drops others' commits; a repair does not.
        "double-rewrite" => Some(Change::Repair),
        _ => change_of(finding.action.as_ref()?.command.as_deref()?),
    }
}

/// The actions in the order in which they are shown.
pub fn choices<'a>(diagnosis: Option<&'a Diagnosis>, table: Option<&Table>) -> Vec<Choice<'a>> {
    let findings = diagnosis.map(|e| e.findings.as_slice()).unwrap_or_default();
    let refused = |change: &Option<Change>| refusal(change.as_ref()?, table?);
    let of_finding = |f| {
        let change = mends(f);
        Choice { finding: Some(f), title: "", doc: "", refusal: refused(&change), change }
    };
    let mut out: Vec<Choice<'_>> =
        findings.iter().filter(|f| f.action.is_some() || mends(f).is_some()).map(of_finding).collect();
    let always: [(&'static str, &'static str, Change); 7] = [
        ("Compact", "merge small files, leave good ones alone", compaction()),
        (
            "Rewrite to N files",
            "to an exact number of files, in all or in each partition",
            command::to_files(),
        ),
        ("Rewrite to a size", "to files of about a size; oversize files are split", command::to_size()),
        ("Sort or Z-order", "cluster rows, so that queries skip files", command::z_order()),
        ("Purge deletion vectors", "rewrite files with deleted rows without these", command::purge()),
        ("Vacuum", "delete files that no version within the retention needs", vacuum()),
        (
            "Undo the last rewrite",
            "an inverse commit; later commits of others stay",
            Change::Undo { to_before: None },
        ),
    ];
    out.extend(always.map(|(title, doc, change)| {
        let change = Some(change);
        Choice { finding: None, title, doc, refusal: refused(&change), change }
    }));
    out
}

impl TunePane {
    /// Shows the form of a change.
    pub fn ask(&mut self, change: &Change, marked: Marked) {
        self.form = Some(Form::of(change, marked));
        self.step = Step::Form;
    }

    /// Has the change planned.
    pub fn plan(&mut self, location: &str, change: Change, ctx: &mut Ctx) {
        self.stop(ctx);
        let mut load = Load::default();
        load.start(Job::Plan { location: location.to_owned(), change: change.clone() }, ctx);
        if let Some(id) = load.job {
            self.plan = Some(Planned { change, id, load, scroll: Scroll::default() });
            self.step = Step::Plan;
        }
    }

    /// The plan that can be run, with its id.
    pub fn ready(&self) -> Option<(JobId, &Arc<PlanView>)> {
        let plan = self.plan.as_ref()?;
        Some((plan.id, plan.load.value.as_ref()?))
    }

    pub fn is_planning(&self) -> bool {
        self.plan.as_ref().is_some_and(|p| p.load.running())
    }

    /// Ends the planning, by the user's wish.
    pub fn cancel(&mut self, ctx: &mut Ctx) -> bool {
        self.plan.as_mut().is_some_and(|p| p.load.cancel(ctx))
    }

    pub fn stop(&mut self, ctx: &mut Ctx) {
        if let Some(plan) = &mut self.plan {
            plan.load.stop(ctx);
        }
    }

    pub fn answer(&mut self, id: JobId, event: &JobEvent) -> bool {
        let Some(plan) = self.plan.as_mut().filter(|p| p.load.awaits(id)) else { return false };
        match event {
            JobEvent::Progress(progress) => plan.load.progress = Some(progress.clone()),
            JobEvent::Planned(view) => plan.load.done(view.clone()),
            JobEvent::Failed(fault) => plan.load.fail(on_screen(fault.clone())),
            _ => {}
        }
        true
    }

    /// One step back; says whether there was one.
    pub fn back(&mut self, ctx: &mut Ctx) -> bool {
        match self.step {
            Step::Choose => return false,
            Step::Form => self.step = Step::Choose,
            Step::Plan => {
                self.stop(ctx);
                self.step = if self.form.is_some() { Step::Form } else { Step::Choose };
            }
        }
        true
    }
}

/// A change in a few words, for tasks and notes.
pub fn title(change: &Change) -> String {
    match change {
        Change::Rewrite(r) => {
            let what = scope(&r.scope);
            let of = what.as_ref().map(|w| format!(" {w}")).unwrap_or_default();
            let within = what.as_ref().map(|w| format!(", {w}")).unwrap_or_default();
            let s = |n: &u64| if *n == 1 { "" } else { "s" };
            let goal = match &r.goal {
                Goal::Compact { .. } if r.purge => format!("Purge and compact{of}"),
                Goal::Compact { .. } => format!("Compact{of}"),
                Goal::Files { count: n, per_partition: true } => {
                    format!("Rewrite to {} file{} a partition{within}", count(*n), s(n))
                }
                Goal::Files { count: n, per_partition: false } => {
                    format!("Rewrite to {} file{}{within}", count(*n), s(n))
                }
                Goal::Each if r.purge => format!("Purge deletion vectors{within}"),
                Goal::Each => format!("Rewrite each file{within}"),
                Goal::Size { bytes: n } => format!("Rewrite to {}{within}", bytes(*n)),
            };
            match &r.order {
                Order::Kept => goal,
                Order::Sorted(by) => format!("{goal}, sorted by {}", by.join(", ")),
                Order::ZOrder(by) => format!("{goal}, Z-order {}", by.join(", ")),
            }
        }
        Change::Vacuum(_) => "Vacuum".to_owned(),
        Change::Undo { to_before: None } => "Undo".to_owned(),
        Change::Undo { to_before: Some(v) } => format!("Undo to before v{v}"),
        Change::Repair => "Repair".to_owned(),
    }
}

/// What is touched, in a few words; none: the whole table.
fn scope(scope: &Scope) -> Option<String> {
    let many = |n: usize, what: &str| format!("{} {what}{}", count(n as u64), if n == 1 { "" } else { "s" });
    match scope {
        Scope::Table => None,
        Scope::Where(condition) => Some(format!("where {condition}")),
        Scope::Partitions(partitions) => Some(match partitions.as_slice() {
            [values] => {
                let label =
                    |(c, v): &(String, Option<String>)| format!("{c}={}", v.as_deref().unwrap_or("null"));
                values.iter().map(label).collect::<Vec<_>>().join("/")
            }
            all => many(all.len(), "partition"),
        }),
        Scope::Files(files) => Some(many(files.len(), "file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_say_what_is_touched() {
        let with = |goal, scope| match compaction() {
            Change::Rewrite(r) => title(&Change::Rewrite(crate::model::change::Rewrite { goal, scope, ..r })),
            other => title(&other),
        };
        let one = vec![("d".to_owned(), Some("1".to_owned())), ("e".to_owned(), None)];
        let compact = Goal::Compact { target: None };
        assert_eq!(with(compact.clone(), Scope::Table), "Compact");
        assert_eq!(with(compact.clone(), Scope::Partitions(vec![one.clone()])), "Compact d=1/e=null");
        assert_eq!(with(compact, Scope::Files(vec!["a".into(), "b".into()])), "Compact 2 files");
        let files = Goal::Files { count: 1200, per_partition: false };
        let two = Scope::Partitions(vec![one.clone(), one]);
        assert_eq!(with(files, two), "Rewrite to 1,200 files, 2 partitions");
    }
}
