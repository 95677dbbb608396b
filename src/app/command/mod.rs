//! The one table of commands: keymap, palette, help, footer and mouse all come from it.
//!
//! A command belongs to a [`Context`]; the contexts that are active at a time are a stack
//! ([`super::App::contexts`]), and the innermost one that knows a key gets it.

mod global;
mod history;
mod layers;
mod panes;
mod sql;
mod table;
mod tune;

use super::App;
use super::ctx::{Ctx, Tone};
use super::key::Key;

/// Where a command can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Context {
    /// Everywhere, also while text is typed.
    Always,
    /// Everywhere but while text is typed.
    Global,
    /// Whatever scrolls.
    List,
    /// Nothing is open: still looking, or nothing to be opened there.
    #[default]
    Place,
    /// The list of tables.
    Home,
    /// A table is open.
    Table,
    /// The panes: of an open table also while something lies over them, and of one that is still
    /// being opened.
    Panes,
    Overview,
    Files,
    Partitions,
    Columns,
    History,
    HistoryCommit,
    HistoryDiff,
    HistoryTrends,
    HistoryPeriods,
    HistoryRetention,
    /// Whatever the History shows.
    HistoryViews,
    SqlEditor,
    /// What may come at the cursor of the editor.
    SqlOffer,
    /// The queries of before.
    SqlQueries,
    SqlResult,
    /// The actions that can be chosen.
    Tune,
    TuneForm,
    TunePlan,
    Help,
    Palette,
    Detail,
    Filter,
    Finding,
    Sheet,
    Confirm,
    Tasks,
    Histogram,
    Prune,
    /// A condition is being typed.
    PrunePrompt,
    /// Where a result goes is being typed.
    Export,
    /// The runs of the SQL console.
    Runs,
    /// Two of them.
    Compare,
}

impl Context {
    pub fn title(self) -> &'static str {
        match self {
            Context::Always | Context::Global => "Everywhere",
            Context::List => "Lists and texts",
            Context::Place => "This location",
            Context::Home => "Tables",
            Context::Table => "This table",
            Context::Panes => "Panes",
            Context::Overview => "Overview",
            Context::Files => "Files",
            Context::Partitions => "Partitions",
            Context::Columns => "Columns",
            Context::History | Context::HistoryViews => "History",
            Context::HistoryCommit => "Commit",
            Context::HistoryDiff => "Two versions",
            Context::HistoryTrends => "Trends",
            Context::HistoryPeriods => "History by day",
            Context::HistoryRetention => "Retention",
            Context::SqlEditor => "SQL editor",
            Context::SqlOffer => "Completion",
            Context::SqlQueries => "Queries",
            Context::SqlResult => "SQL result",
            Context::Help => "Help",
            Context::Palette => "Commands",
            Context::Detail => "Details",
            Context::Filter => "Filter",
            Context::Tune => "Tune",
            Context::TuneForm => "Form of a change",
            Context::TunePlan => "Plan of a change",
            Context::Finding => "Finding",
            Context::Sheet => "Figures",
            Context::Confirm => "Question",
            Context::Tasks => "Tasks",
            Context::Histogram => "Histogram",
            Context::Prune | Context::PrunePrompt => "What a condition reads",
            Context::Export => "Export",
            Context::Runs => "Runs",
            Context::Compare => "Two runs",
        }
    }

    /// Whether typed text goes to the SQL editor, or to what lies over it.
    pub fn is_of_editor(self) -> bool {
        matches!(self, Context::SqlEditor | Context::SqlOffer | Context::SqlQueries)
    }

    /// Whether it takes typed text, so that plain keys do not reach the contexts around it.
    pub fn takes_text(self) -> bool {
        use Context::{Confirm, Export, Filter, Palette, PrunePrompt, TuneForm};
        self.is_of_editor() || matches!(self, Palette | Filter | TuneForm | Confirm | PrunePrompt | Export)
    }
}

/// Why a command cannot be given now, if so.
pub type Enabled = Result<(), &'static str>;

/// A row of the table.
pub struct Command {
    /// Stable; `context.verb`.
    pub id: &'static str,
    pub context: Context,
    /// The first one is shown in the footer and in the palette.
    pub keys: &'static [Key],
    /// What it does, as an order.
    pub doc: &'static str,
    /// A word for the footer; empty if it is not shown there.
    pub hint: &'static str,
    /// Moves about: in the help, but not in the palette.
    pub is_motion: bool,
    /// Its word comes after the first few of the pane's own in the footer, not after all of them:
    /// lower figures first, 0 is not early.
    pub early: u8,
    pub enabled: fn(&App) -> Enabled,
    pub run: fn(&mut App, &mut Ctx),
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Command {
    const fn new(
        context: Context,
        id: &'static str,
        keys: &'static [Key],
        doc: &'static str,
        run: fn(&mut App, &mut Ctx),
    ) -> Self {
        Command { id, context, keys, doc, hint: "", is_motion: false, early: 0, enabled: |_| Ok(()), run }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Command { hint, ..self }
    }

    const fn early(self, early: u8) -> Self {
        Command { early, ..self }
    }

    const fn motion(self) -> Self {
        Command { is_motion: true, ..self }
    }

    const fn when(self, enabled: fn(&App) -> Enabled) -> Self {
        Command { enabled, ..self }
    }

    /// Every command.
    pub fn all() -> impl Iterator<Item = &'static Command> {
        let tables = [
            global::COMMANDS,
            table::COMMANDS,
            panes::COMMANDS,
            history::COMMANDS,
            sql::editor::COMMANDS,
            sql::result::COMMANDS,
            tune::COMMANDS,
            layers::COMMANDS,
        ];
        tables.into_iter().flatten()
    }

    pub fn of(context: Context) -> impl Iterator<Item = &'static Command> {
        Command::all().filter(move |c| c.context == context)
    }

    pub fn by_id(id: &str) -> Option<&'static Command> {
        Command::all().find(|c| c.id == id)
    }

    /// Runs it, or says why that cannot be.
    pub fn give(&self, app: &mut App, ctx: &mut Ctx) {
        match (self.enabled)(app) {
            Ok(()) => (self.run)(app, ctx),
            Err(reason) => ctx.note(Tone::Warning, capitalised(reason)),
        }
    }
}

/// A reason as a sentence of its own, short enough for a narrow screen.
fn capitalised(reason: &str) -> String {
    let mut chars = reason.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The command that a key gives: the innermost that is enabled, else the innermost that is not.
pub fn lookup(app: &App, contexts: &[Context], key: Key) -> Option<&'static Command> {
    let typing = contexts.first().filter(|c| c.takes_text());
    let reaches = |c: &Context| typing.is_none_or(|inner| inner == c || !key.is_for_input());
    let found: Vec<&'static Command> = contexts
        .iter()
        .filter(|c| reaches(c))
        .flat_map(|c| Command::of(*c))
        .filter(|c| c.keys.contains(&key))
        .collect();
    found.iter().find(|c| (c.enabled)(app).is_ok()).or(found.first()).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_commands_of_a_context_share_a_key_and_ids_are_unique() {
        let mut keys = HashSet::new();
        let mut ids = HashSet::new();
        for command in Command::all() {
            assert!(ids.insert(command.id), "{} twice", command.id);
            for key in command.keys {
                assert!(keys.insert((command.context, *key)), "{key} twice in {:?}", command.context);
            }
        }
    }

    #[test]
    fn every_command_says_what_it_does_and_can_be_given() {
        for c in Command::all() {
            // Those without a key are given by the palette, which has the commands of an open table.
            assert!(!c.keys.is_empty() || c.context == Context::Table, "{}", c.id);
            assert!(
                c.doc.chars().next().is_some_and(char::is_uppercase) && !c.doc.ends_with('.'),
                "{}",
                c.id
            );
            assert!(c.hint.len() <= 12, "{}", c.id);
        }
    }

    /// A command shadowed by a text input must have another key that is not.
    #[test]
    fn inputs_leave_a_way_to_the_panes() {
        for n in '1'..='7' {
            let reachable = Command::of(Context::Panes).any(|c| c.keys.contains(&Key::alt(n)));
            assert!(reachable, "Alt-{n}");
        }
    }
}
