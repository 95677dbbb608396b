//! What has the focus: its commands, its scroll position, its running job.

use super::command::Context;
use super::ctx::Ctx;
use super::frame::Drawn;
use super::pane::Pane;
use super::pane::sql::SqlFocus;
use super::scroll::Motion;
use super::{App, Scene};

impl App {
    /// The active contexts, the innermost first.
    pub fn contexts(&self) -> Vec<Context> {
        use Context::{Always, Detail, Global, Help, List, Place, SqlEditor, Table};
        if let Some(layer) = self.layers.last() {
            let context = layer.context();
            return match context {
                Help | Detail => vec![context, List, Global, Always],
                _ => vec![context, Always],
            };
        }
        match &self.scene {
            Scene::Place(_) => vec![Place, Global, Always],
            Scene::Home(_) => vec![Context::Home, List, Global, Always],
            Scene::Table(t) if t.pane == Pane::Sql && t.sql.focus == SqlFocus::Editor => {
                vec![SqlEditor, Table, Global, Always]
            }
            Scene::Table(t) if t.pane == Pane::History => {
                vec![t.history.looks.view.context(), Context::HistoryViews, List, Table, Global, Always]
            }
            Scene::Table(t) => vec![t.pane.context(), List, Table, Global, Always],
        }
    }

    /// The innermost active context.
    pub fn context(&self) -> Context {
        self.contexts().first().copied().unwrap_or_default()
    }

    pub(crate) fn something_runs(&self) -> bool {
        match &self.scene {
            Scene::Place(load) => load.running(),
            Scene::Home(load) => load.running(),
            Scene::Table(table) => table.foremost().is_some(),
        }
    }

    pub(crate) fn cancel_running(&mut self, ctx: &mut Ctx) {
        match &mut self.scene {
            Scene::Place(load) => drop(load.cancel(ctx)),
            Scene::Home(load) => drop(load.cancel(ctx)),
            Scene::Table(table) => table.cancel_running(ctx),
        }
    }

    /// Moves in what is in focus.
    pub(crate) fn go(&mut self, motion: Motion, ctx: &mut Ctx) {
        if let Some(layer) = self.layers.last_mut() {
            return layer.go(motion);
        }
        match &mut self.scene {
            Scene::Place(_) => {}
            Scene::Home(_) => {
                if let Some(home) = &mut self.home {
                    home.scroll.go(motion, home.shown.len());
                }
            }
            Scene::Table(t) => match t.pane {
                Pane::Overview => t.overview.scroll.go(motion, usize::MAX),
                Pane::Files => t.files_pane.scroll.go(motion, t.files_pane.shown.len()),
                Pane::Partitions => t.partitions.scroll.go(motion, t.partitions.visible.len()),
                Pane::Columns => t.columns.scroll.go(motion, t.columns.rows.len()),
                Pane::History => {
                    t.history.go(motion);
                    t.feed_history(ctx);
                }
                Pane::Sql => t.sql.run.iter_mut().for_each(|r| r.go(motion)),
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
                    Pane::Overview => {
                        t.overview.scroll.drawn(window);
                        t.overview.scroll.selected = window.top;
                    }
                    Pane::Files => t.files_pane.scroll.drawn(window),
                    Pane::Partitions => t.partitions.scroll.drawn(window),
                    Pane::Columns => t.columns.scroll.drawn(window),
                    Pane::History => t.history.drawn(window),
                    Pane::Sql => t.sql.run.iter_mut().for_each(|r| {
                        r.scroll.drawn(window);
                        r.left = window.left;
                    }),
                },
            }
        }
        self.drawn = drawn;
    }
}
