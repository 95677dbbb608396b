//! Ways between the scenes: looking at a location, opening a table, going back, choosing a pane.

use super::ctx::{Ctx, Tone};
use super::home::Home;
use super::layer::Layer;
use super::layer::confirm::Confirmed;
use super::load::Load;
use super::msg::{Effect, Job, JobEvent};
use super::pane::Pane;
use super::pane::sql::FIRST_QUERY;
use super::table::TableView;
use super::{App, Scene};
use crate::model::lakehouse::{EntryKind, Found};
use crate::model::table::AsOf;

impl App {
    /// Looks at the location that the program was started with.
    pub(crate) fn look(&mut self, ctx: &mut Ctx) {
        let job = Job::Look { location: self.startup.location.clone() };
        match &mut self.scene {
            Scene::Place(load) => load.start(job, ctx),
            Scene::Home(load) => load.start(job, ctx),
            Scene::Table(_) => {}
        }
    }

    pub(super) fn looked(&mut self, found: Found, ctx: &mut Ctx) {
        match found {
            Found::Table if self.home.is_none() => {
                let (location, as_of) = (self.startup.location.clone(), self.startup.as_of);
                self.open(&location, as_of, ctx);
            }
            Found::Folder(entries) => {
                match &mut self.home {
                    Some(home) => home.replace(entries),
                    None => self.home = Some(Home::new(&self.startup.location, entries)),
                }
                self.first_pane = Pane::default();
                self.scene = Scene::Home(Load::default());
            }
            other => {
                let mut load = Load::default();
                load.done(other);
                self.scene = Scene::Place(load);
            }
        }
    }

    fn open(&mut self, location: &str, as_of: AsOf, ctx: &mut Ctx) {
        let query = self.drafts.get(location).map_or(FIRST_QUERY, String::as_str);
        let mut table = TableView::open(location, as_of, query, self.startup.interval, ctx);
        table.pane = std::mem::take(&mut self.first_pane);
        self.scene = Scene::Table(Box::new(table));
    }

    pub(crate) fn open_selected(&mut self, ctx: &mut Ctx) {
        let Some(entry) = self.home.as_ref().and_then(Home::selected).cloned() else { return };
        match entry.kind {
            EntryKind::Table { .. } => self.open(&entry.location, self.startup.as_of, ctx),
            EntryKind::Unidentified { holds } => {
                ctx.note(
                    Tone::Warning,
                    format!("{} is not a table: no _delta_log; it holds {holds}", entry.name),
                );
            }
        }
    }

    /// Back to the list of tables; ends what still runs for the table.
    pub(crate) fn leave(&mut self, ctx: &mut Ctx) {
        if self.home.is_none() {
            return;
        }
        match std::mem::replace(&mut self.scene, Scene::Home(Load::default())) {
            Scene::Table(mut table) => {
                table.close(ctx);
                self.drafts.insert(table.location.clone(), table.sql.text());
            }
            Scene::Place(mut load) => drop(load.stop(ctx)),
            Scene::Home(load) => self.scene = Scene::Home(load),
        }
    }

    /// Shows a pane, and takes away what lies over it. Of a table that is not open yet, it is the one
    /// that the table opens on.
    pub(crate) fn show(&mut self, pane: Pane, ctx: &mut Ctx) {
        while let Some(mut layer) = self.layers.pop() {
            layer.close(ctx);
        }
        match &mut self.scene {
            Scene::Table(table) => {
                table.pane = pane;
                if pane == Pane::History {
                    table.feed_history(ctx);
                }
            }
            Scene::Place(_) => {
                self.first_pane = pane;
                ctx.note(Tone::Plain, format!("It will open on {}", pane.title()));
            }
            Scene::Home(_) => {}
        }
    }

    pub(crate) fn step_pane(&mut self, by: usize, ctx: &mut Ctx) {
        let now = self.table().map_or(self.first_pane, |t| t.pane);
        self.show(now.step(by), ctx);
    }

    /// Why no pane can be chosen here, if so.
    pub(crate) fn can_choose_pane(&self) -> Result<(), &'static str> {
        match &self.scene {
            Scene::Table(_) => Ok(()),
            Scene::Place(load) if load.running() => Ok(()),
            Scene::Place(_) => Err("there is no table here"),
            Scene::Home(_) => Err("open a table first"),
        }
    }

    pub(crate) fn show_partition_files(&mut self, ctx: &mut Ctx) {
        let Some(table) = self.table_mut() else { return };
        let Some((node, _)) = table.partitions.selected_node() else { return };
        if let Some(values) = table.partitions.tree().map(|t| t.values_of(node)) {
            table.files_pane.set_scope(values.into(), ctx);
            table.pane = Pane::Files;
        }
    }

    /// Ends the program; asks first if tasks are at work, whose work would be lost. Once more, it
    /// waits for nothing.
    pub(crate) fn quit(&mut self, ctx: &mut Ctx) {
        if self.ending || self.tasks.open() == 0 {
            return self.end(ctx);
        }
        if !matches!(self.layers.last(), Some(Layer::Confirm(c)) if c.then == Confirmed::Quit) {
            self.layers.push(Layer::Confirm(self.quit_question()));
        }
    }

    /// Ends the program at once.
    pub(super) fn end(&mut self, ctx: &mut Ctx) {
        if let Some(table) = self.table_mut() {
            table.close(ctx);
        }
        ctx.effects.push(Effect::Quit);
    }
}

/// Takes an event of [`Job::Look`]; gives what was found.
pub(super) fn look_answer<T>(load: &mut Load<T>, event: JobEvent) -> Option<Found> {
    match event {
        JobEvent::Looked(found) => return Some(found),
        JobEvent::Progress(progress) => load.progress = Some(progress),
        JobEvent::Failed(fault) => load.fail(fault),
        _ => {}
    }
    None
}
