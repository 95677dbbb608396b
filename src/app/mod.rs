//! The state machine of the screen: messages in, state and effects out. Pure: no I/O, no clock.
//!
//! ```text
//! msg.rs       what can happen, what can be asked for      command/  the one table of commands
//! fuzzy.rs     texts found by a few letters
//! frame.rs     what a drawn frame reports back             pane/     one file a pane
//! table.rs     an open table: its jobs and panes           layer/    help, palette, details, filter
//! zones.rs     local time or UTC
//! home.rs      the list of tables                          work.rs   pure work too long for a frame
//! live.rs      following a table
//! diagnosis.rs findings and figures of columns            task.rs   changes in the background
//! marks.rs     marked partitions and files                tune.rs   from a choice to a running task
//! judged.rs    what a table shows of its diagnosis
//! look.rs      from what is selected to all that is known of it
//! about.rs     all that is known of the table         trouble.rs  the error in front, in full
//! export.rs    a result into a file
//! navigate.rs, focus.rs, typing.rs, mouse.rs   what keys and clicks do to the whole
//! ```

mod about;
pub mod command;
pub mod ctx;
pub mod diagnosis;
mod export;
mod focus;
pub mod frame;
mod fuzzy;
pub mod home;
pub mod input;
mod judged;
pub mod key;
pub mod layer;
pub mod live;
pub mod load;
pub mod look;
pub mod marks;
mod mouse;
pub mod msg;
mod navigate;
pub mod pane;
pub mod scroll;
pub mod summary;
pub mod table;
pub mod task;
#[cfg(test)]
mod tests;
mod trouble;
mod tune;
mod typing;
pub mod work;
pub mod zones;

use std::collections::BTreeMap;

use crate::model::lakehouse::Found;
use crate::model::table::AsOf;
use crate::model::units::Millis;
use ctx::{Ctx, Note, Tone};
use frame::Drawn;
use home::Home;
use layer::Layer;
use load::Load;
pub use msg::{Effect, Job, JobEvent, JobId, Msg};
use navigate::look_answer;
use pane::Pane;
use pane::sql::queries::Notebook;
use table::TableView;
use task::Tasks;
use zones::Zones;

/// What the terminal can show, and what the user asked for at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Startup {
    pub location: String,
    pub as_of: AsOf,
    pub allow_writes: bool,
    pub width: u16,
    pub height: u16,
    /// Whether the terminal reports the mouse from the start.
    pub mouse: bool,
    /// Rows of a query's result that are fetched at most.
    pub max_rows: usize,
    /// Seconds between two looks for newer commits; 0: tables are not followed.
    pub interval: u32,
}

/// What fills the screen.
#[derive(Debug)]
pub enum Scene {
    /// Still looking at the location, or nothing there can be opened.
    Place(Load<Found>),
    /// The list of tables.
    Home(Load<()>),
    Table(Box<TableView>),
}

/// All that the screen shows.
#[derive(Debug)]
pub struct App {
    pub startup: Startup,
    pub scene: Scene,
    /// The list of tables, if the location is a folder of them; it stays while a table is open.
    pub home: Option<Home>,
    /// The last one lies on top.
    pub layers: Vec<Layer>,
    pub note: Option<Note>,
    /// Changes in the background, of any table.
    pub tasks: Tasks,
    /// The program ends as soon as no task is at work any more.
    ending: bool,
    /// The pane that a table opens on which is still being looked for.
    first_pane: Pane,
    /// The pane has the whole screen.
    pub zoom: bool,
    pub mouse: bool,
    pub zones: Zones,
    /// The last tick of the clock.
    pub now: Option<Millis>,
    drawn: Drawn,
    /// The SQL texts of tables that were left, by location.
    drafts: BTreeMap<String, String>,
    /// The queries of this session and earlier ones.
    pub notebook: Notebook,
    next_job: u64,
}

impl App {
    /// The first state, and the effects that load what it shows.
    pub fn new(startup: Startup) -> (App, Vec<Effect>) {
        let mouse = startup.mouse;
        let mut app = App {
            startup,
            scene: Scene::Place(Load::default()),
            home: None,
            layers: Vec::new(),
            note: None,
            tasks: Tasks::default(),
            ending: false,
            first_pane: Pane::default(),
            zoom: false,
            mouse,
            zones: Zones::default(),
            now: None,
            drawn: Drawn::default(),
            drafts: BTreeMap::new(),
            notebook: Notebook::default(),
            next_job: 1,
        };
        let mut ctx = Ctx::new(app.next_job);
        app.look(&mut ctx);
        (app.next_job, app.note) = (ctx.next_job(), ctx.note);
        (app, ctx.effects)
    }

    /// Takes over what earlier sessions kept; before anything is opened.
    pub fn remember(&mut self, notebook: Notebook) {
        self.drafts.clone_from(&notebook.drafts);
        self.notebook = notebook;
    }

    /// Whether something changes with time alone: the seconds of a running query, the rates of the
    /// last minutes, the rate of a task, a text that is to be kept.
    pub fn wants_clock(&self) -> bool {
        let of_table = |t: &TableView| t.sql.is_running() || t.sql.unsaved || t.live.wants_clock(self.now);
        self.tasks.running() || self.table().is_some_and(of_table)
    }

    pub fn table(&self) -> Option<&TableView> {
        match &self.scene {
            Scene::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn table_mut(&mut self) -> Option<&mut TableView> {
        match &mut self.scene {
            Scene::Table(table) => Some(table),
            _ => None,
        }
    }

    fn answer(&mut self, id: JobId, event: JobEvent, ctx: &mut Ctx) {
        let Some(event) = self.task_answer(id, event, ctx) else { return };
        let awaiting = |l: &&mut Layer| matches!(l, Layer::Sheet(sheet) if sheet.load.awaits(id));
        if let Some(Layer::Sheet(sheet)) = self.layers.iter_mut().find(awaiting) {
            sheet.answer(id, &event);
            return self.keep(&event);
        }
        let awaiting = |l: &&mut Layer| matches!(l, Layer::Prune(prune) if prune.awaits(id));
        if let Some(Layer::Prune(prune)) = self.layers.iter_mut().find(awaiting) {
            return prune.answer(&event);
        }
        let awaiting = |l: &&mut Layer| matches!(l, Layer::Histogram(layer) if layer.load.awaits(id));
        if let Some(Layer::Histogram(layer)) = self.layers.iter_mut().find(awaiting) {
            return layer.answer(&event);
        }
        let looked = match &mut self.scene {
            Scene::Table(table) => {
                table.answer(id, event, ctx);
                return table.measure(self.now);
            }
            Scene::Place(load) if load.awaits(id) => look_answer(load, event),
            Scene::Home(load) if load.awaits(id) => look_answer(load, event),
            _ => None,
        };
        if let Some(found) = looked {
            self.looked(found, ctx);
        }
    }

    fn tick(&mut self, now: Millis, ctx: &mut Ctx) {
        self.now = Some(now);
        if let Some(table) = self.table_mut() {
            table.keep_draft(ctx);
        }
        self.tasks.tick(now);
        if let Some(run) = self.table_mut().and_then(|t| t.sql.run.as_mut()).filter(|r| r.load.running()) {
            run.since.get_or_insert(now);
        }
        if let Some(table) = self.table_mut() {
            table.measure(Some(now));
        }
    }
}

/// Takes one event; says what to do. Never panics, whatever the event.
pub fn update(app: &mut App, msg: Msg) -> Vec<Effect> {
    let mut ctx = Ctx::new(app.next_job);
    let keeps_note = !matches!(msg, Msg::Key(_) | Msg::Paste(_) | Msg::Mouse(_));
    match msg {
        Msg::Key(key) => app.key(key, &mut ctx),
        Msg::Paste(text) => app.paste(&text, &mut ctx),
        Msg::Mouse(mouse) => app.mouse(mouse, &mut ctx),
        Msg::Resize { width, height } => {
            (app.startup.width, app.startup.height) = (width, height);
        }
        Msg::Now(now) => app.tick(now, &mut ctx),
        Msg::Job(id, event) => app.answer(id, event, &mut ctx),
        Msg::Drawn(drawn) => app.take_drawn(drawn),
        Msg::Edited(text) => app.edited(&text, &mut ctx),
        Msg::Notice(fault) => ctx.note(Tone::Warning, fault.to_string()),
        Msg::Terminate => app.end(&mut ctx),
    }
    app.next_job = ctx.next_job();
    if ctx.note.is_some() || !keeps_note {
        app.note = ctx.note;
    }
    ctx.effects
}
