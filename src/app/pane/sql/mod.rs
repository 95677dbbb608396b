//! The SQL console: an editor, and the result of the last query.

pub mod complete;
mod layout;
pub mod lex;
mod place;
pub mod queries;
pub mod run;
pub mod statement;
pub mod view;
mod vocabulary;

use std::fmt;

use ratatui::style::{Modifier, Style};
use ratatui_textarea::{CursorMove, Input, Key as TextKey, TextArea};

use crate::app::ctx::{Ctx, Tone};
use crate::app::key::{Key, KeyCode};
use crate::app::msg::{Job, JobEvent, JobId};
use crate::model::text::clean_lines;
use complete::{Known, Offer};
use queries::{Notebook, Queries};
use run::Run;
use statement::statement_at;

/// Runs without a further word on every table, and shows what it holds.
pub const FIRST_QUERY: &str = "SELECT * FROM t LIMIT 100";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SqlFocus {
    #[default]
    Editor,
    Result,
}

/// The console's state.
pub struct SqlPane {
    pub editor: TextArea<'static>,
    pub focus: SqlFocus,
    pub run: Option<Run>,
    /// What may come at the cursor, while it is shown.
    pub offer: Option<Offer>,
    known: Known,
    /// The queries of before, while they are shown.
    pub queries: Option<Queries>,
    /// The text has changed since it was kept.
    pub unsaved: bool,
}

impl fmt::Debug for SqlPane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqlPane").field("text", &self.text()).field("focus", &self.focus).finish()
    }
}

impl SqlPane {
    pub fn new(text: &str) -> Self {
        let mut editor = TextArea::new(text.split('\n').map(str::to_owned).collect());
        editor.set_max_histories(500);
        // The terminal's own cursor stands in the editor instead of a drawn one.
        editor.set_cursor_style(Style::new());
        editor.set_cursor_line_style(Style::new());
        editor.set_selection_style(Style::new().add_modifier(Modifier::REVERSED));
        editor.move_cursor(CursorMove::Bottom);
        editor.move_cursor(CursorMove::End);
        SqlPane {
            editor,
            focus: SqlFocus::Editor,
            run: None,
            offer: None,
            known: Known::default(),
            queries: None,
            unsaved: false,
        }
    }

    pub fn text(&self) -> String {
        self.editor.lines().join("\n")
    }

    /// A key that no command took.
    pub fn key(&mut self, key: Key) {
        if let Some(queries) = &mut self.queries {
            return queries.key(key);
        }
        let input = Input { key: text_key(key.code), ctrl: key.ctrl, alt: key.alt, shift: shift(key) };
        self.unsaved |= self.editor.input(input);
        self.follow_typing();
    }

    /// Adds a statement after those that are there, and puts the cursor into it.
    pub fn add_statement(&mut self, text: &str) {
        self.editor.move_cursor(CursorMove::Bottom);
        self.editor.move_cursor(CursorMove::End);
        let before = self.text();
        let parted = match before.trim_end() {
            "" => "",
            ended if ended.ends_with(';') => "\n\n",
            _ => ";\n\n",
        };
        self.editor.insert_str(format!("{parted}{}", clean_lines(text)));
        self.focus = SqlFocus::Editor;
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(queries) = &mut self.queries {
            return queries.paste(text);
        }
        self.unsaved |= self.editor.insert_str(clean_lines(text));
        self.follow_typing();
    }

    /// The text up to the cursor.
    fn before_cursor(&self) -> String {
        let cursor = self.editor.cursor();
        let mut lines: Vec<String> = self.editor.lines().iter().take(cursor.0 + 1).cloned().collect();
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(cursor.1).collect();
        }
        lines.join("\n")
    }

    /// An offer that is shown follows what is typed, and goes away where nothing fits any more.
    fn follow_typing(&mut self) {
        if self.offer.is_some() {
            self.offer = complete::offer(&self.before_cursor(), &self.known).filter(|o| o.typed > 0);
        }
    }

    /// Offers what may come at the cursor; says whether there is anything. A single thing is put in
    /// at once.
    pub fn complete(&mut self, known: Known) -> bool {
        self.known = known;
        self.offer = complete::offer(&self.before_cursor(), &self.known);
        match &self.offer {
            None => false,
            Some(offer) => {
                if offer.items.len() == 1 && offer.typed > 0 {
                    self.take_offer();
                }
                true
            }
        }
    }

    /// Puts the chosen thing in.
    pub fn take_offer(&mut self) {
        let Some(offer) = self.offer.take() else { return };
        let Some(item) = offer.selected() else { return };
        for _ in 0..offer.typed {
            self.editor.move_cursor(CursorMove::Back);
        }
        self.editor.delete_str(offer.typed);
        self.editor.insert_str(&item.text);
        self.unsaved = true;
    }

    /// Puts another text in the place of all; that can be undone.
    pub fn replace(&mut self, text: &str) {
        self.editor.select_all();
        self.editor.cut();
        self.editor.insert_str(clean_lines(text));
        self.unsaved = true;
    }

    /// Puts the statements into lines.
    pub fn format(&mut self) {
        let text = layout::formatted(&self.text());
        if text != self.text() {
            self.replace(&text);
        }
    }

    /// Shows the queries of before.
    pub fn show_queries(&mut self, notebook: &Notebook) {
        self.offer = None;
        self.queries = Some(Queries::new(notebook));
    }

    /// The statement under the cursor.
    pub fn statement(&self) -> Option<String> {
        let cursor = self.editor.cursor();
        statement_at(&self.text(), cursor.0, cursor.1).map(|(_, text)| text)
    }

    /// Runs the statement under the cursor, in the place of one that may be running.
    pub fn execute(&mut self, location: &str, version: Option<u64>, max_rows: usize, ctx: &mut Ctx) {
        let cursor = self.editor.cursor();
        let Some((origin, text)) = statement_at(&self.text(), cursor.0, cursor.1) else {
            return ctx.note(Tone::Warning, "No statement under the cursor");
        };
        self.cancel(ctx);
        self.offer = None;
        let mut run = Run::new(&text, origin, version);
        let job = Job::Sql { location: location.into(), version, text, max_rows };
        run.load.start(job, ctx);
        self.run = Some(run);
    }

    /// Ends the running query; says whether there was one.
    pub fn cancel(&mut self, ctx: &mut Ctx) -> bool {
        self.run.as_mut().is_some_and(|r| r.load.cancel(ctx))
    }

    pub fn awaits(&self, id: JobId) -> bool {
        self.run.as_ref().is_some_and(|r| r.load.awaits(id))
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|r| r.load.running())
    }

    /// Takes an event of the running query. An error that names a place puts the cursor there.
    pub fn answer(&mut self, event: JobEvent) {
        let Some(run) = &mut self.run else { return };
        run.answer(event);
        if let Some((line, column)) = run.error_place() {
            let at = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
            self.editor.move_cursor(CursorMove::Jump(at(line), at(column)));
        }
    }
}

fn shift(key: Key) -> bool {
    key.shift || key.code == KeyCode::BackTab
}

fn text_key(code: KeyCode) -> TextKey {
    match code {
        KeyCode::Char(c) => TextKey::Char(c),
        KeyCode::Enter => TextKey::Enter,
        KeyCode::Esc => TextKey::Esc,
        KeyCode::Tab => TextKey::Tab,
        KeyCode::Backspace => TextKey::Backspace,
        KeyCode::Delete => TextKey::Delete,
        KeyCode::Home => TextKey::Home,
        KeyCode::End => TextKey::End,
        KeyCode::PageUp => TextKey::PageUp,
        KeyCode::PageDown => TextKey::PageDown,
        KeyCode::Up => TextKey::Up,
        KeyCode::Down => TextKey::Down,
        KeyCode::Left => TextKey::Left,
        KeyCode::Right => TextKey::Right,
        KeyCode::F(n) => TextKey::F(n),
        KeyCode::BackTab | KeyCode::Insert => TextKey::Null,
    }
}
