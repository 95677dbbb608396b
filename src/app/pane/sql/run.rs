//! A query and what came of it.

use std::sync::Arc;

use super::place::{Origin, place_in, translate};
use super::plan::PlanTree;
use super::view::GridView;
use crate::app::layer::detail::DetailLayer;
use crate::app::load::Load;
use crate::app::msg::{Ask, JobEvent};
use crate::app::scroll::{Motion, Scroll};
use crate::model::fit;
use crate::model::grid::Grid;
use crate::model::nested::parts;
use crate::model::run_facts::RunFacts;
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
    /// The how manieth of the session it is, from 1.
    pub number: usize,
    /// What was asked of the statement.
    pub ask: Ask,
    /// Where the statement starts in the editor.
    pub origin: Origin,
    /// The table's version that it is run on.
    pub version: Option<u64>,
    pub load: Load<()>,
    pub grid: Grid,
    /// Screen columns that each result column takes.
    pub widths: Vec<usize>,
    /// The output of EXPLAIN, in lines; then the grid is not shown.
    pub plan: Option<Vec<String>>,
    /// The same as what it is; none of forms that only the engine knows.
    pub tree: Option<PlanTree>,
    /// What it cost.
    pub facts: Option<Arc<RunFacts>>,
    /// Bytes of the rows' text.
    pub text_bytes: usize,
    /// Its rows were let go, for those of later runs.
    pub forgotten: bool,
    /// How the grid is looked at.
    pub view: GridView,
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

    /// Lets the rows go; what they were like stays.
    pub fn forget_rows(&mut self) {
        self.forgotten |= !self.grid.rows.is_empty();
        self.grid.rows = Vec::new();
        self.text_bytes = 0;
        self.view.arrange(&self.grid);
        self.scroll = Scroll::default();
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
            JobEvent::SqlPlan(plan) => {
                let mut lines: Vec<String> = plan.reads();
                lines.push(String::new());
                lines.extend(plan.tree());
                self.plan = Some(lines.iter().map(|l| clean(l).into_owned()).collect());
                self.facts = Some(Arc::new(RunFacts::of(&plan)));
                let tree = PlanTree::new(plan);
                // One asks for the slow step.
                self.scroll.selected = tree.slow_line().unwrap_or(0);
                self.tree = Some(tree);
            }
            JobEvent::SqlFacts(facts) => self.facts = Some(facts),
            JobEvent::SqlRows(_) if self.tree.is_some() => {}
            JobEvent::SqlRows(rows) => self.take_rows(rows),
            JobEvent::SqlEnd { rows, truncated, millis } => {
                self.end = Some(End { rows, truncated, millis });
                self.view.arrange(&self.grid);
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
            self.text_bytes += row.iter().flatten().map(String::len).sum::<usize>();
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
        match (&self.tree, &self.plan) {
            (Some(tree), _) => tree.lines().len(),
            (None, Some(plan)) => plan.len(),
            (None, None) => self.grid.rows.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.len());
    }

    /// To the left or right, by columns; in a plan up or down the tree, in one that is a text by
    /// eight characters.
    pub fn sideways(&mut self, by: isize) {
        let at = self.scroll.selected;
        if let Some(tree) = &mut self.tree {
            self.scroll.selected = if by < 0 { tree.fold(at) } else { tree.unfold(at) };
        } else if self.plan.is_some() {
            self.left = self.left.saturating_add_signed(by * 8);
        } else {
            self.column = self.view.step(self.column, by, self.grid.columns.len());
        }
    }

    /// Folds what is below the selected line of a plan, or unfolds it.
    pub fn toggle_fold(&mut self) {
        if let Some(tree) = &mut self.tree {
            self.scroll.selected = tree.toggle(self.scroll.selected);
        }
    }

    /// Sorts by the selected column, the other way, or not at all.
    pub fn sort(&mut self) {
        self.view.sort_by(self.column, &self.grid);
    }

    /// Hides the selected column; says whether another one is left.
    pub fn hide(&mut self) -> bool {
        let columns = self.grid.columns.len();
        let hidden = self.view.hide(self.column, columns);
        let right = self.view.step(self.column, 1, columns);
        self.column = if right == self.column { self.view.step(self.column, -1, columns) } else { right };
        hidden
    }

    /// Keeps the columns up to the selected one in sight, or no longer.
    pub fn freeze(&mut self) {
        let upto = self.column + 1;
        self.view.frozen = if self.view.frozen == upto { 0 } else { upto };
    }

    /// Makes the selected column wider or narrower, by screen columns.
    pub fn widen(&mut self, by: isize) {
        if let Some(width) = self.widths.get_mut(self.column) {
            *width = width.saturating_add_signed(by).clamp(3, 200);
        }
    }

    /// Goes to the first row with the text, the selected one or one after it.
    pub fn search(&mut self, text: &str) {
        text.clone_into(&mut self.view.search);
        let before = self.scroll.selected.checked_sub(1).unwrap_or(self.grid.rows.len().saturating_sub(1));
        if let Some(place) = self.view.find(&self.grid, before, true) {
            self.scroll.selected = place;
        }
    }

    /// Searches from the selected row on; says whether there is such a row.
    pub fn find(&mut self, forward: bool) -> bool {
        let found = self.view.find(&self.grid, self.scroll.selected, forward);
        if let Some(place) = found {
            self.scroll.selected = place;
        }
        found.is_some()
    }

    /// The selected row.
    fn row(&self) -> Option<&Vec<Option<String>>> {
        self.grid.rows.get(self.view.row(self.scroll.selected))
    }

    /// The marked rows in the order of the screen, or the selected row; values parted by tabs. And how
    /// many they are.
    pub fn rows_text(&self) -> Option<(usize, String)> {
        if self.plan.is_some() {
            return None;
        }
        let cell =
            |(_, cell): (usize, &Option<String>)| cell.as_deref().unwrap_or("").replace(['\t', '\n'], " ");
        let line = |row: &Vec<Option<String>>| {
            let cells = row.iter().enumerate().filter(|(at, _)| !self.view.is_hidden(*at));
            cells.map(cell).collect::<Vec<_>>().join("\t")
        };
        let rows = &self.grid.rows;
        let marked =
            (0..rows.len()).map(|place| self.view.row(place)).filter(|row| self.view.is_marked(*row));
        let marked: Vec<String> = marked.filter_map(|row| rows.get(row)).map(line).collect();
        match marked.is_empty() {
            true => self.row().map(|row| (1, line(row))),
            false => Some((marked.len(), marked.join("\n"))),
        }
    }

    /// Marks the selected row, or no longer, and goes to the next one; of a plan it folds the line.
    pub fn mark(&mut self) {
        if self.tree.is_some() {
            return self.toggle_fold();
        }
        self.view.mark(self.view.row(self.scroll.selected));
        self.go(Motion::By(1));
    }

    /// The columns of labels and of values of a result that can be drawn as bars. Of two columns the
    /// labels are those that are no numbers, of more the first one; the values are those of the
    /// selected column, if it has numbers, else of the first other one that has.
    pub fn chart_columns(&self) -> Option<(usize, usize)> {
        let columns = &self.grid.columns;
        let label = match columns.len() {
            2 => columns.iter().position(|c| !c.numeric).unwrap_or(0),
            _ => 0,
        };
        let is_value = |at: &usize| *at != label && columns.get(*at).is_some_and(|c| c.numeric);
        let value = Some(self.column).filter(is_value).or_else(|| (0..columns.len()).find(is_value))?;
        (self.plan.is_none() && self.has_rows()).then_some((label, value))
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
            let columns = self.grid.columns.len();
            self.column = self.view.step(self.column, columns as isize, columns);
        }
    }

    /// The selected cell's column and text; none on NULL or without rows. Of a plan all of it.
    pub fn selected_text(&self) -> Option<(String, String)> {
        if let Some(plan) = &self.plan {
            return Some(("the plan".into(), plan.join("\n")));
        }
        let cell = self.row()?.get(self.column)?.clone()?;
        Some((self.grid.columns.get(self.column)?.name.clone(), cell))
    }

    /// The selected row, one column a line; of a plan all of the selected line: the files that a scan
    /// reads and leaves out, the figures of a step.
    pub fn detail(&self) -> Option<DetailLayer> {
        if let Some(tree) = &self.tree {
            return Some(tree.detail(self.scroll.selected));
        }
        if self.plan.is_some() {
            return None;
        }
        let row = self.row()?;
        let mut d = DetailLayer::new(&format!("Row {}", self.scroll.selected + 1));
        for (column, cell) in self.grid.columns.iter().zip(row) {
            let is_nested = ["struct", "array", "map"].iter().any(|kind| column.data_type.starts_with(kind));
            let parts = cell.as_deref().filter(|_| is_nested).and_then(|text| parts(&column.name, text));
            match parts {
                Some(parts) => parts.iter().for_each(|(path, value)| d.value(path, value.as_deref())),
                None => d.value(&column.name, cell.as_deref()),
            }
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
