//! What has the focus: its commands, its scroll position, its running job.

use super::command::Context;
use super::ctx::Ctx;
use super::frame::Drawn;
use super::layer::Layer;
use super::layer::runs::rows;
use super::pane::Pane;
use super::pane::sql::SqlFocus;
use super::pane::tune::Step;
use super::scroll::Motion;
use super::{App, Scene};

impl App {
    /// The active contexts, the innermost first.
    pub fn contexts(&self) -> Vec<Context> {
        use Context::{
            Always, Detail, Finding, Global, Help, List, Panes, Place, Sheet, SqlEditor, Table, TuneForm,
        };
        if let Some(layer) = self.layers.last() {
            let context = layer.context();
            return match context {
                Help
                | Detail
                | Finding
                | Sheet
                | Context::Tasks
                | Context::Histogram
                | Context::Prune
                | Context::Runs
                | Context::Compare => {
                    vec![context, List, Panes, Global, Always]
                }
                _ => vec![context, Always],
            };
        }
        match &self.scene {
            Scene::Place(_) => vec![Place, Panes, Global, Always],
            Scene::Home(_) => vec![Context::Home, List, Panes, Global, Always],
            Scene::Table(t) if t.pane == Pane::Sql && t.sql.queries.is_some() => {
                vec![Context::SqlQueries, Always]
            }
            Scene::Table(t) if t.pane == Pane::Sql && t.sql.focus == SqlFocus::Editor => {
                let mut out = vec![SqlEditor, Table, Panes, Global, Always];
                if t.sql.offer.is_some() {
                    out.insert(0, Context::SqlOffer);
                }
                out
            }
            Scene::Table(t) if t.pane == Pane::History => {
                vec![
                    t.history.looks.view.context(),
                    Context::HistoryViews,
                    List,
                    Table,
                    Panes,
                    Global,
                    Always,
                ]
            }
            Scene::Table(t) if t.pane == Pane::Tune => match t.tune.step {
                Step::Choose => vec![Context::Tune, List, Table, Panes, Global, Always],
                Step::Form => vec![TuneForm, Table, Panes, Global, Always],
                Step::Plan => vec![Context::TunePlan, List, Table, Panes, Global, Always],
            },
            Scene::Table(t) => vec![t.pane.context(), List, Table, Panes, Global, Always],
        }
    }

    /// The innermost active context.
    pub fn context(&self) -> Context {
        self.contexts().first().copied().unwrap_or_default()
    }

    pub(crate) fn something_runs(&self) -> bool {
        if self.task_in_focus().is_some() || self.layer_runs() {
            return true;
        }
        match &self.scene {
            Scene::Place(load) => load.running(),
            Scene::Home(load) => load.running(),
            Scene::Table(table) => table.foremost().is_some(),
        }
    }

    fn layer_runs(&self) -> bool {
        match self.layers.last() {
            Some(Layer::Sheet(sheet)) => sheet.load.running(),
            Some(Layer::Prune(prune)) => prune.load.running(),
            Some(Layer::Histogram(layer)) => layer.load.running(),
            _ => false,
        }
    }

    /// The open task that one looks at: in the drawer, or on its plan's page.
    fn task_in_focus(&self) -> Option<usize> {
        let at = match (self.layers.last(), self.table()) {
            (Some(Layer::Tasks(layer)), _) => self.task_at(layer.scroll.selected),
            (None, Some(table)) if table.pane == Pane::Tune && table.tune.step == Step::Plan => {
                self.tasks.of_plan(table.tune.plan.as_ref()?.id).map(|(at, _)| at)
            }
            _ => None,
        };
        at.filter(|at| self.tasks.list.get(*at).is_some_and(|t| t.job().is_some() || t.is_open()))
    }

    /// The task on a row of the drawer: the newest is on top.
    pub fn task_at(&self, row: usize) -> Option<usize> {
        self.tasks.list.len().checked_sub(row + 1)
    }

    pub(crate) fn cancel_running(&mut self, ctx: &mut Ctx) {
        if let Some(at) = self.task_in_focus() {
            return self.tasks.cancel(at, ctx);
        }
        let cancelled = match self.layers.last_mut() {
            Some(Layer::Sheet(sheet)) => sheet.load.cancel(ctx),
            Some(Layer::Prune(prune)) => prune.load.cancel(ctx),
            Some(Layer::Histogram(layer)) => layer.load.cancel(ctx),
            _ => false,
        };
        if cancelled {
            return;
        }
        match &mut self.scene {
            Scene::Place(load) => drop(load.cancel(ctx)),
            Scene::Home(load) => drop(load.cancel(ctx)),
            Scene::Table(table) => table.cancel_running(ctx),
        }
    }

    /// Moves in what is in focus.
    pub(crate) fn go(&mut self, motion: Motion, ctx: &mut Ctx) {
        let tasks = self.tasks.list.len();
        if let (Some(Layer::Runs(layer)), Scene::Table(table)) = (self.layers.last_mut(), &self.scene) {
            return layer.scroll.go(motion, rows(&table.sql).len());
        }
        if let Some(layer) = self.layers.last_mut() {
            return layer.go(motion, tasks);
        }
        match &mut self.scene {
            Scene::Place(_) => {}
            Scene::Home(_) => {
                if let Some(home) = &mut self.home {
                    home.scroll.go(motion, home.shown.len());
                }
            }
            Scene::Table(t) => match t.pane {
                Pane::Overview => {
                    let items = t.findings().len() + t.bars().len();
                    t.overview.go(motion, items);
                }
                Pane::Files => t.files_pane.scroll.go(motion, t.files_pane.shown.len()),
                Pane::Partitions => t.partitions.scroll.go(motion, t.partitions.visible.len()),
                Pane::Columns => t.columns.scroll.go(motion, t.columns.rows.len()),
                Pane::History => {
                    t.history.go(motion);
                    t.feed_history(ctx);
                }
                Pane::Sql => match (&mut t.sql.queries, &mut t.sql.offer) {
                    (Some(queries), _) => queries.go(motion),
                    (None, Some(offer)) => offer.go(motion),
                    (None, None) => t.sql.run.iter_mut().for_each(|r| r.go(motion)),
                },
                Pane::Tune => match t.tune.step {
                    Step::Choose => {
                        let len = t.choices().len();
                        t.tune.scroll.go(motion, len);
                    }
                    Step::Form => {}
                    Step::Plan => t.tune.plan.iter_mut().for_each(|p| p.scroll.go(motion, usize::MAX)),
                },
            },
        }
    }

    /// Takes over scroll positions and hit areas of the frame.
    pub(super) fn take_drawn(&mut self, drawn: Drawn) {
        let window = drawn.window;
        // A frame that shows something else than what is in focus now says nothing of it.
        if drawn.context == self.context() {
            match (self.layers.last_mut(), &mut self.scene) {
                (Some(layer), _) => layer.drawn(window),
                (None, Scene::Place(_)) => {}
                (None, Scene::Home(_)) => self.home.iter_mut().for_each(|h| h.scroll.drawn(window)),
                (None, Scene::Table(t)) => match t.pane {
                    Pane::Overview => (t.overview.past, t.overview.page) = (window.top, window.page),
                    Pane::Files => t.files_pane.scroll.drawn(window),
                    Pane::Partitions => t.partitions.scroll.drawn(window),
                    Pane::Columns => t.columns.scroll.drawn(window),
                    Pane::History => t.history.drawn(window),
                    Pane::Sql => match (&mut t.sql.queries, &mut t.sql.offer) {
                        (Some(queries), _) => queries.scroll.drawn(window),
                        (None, Some(offer)) => offer.scroll.drawn(window),
                        (None, None) => t.sql.run.iter_mut().for_each(|r| {
                            r.scroll.drawn(window);
                            r.left = window.left;
                        }),
                    },
                    Pane::Tune => match t.tune.step {
                        Step::Choose => t.tune.scroll.drawn(window),
                        Step::Form => {}
                        Step::Plan => t.tune.plan.iter_mut().for_each(|p| {
                            p.scroll.drawn(window);
                            p.scroll.selected = window.top;
                        }),
                    },
                },
            }
        }
        self.drawn = drawn;
    }
}
