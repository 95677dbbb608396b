//! The error that stands in front, in full: a narrow screen has no room for all of a long one.

use super::layer::Layer;
use super::layer::detail::DetailLayer;
use super::pane::Pane;
use super::pane::tune::Step;
use super::table::TableView;
use super::task::{TaskState, Tasks};
use super::{App, Scene};
use crate::model::Fault;

impl App {
    /// The error of what one looks at, if it has one.
    pub fn fault_in_front(&self) -> Option<&Fault> {
        match (self.layers.last(), &self.scene) {
            (Some(Layer::Sheet(sheet)), _) => sheet.load.fault.as_ref(),
            (Some(Layer::Prune(prune)), _) => prune.load.fault.as_ref(),
            (Some(Layer::Tasks(layer)), _) => self.tasks.fault(self.task_at(layer.scroll.selected)?),
            (Some(_), _) => None,
            (None, Scene::Place(load)) => load.fault.as_ref(),
            (None, Scene::Home(load)) => load.fault.as_ref(),
            (None, Scene::Table(table)) => table.fault_in_front(&self.tasks),
        }
    }

    /// Opens that error with all of its words.
    pub(crate) fn open_fault(&mut self) {
        let layer = self.fault_in_front().map(described);
        self.layers.extend(layer.map(Layer::Detail));
    }
}

impl Tasks {
    /// Why a task failed, if it did.
    pub fn fault(&self, at: usize) -> Option<&Fault> {
        match &self.list.get(at)?.state {
            TaskState::Failed(fault) => Some(fault),
            _ => None,
        }
    }
}

impl TableView {
    fn fault_in_front<'a>(&'a self, tasks: &'a Tasks) -> Option<&'a Fault> {
        let own = match self.pane {
            Pane::Tune if self.tune.step == Step::Plan => {
                let plan = self.tune.plan.as_ref()?;
                let task = tasks.of_plan(plan.id).and_then(|(at, _)| tasks.fault(at));
                task.or(plan.load.fault.as_ref())
            }
            Pane::Files | Pane::Partitions => self.files.fault.as_ref(),
            Pane::Columns => self.diagnosis.fault.as_ref(),
            Pane::History => self.history.load.fault.as_ref(),
            Pane::Sql => self.sql.run.as_ref().and_then(|r| r.load.fault.as_ref()),
            Pane::Overview | Pane::Tune => {
                self.live_fault().or(self.files.fault.as_ref()).or(self.diagnosis.fault.as_ref())
            }
        };
        own.or(self.table.fault.as_ref()).or(self.live_fault())
    }

    /// Why the table cannot be followed just now.
    fn live_fault(&self) -> Option<&Fault> {
        self.live.trouble.as_ref().map(|(fault, _)| fault)
    }

    /// Why what is shown may be out of date: the last look for what is new has failed.
    pub fn stale_because(&self) -> Option<&Fault> {
        self.table.value.as_ref()?;
        self.live_fault().or(self.table.fault.as_ref())
    }
}

fn described(fault: &Fault) -> DetailLayer {
    let mut d = DetailLayer::new("Error");
    for (label, text) in [("what", &fault.message), ("why", &fault.cause), ("do", &fault.hint)] {
        if !text.is_empty() {
            d.row(label, text.clone());
        }
    }
    d.row("code", fault.code);
    d
}
