//! A query and what came of it.

use super::place::{Origin, place_in, translate};
use crate::app::layer::detail::DetailLayer;
use crate::app::load::Load;
use crate::app::msg::JobEvent;
use crate::app::scroll::{Motion, Scroll};
use crate::model::fit;
use crate::model::grid::Grid;
use crate::model::text::{clean, clean_lines};
use crate::model::units::Millis;
use crate::model::{Fault, FaultKind};

/// A column is at most this wide on the screen; the whole value is in the row's detail.
pub const MAX_WIDTH: usize = 40;

/// How a query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub rows: u64,
    /// There were more rows than the screen takes.
    pub truncated: bool,
    pub millis: u64,
}

/// The state of one query; `load` knows its job and its error.
#[derive(Debug, Default)]
pub struct Run {
    pub text: String,
    /// Where the statement starts in the editor.
    origin: Origin,
    /// The table's version that it is run on.
    pub version: Option<u64>,
    pub load: Load<()>,
    pub grid: Grid,
    /// Screen columns that each result column takes.
    pub widths: Vec<usize>,
    /// The output of EXPLAIN, in lines; then the grid is not shown.
    pub plan: Option<Vec<String>>,
    pub end: Option<End>,
    /// The first tick of the clock after the start.
    pub since: Option<Millis>,
    pub scroll: Scroll,
    pub column: usize,
    /// The first visible column of the last frame (of a plan: character).
    pub left: usize,
}

impl Run {
    pub fn new(text: &str, origin: Origin, version: Option<u64>) -> Self {
        Run { text: text.to_owned(), origin, version, ..Run::default() }
    }

    pub fn answer(&mut self, event: JobEvent) {
        match event {
            JobEvent::Progress(progress) => self.load.progress = Some(progress),
            JobEvent::SqlColumns(columns) => {
                let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
                self.plan = (names == ["plan_type", "plan"]).then(Vec::new);
                self.widths = columns
                    .iter()
                    .map(|c| shown_width(&c.name).max(shown_width(&c.data_type)).min(MAX_WIDTH))
                    .collect();
                self.grid = Grid { columns, rows: Vec::new() };
            }
            JobEvent::SqlRows(rows) => self.take_rows(rows),
            JobEvent::SqlEnd { rows, truncated, millis } => {
                self.end = Some(End { rows, truncated, millis });
                self.load.done(());
            }
            JobEvent::Failed(fault) => self.load.fail(self.in_editor(fault)),
            _ => {}
        }
    }

    /// The fault with the editor's places in place of the statement's.
    fn in_editor(&self, mut fault: Fault) -> Fault {
        if fault.kind == FaultKind::Usage {
            fault.message = translate(&fault.message, self.origin);
            fault.cause = translate(&fault.cause, self.origin);
        }
        fault
    }

    fn take_rows(&mut self, rows: Vec<Vec<Option<String>>>) {
        for row in &rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                let cell = match cell.as_deref() {
                    None => 4,
                    // Shown in quotes.
                    Some(text @ ("" | "NULL")) => text.len() + 2,
                    Some(text) => shown_width(text),
                };
                *width = (*width).max(cell.min(MAX_WIDTH));
            }
            if let Some(plan) = &mut self.plan {
                let mut cells = row.iter().map(|c| c.as_deref().unwrap_or_default());
                plan.push(clean(cells.next().unwrap_or_default()).into_owned());
                let text = cells.next().unwrap_or_default();
                plan.extend(clean_lines(text.trim_end()).lines().map(|l| format!("  {l}")));
                plan.push(String::new());
            }
        }
        self.grid.rows.extend(rows);
    }

    pub fn has_rows(&self) -> bool {
        !self.grid.rows.is_empty()
    }

    /// Rows to scroll through.
    pub fn len(&self) -> usize {
        self.plan.as_ref().map_or(self.grid.rows.len(), Vec::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.len());
    }

    /// To the left or right, by columns; in a plan by eight characters.
    pub fn sideways(&mut self, by: isize) {
        if self.plan.is_some() {
            self.left = self.left.saturating_add_signed(by * 8);
        } else {
            let last = self.grid.columns.len().saturating_sub(1);
            self.column = self.column.saturating_add_signed(by).min(last);
        }
    }

    /// To the first column; in a plan to the lines' start.
    pub fn first_column(&mut self) {
        (self.column, self.left) = (0, 0);
    }

    /// To the last column; in a plan to the end of the longest line in sight.
    pub fn last_column(&mut self) {
        if self.plan.is_some() {
            self.left = usize::MAX;
        } else {
            self.column = self.grid.columns.len().saturating_sub(1);
        }
    }

    /// The selected cell's column and text; none on NULL or without rows. Of a plan all of it.
    pub fn selected_text(&self) -> Option<(String, String)> {
        if let Some(plan) = &self.plan {
            return Some(("the plan".into(), plan.join("\n")));
        }
        let cell = self.grid.rows.get(self.scroll.selected)?.get(self.column)?.clone()?;
        Some((self.grid.columns.get(self.column)?.name.clone(), cell))
    }

    /// The selected row, one column a line.
    pub fn detail(&self) -> Option<DetailLayer> {
        if self.plan.is_some() {
            return None;
        }
        let row = self.grid.rows.get(self.scroll.selected)?;
        let mut d = DetailLayer::new(&format!("Row {}", self.scroll.selected + 1));
        for (column, cell) in self.grid.columns.iter().zip(row) {
            d.value(&column.name, cell.as_deref());
        }
        Some(d)
    }

    /// Line and column (from 0) in the editor that the error names.
    pub fn error_place(&self) -> Option<(usize, usize)> {
        let fault = self.load.fault.as_ref().filter(|f| f.kind == FaultKind::Usage)?;
        let (line, column) = place_in(&fault.cause).or_else(|| place_in(&fault.message))?;
        Some((line - 1, column - 1))
    }
}

fn shown_width(text: &str) -> usize {
    // Wider than a column can be is all one; huge values are not measured to their end.
    let end = text.char_indices().nth(MAX_WIDTH + 1).map_or(text.len(), |(at, _)| at);
    fit::width(&clean(&text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_their_place() {
        let mut run = Run::new("selct 1", Origin { line: 4, column: 3 }, Some(7));
        let fault = Fault::usage("sql", "no SQL at line 1, column 2").because("found: selct");
        run.answer(JobEvent::Failed(fault));
        assert_eq!(run.error_place(), Some((4, 4)));
        assert_eq!(run.load.fault.unwrap().message, "no SQL at line 5, column 5");
    }
}
