//! The state machine of the screen: messages in, state and effects out. Pure: no I/O, no clock.
//!
//! ```text
//! msg.rs       what can happen, what can be asked for      command/  the one table of commands
//! frame.rs     what a drawn frame reports back             pane/     one file a pane
//! table.rs     an open table: its jobs and panes           layer/    help, palette, details, filter
//! home.rs      the list of tables                          work.rs   pure work too long for a frame
//! ```

pub mod command;
pub mod ctx;
pub mod frame;
pub mod home;
pub mod input;
pub mod key;
pub mod layer;
pub mod load;
mod mouse;
pub mod msg;
pub mod pane;
pub mod scroll;
pub mod summary;
pub mod table;
pub mod work;

use std::collections::BTreeMap;

use crate::model::lakehouse::{EntryKind, Found};
use crate::model::table::AsOf;
use crate::model::units::Millis;
use command::{Command, Context, lookup};
use ctx::{Ctx, Note, Tone};
use frame::Drawn;
use home::Home;
use key::Key;
use layer::Layer;
use load::Load;
pub use msg::{Effect, Job, JobEvent, JobId, Msg};
use pane::Pane;
use pane::sql::{FIRST_QUERY, SqlFocus};
use scroll::Motion;
use table::TableView;

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
    /// The pane has the whole screen.
    pub zoom: bool,
    pub mouse: bool,
    /// The last tick of the clock.
    pub now: Option<Millis>,
    drawn: Drawn,
    /// The SQL texts of tables that were left, by location.
    drafts: BTreeMap<String, String>,
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
            zoom: false,
            mouse,
            now: None,
            drawn: Drawn::default(),
            drafts: BTreeMap::new(),
            next_job: 1,
        };
        let mut ctx = Ctx::new(app.next_job);
        app.look(&mut ctx);
        (app.next_job, app.note) = (ctx.next_job(), ctx.note);
        (app, ctx.effects)
    }

    /// Whether something on the screen changes with time alone: the seconds of a running query.
    pub fn wants_clock(&self) -> bool {
        self.table().is_some_and(|t| t.sql.is_running())
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
            Scene::Table(t) => vec![t.pane.context(), List, Table, Global, Always],
        }
    }

    /// The innermost active context.
    pub fn context(&self) -> Context {
        self.contexts().first().copied().unwrap_or_default()
    }

    /// Looks at the location that the program was started with.
    pub(crate) fn look(&mut self, ctx: &mut Ctx) {
        let job = Job::Look { location: self.startup.location.clone() };
        match &mut self.scene {
            Scene::Place(load) => load.start(job, ctx),
            Scene::Home(load) => load.start(job, ctx),
            Scene::Table(_) => {}
        }
    }

    fn looked(&mut self, found: Found, ctx: &mut Ctx) {
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
        self.scene = Scene::Table(Box::new(TableView::open(location, as_of, query, ctx)));
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

    pub(crate) fn show(&mut self, pane: Pane, ctx: &mut Ctx) {
        if let Some(table) = self.table_mut() {
            table.pane = pane;
            if pane == Pane::History {
                table.feed_history(ctx);
            }
        }
    }

    pub(crate) fn step_pane(&mut self, by: usize, ctx: &mut Ctx) {
        if let Some(pane) = self.table().map(|t| t.pane.step(by)) {
            self.show(pane, ctx);
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

    pub(crate) fn something_runs(&self) -> bool {
        match &self.scene {
            Scene::Place(load) => load.running(),
            Scene::Home(load) => load.running(),
            Scene::Table(table) => table.something_runs(),
        }
    }

    pub(crate) fn cancel_running(&mut self, ctx: &mut Ctx) {
        match &mut self.scene {
            Scene::Place(load) => drop(load.cancel(ctx)),
            Scene::Home(load) => drop(load.cancel(ctx)),
            Scene::Table(table) => table.cancel_running(ctx),
        }
    }

    pub(crate) fn quit(&mut self, ctx: &mut Ctx) {
        if let Some(table) = self.table_mut() {
            table.close(ctx);
        }
        ctx.effects.push(Effect::Quit);
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
                    home.scroll.go(motion, home.entries.len());
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
    fn take_drawn(&mut self, drawn: Drawn) {
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
                    Pane::History => t.history.scroll.drawn(window),
                    Pane::Sql => t.sql.run.iter_mut().for_each(|r| {
                        r.scroll.drawn(window);
                        r.left = window.left;
                    }),
                },
            }
        }
        self.drawn = drawn;
    }

    fn key(&mut self, key: Key, ctx: &mut Ctx) {
        let contexts = self.contexts();
        if let Some(command) = lookup(self, &contexts, key) {
            return command.give(self, ctx);
        }
        match (self.layers.last_mut(), &mut self.scene) {
            (Some(Layer::Palette(palette)), _) => {
                if palette.input.key(key) {
                    palette.rank();
                }
            }
            (Some(Layer::Filter(filter)), scene) => {
                filter.input.key(key);
                if let Scene::Table(table) = scene {
                    table.files_pane.set_filter(filter.input.text(), ctx);
                }
            }
            (None, Scene::Table(table)) if contexts.first() == Some(&Context::SqlEditor) => {
                table.sql.key(key)
            }
            _ => {}
        }
    }

    fn paste(&mut self, text: &str, ctx: &mut Ctx) {
        let context = self.context();
        match (self.layers.last_mut(), &mut self.scene) {
            (Some(Layer::Palette(palette)), _) => {
                palette.input.paste(text);
                palette.rank();
            }
            (Some(Layer::Filter(filter)), scene) => {
                filter.input.paste(text);
                if let Scene::Table(table) = scene {
                    table.files_pane.set_filter(filter.input.text(), ctx);
                }
            }
            (None, Scene::Table(table)) if context == Context::SqlEditor => table.sql.paste(text),
            _ => {}
        }
    }

    fn answer(&mut self, id: JobId, event: JobEvent, ctx: &mut Ctx) {
        let looked = match &mut self.scene {
            Scene::Table(table) => return table.answer(id, event, ctx),
            Scene::Place(load) if load.awaits(id) => look_answer(load, event),
            Scene::Home(load) if load.awaits(id) => look_answer(load, event),
            _ => None,
        };
        if let Some(found) = looked {
            self.looked(found, ctx);
        }
    }

    fn tick(&mut self, now: Millis) {
        self.now = Some(now);
        if let Some(run) = self.table_mut().and_then(|t| t.sql.run.as_mut()).filter(|r| r.load.running()) {
            run.since.get_or_insert(now);
        }
    }
}

/// Takes an event of [`Job::Look`]; gives what was found.
fn look_answer<T>(load: &mut Load<T>, event: JobEvent) -> Option<Found> {
    match event {
        JobEvent::Looked(found) => return Some(found),
        JobEvent::Progress(progress) => load.progress = Some(progress),
        JobEvent::Failed(fault) => load.fail(fault),
        _ => {}
    }
    None
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
        Msg::Now(now) => app.tick(now),
        Msg::Job(id, event) => app.answer(id, event, &mut ctx),
        Msg::Drawn(drawn) => app.take_drawn(drawn),
        Msg::Notice(fault) => ctx.note(Tone::Warning, fault.to_string()),
        Msg::Terminate => app.quit(&mut ctx),
    }
    app.next_job = ctx.next_job();
    if ctx.note.is_some() || !keeps_note {
        app.note = ctx.note;
    }
    ctx.effects
}

impl App {
    /// Gives a command by its id, as its key would.
    pub(crate) fn give(&mut self, id: &str, ctx: &mut Ctx) {
        if let Some(command) = Command::by_id(id) {
            command.give(self, ctx);
        }
    }
}
