//! How a result is looked at: sorted, searched, with columns hidden or held fast. The rows stay as
//! they came.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::model::grid::Grid;

/// The arrangement of a grid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GridView {
    /// Rows in the order in which they are shown; none: as they came.
    order: Option<Vec<usize>>,
    /// The column that sorts, and whether the largest comes first.
    pub sort: Option<(usize, bool)>,
    /// Columns that are not shown.
    hidden: Vec<usize>,
    /// The first columns up to this many stay in sight.
    pub frozen: usize,
    /// Rows, as they came, that are marked.
    marked: BTreeSet<usize>,
    pub search: String,
    /// A two-column result as bars.
    pub chart: bool,
}

impl GridView {
    /// The row that is shown in a place.
    pub fn row(&self, place: usize) -> usize {
        self.order.as_ref().and_then(|order| order.get(place).copied()).unwrap_or(place)
    }

    /// Marks a row, or no longer.
    pub fn mark(&mut self, row: usize) {
        if !self.marked.remove(&row) {
            self.marked.insert(row);
        }
    }

    pub fn is_marked(&self, row: usize) -> bool {
        self.marked.contains(&row)
    }

    pub fn marked(&self) -> usize {
        self.marked.len()
    }

    pub fn unmark(&mut self) {
        self.marked.clear();
    }

    /// Sorts by a column: upwards, downwards, then as the rows came.
    pub fn sort_by(&mut self, column: usize, grid: &Grid) {
        self.sort = match self.sort {
            Some((at, false)) if at == column => Some((column, true)),
            Some((at, true)) if at == column => None,
            _ => Some((column, false)),
        };
        self.arrange(grid);
    }

    /// After rows came.
    pub fn arrange(&mut self, grid: &Grid) {
        let Some((column, down)) = self.sort else {
            self.order = None;
            return;
        };
        let numeric = grid.columns.get(column).is_some_and(|c| c.numeric);
        let cell = |row: &usize| grid.rows.get(*row).and_then(|r| r.get(column)?.as_deref());
        let mut order: Vec<usize> = (0..grid.rows.len()).collect();
        order.sort_by(|a, b| match (cell(a), cell(b)) {
            // NULL comes last, whichever way.
            (None, None) => Ordering::Equal,
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
            (Some(a), Some(b)) => {
                let by = if numeric { numbers(a, b) } else { a.cmp(b) };
                if down { by.reverse() } else { by }
            }
        });
        self.order = Some(order);
    }

    pub fn is_hidden(&self, column: usize) -> bool {
        self.hidden.contains(&column)
    }

    /// Hides a column, unless it is the last one in sight.
    pub fn hide(&mut self, column: usize, columns: usize) -> bool {
        let can = !self.is_hidden(column) && self.hidden.len() + 1 < columns;
        if can {
            self.hidden.push(column);
        }
        can
    }

    pub fn show_all(&mut self) {
        self.hidden.clear();
    }

    pub fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// The next column in sight, `by` to the right or left; the same if there is none.
    pub fn step(&self, from: usize, by: isize, columns: usize) -> usize {
        let (mut at, mut last) = (from as isize, from);
        let mut left = by.unsigned_abs();
        while left > 0 {
            at += by.signum();
            if at < 0 || at >= columns as isize {
                break;
            }
            if !self.is_hidden(at as usize) {
                last = at as usize;
                left -= 1;
            }
        }
        last
    }

    /// The next place after `from` (or before it) whose row holds the searched text in any column,
    /// around the end; none if there is none.
    pub fn find(&self, grid: &Grid, from: usize, forward: bool) -> Option<usize> {
        let wanted = self.search.to_lowercase();
        let len = grid.rows.len();
        if wanted.is_empty() || len == 0 {
            return None;
        }
        let holds = |place: usize| {
            let cells = grid.rows.get(self.row(place)).into_iter().flatten().flatten();
            cells.into_iter().any(|cell| cell.to_lowercase().contains(&wanted))
        };
        let places = (1..=len).map(|n| if forward { (from + n) % len } else { (from + len - n % len) % len });
        places.into_iter().find(|place| holds(*place))
    }
}

/// Numbers by their value, whole ones of any length exactly.
fn numbers(a: &str, b: &str) -> Ordering {
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => {
            let value = |t: &str| t.replace("Infinity", "inf").parse::<f64>().unwrap_or(f64::NAN);
            value(a).total_cmp(&value(b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::grid::GridColumn;

    fn grid() -> Grid {
        let column = |name: &str, numeric| GridColumn { name: name.into(), data_type: "x".into(), numeric };
        let row = |a: Option<&str>, b: &str| vec![a.map(str::to_owned), Some(b.to_owned())];
        Grid {
            columns: vec![column("n", true), column("s", false)],
            rows: vec![row(Some("10"), "b"), row(None, "a"), row(Some("9"), "C"), row(Some("-1"), "bb")],
        }
    }

    fn order(view: &GridView) -> Vec<usize> {
        (0..4).map(|place| view.row(place)).collect()
    }

    #[test]
    fn sorts_by_value_and_back() {
        let (grid, mut view) = (grid(), GridView::default());
        view.sort_by(0, &grid);
        assert_eq!(order(&view), [3, 2, 0, 1]);
        view.sort_by(0, &grid);
        assert_eq!(order(&view), [0, 2, 3, 1], "NULL stays last");
        view.sort_by(0, &grid);
        assert_eq!(order(&view), [0, 1, 2, 3]);
    }

    #[test]
    fn finds_around_the_end() {
        let (grid, mut view) = (grid(), GridView::default());
        view.search = "B".into();
        assert_eq!(view.find(&grid, 0, true), Some(3));
        assert_eq!(view.find(&grid, 3, true), Some(0));
        assert_eq!(view.find(&grid, 0, false), Some(3));
        view.search = "zz".into();
        assert_eq!(view.find(&grid, 0, true), None);
    }

    #[test]
    fn the_last_column_stays() {
        let mut view = GridView::default();
        assert!(view.hide(0, 2));
        assert!(!view.hide(1, 2));
        assert_eq!(view.step(1, -1, 2), 1);
        view.show_all();
        assert_eq!(view.step(1, -1, 2), 0);
    }
}
