//! The SQL console: an editor, and the result of the last query.

pub mod complete;
mod layout;
pub mod lex;
pub mod past;
mod place;
pub mod plan;
pub mod queries;
pub mod queue;
pub mod run;
pub mod statement;
pub mod view;
mod vocabulary;

use std::fmt;

use ratatui::style::{Modifier, Style};
use ratatui_textarea::{CursorMove, Input, Key as TextKey, TextArea};

use crate::app::ctx::Ctx;
use crate::app::key::{Key, KeyCode};
use crate::app::msg::{Ask, Job, JobEvent, JobId};
use crate::model::text::clean_lines;
use complete::{Known, Offer};
use past::Past;
use queries::{Notebook, Queries};
use queue::{Order, Queue};
use run::Run;
use statement::{all, statement_at};

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
    /// Runs before the one that is shown, and after it if an earlier one is shown.
    pub past: Past,
    pub queue: Queue,
    runs: usize,
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
            past: Past::default(),
            queue: Queue::default(),
            runs: 0,
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

    /// Puts the statements into lines. The cursor stays where it is in what is said.
    pub fn format(&mut self) {
        let text = layout::formatted(&self.text());
        if text == self.text() {
            return;
        }
        let said = self.before_cursor().chars().filter(|c| !c.is_whitespace()).count();
        self.replace(&text);
        let (mut line, mut column, mut passed) = (0u16, 0u16, 0);
        for c in text.chars().take_while(|c| {
            passed += usize::from(!c.is_whitespace());
            passed <= said && (passed < said || !c.is_whitespace())
        }) {
            (line, column) =
                if c == '\n' { (line.saturating_add(1), 0) } else { (line, column.saturating_add(1)) };
        }
        self.editor.move_cursor(CursorMove::Jump(line, column));
    }

    /// Takes the last edit back. Putting a text in the place of all is one edit: its middle, where
    /// nothing is there, is passed over.
    pub fn undo(&mut self) {
        self.unsaved |= self.editor.undo();
        if self.editor.is_empty() {
            self.editor.undo();
        }
    }

    pub fn redo(&mut self) {
        self.unsaved |= self.editor.redo();
        if self.editor.is_empty() {
            self.editor.redo();
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

    /// What is to be run: the statement under the cursor, or all of them.
    pub fn orders(&self, every: bool, ask: Ask, max_rows: usize) -> Vec<Order> {
        let cursor = self.editor.cursor();
        let found = match every {
            true => all(&self.text()),
            false => statement_at(&self.text(), cursor.0, cursor.1).into_iter().collect(),
        };
        found.into_iter().map(|(origin, text)| Order { text, origin, ask, max_rows }).collect()
    }

    /// Starts the next statement that waits, unless one runs.
    pub fn run_next(&mut self, location: &str, version: Option<u64>, ctx: &mut Ctx) {
        if self.is_running() {
            return;
        }
        let Some(Order { text, origin, ask, max_rows }) = self.queue.pop() else { return };
        self.offer = None;
        self.keep_run();
        self.runs += 1;
        let mut run = Run::new(&text, origin, version);
        (run.number, run.ask) = (self.runs, ask);
        run.load.start(Job::Sql { location: location.into(), version, text, ask, max_rows }, ctx);
        self.run = Some(run);
    }

    /// The run that is shown goes to those of before.
    fn keep_run(&mut self) {
        if let Some(run) = self.run.take() {
            self.past.push(run);
        }
    }

    /// Shows the result of another run; not while one is at work.
    pub fn show_run(&mut self, number: usize) -> bool {
        if self.is_running() {
            return false;
        }
        let Some(run) = self.past.take(number) else { return false };
        self.keep_run();
        self.run = Some(run);
        self.focus = SqlFocus::Result;
        true
    }

    /// All runs of the session that came to an end, the newest first.
    pub fn ended_runs(&self) -> Vec<&Run> {
        let shown = self.run.iter().filter(|run| run.end.is_some() && !run.load.running());
        let mut all: Vec<&Run> = self.past.iter().chain(shown).collect();
        all.sort_by_key(|run| std::cmp::Reverse(run.number));
        all
    }

    /// Ends the running query and what was given together with it; says whether there was one.
    pub fn cancel(&mut self, ctx: &mut Ctx) -> bool {
        let cancelled = self.run.as_mut().is_some_and(|r| r.load.cancel(ctx));
        if cancelled {
            self.queue.drop_batch();
        }
        cancelled
    }

    pub fn awaits(&self, id: JobId) -> bool {
        self.run.as_ref().is_some_and(|r| r.load.awaits(id))
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|r| r.load.running())
    }

    /// Takes an event of the running query. An error that names a place puts the cursor there, if
    /// the statement still stands where it was. Gives how many statements do not run because this
    /// one failed.
    pub fn answer(&mut self, event: JobEvent) -> usize {
        let failed = matches!(event, JobEvent::Failed(_));
        let Some(run) = &mut self.run else { return 0 };
        run.answer(event);
        if let Some((line, column)) = self.error_in_editor() {
            let at = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
            self.editor.move_cursor(CursorMove::Jump(at(line), at(column)));
        }
        if failed { self.queue.drop_batch() } else { 0 }
    }

    /// The place in the editor that the error names, if the statement still stands where it was.
    pub fn error_in_editor(&self) -> Option<(usize, usize)> {
        let run = self.run.as_ref()?;
        let place = run.error_place()?;
        let still =
            all(&self.text()).into_iter().any(|(origin, text)| origin == run.origin && text == run.text);
        still.then_some(place)
    }

    /// The statement was a change, which is planned elsewhere: the result of before is shown again.
    pub fn turned_to_change(&mut self) -> usize {
        self.run = self.past.pop();
        self.queue.drop_batch()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_the_place_of_all_is_one_edit() {
        let mut pane = SqlPane::new("select 1");
        pane.replace("select 2");
        pane.undo();
        assert_eq!(pane.text(), "select 1");
        pane.redo();
        assert_eq!(pane.text(), "select 2");
        pane.undo();
        pane.undo();
        assert_eq!(pane.text(), "select 1");
    }

    #[test]
    fn formatting_leaves_the_cursor_in_its_statement() {
        let mut pane = SqlPane::new("select 1 from t;select 2 from u; select 3");
        pane.editor.move_cursor(CursorMove::Jump(0, 24));
        assert_eq!(pane.orders(false, Ask::Rows, 1)[0].text, "select 2 from u");
        pane.format();
        assert_eq!(pane.orders(false, Ask::Rows, 1)[0].text, "SELECT 2\nFROM u");
        assert_eq!(pane.editor.lines()[pane.editor.cursor().0], "SELECT 2");
        pane.undo();
        assert_eq!(pane.text(), "select 1 from t;select 2 from u; select 3");
    }

    #[test]
    fn fresh_text_has_the_cursor_at_its_end() {
        let pane = SqlPane::new("select 1;\nselect 2;\n");
        assert_eq!(pane.orders(false, Ask::Rows, 1)[0].text, "select 2");
        assert_eq!(pane.orders(true, Ask::Rows, 1).len(), 2);
    }
}
