//! The queries of this session that came to an end, with their results as far as there is room.

use super::run::Run;

/// Runs that are kept.
const KEPT: usize = 50;
/// Bytes of text of their results that are kept.
const KEPT_TEXT: usize = 64 << 20;

/// Oldest first.
#[derive(Debug, Default)]
pub struct Past {
    runs: Vec<Run>,
}

impl Past {
    /// Takes a run that came to its end; others are forgotten.
    pub fn push(&mut self, run: Run) {
        if run.end.is_none() || run.load.running() {
            return;
        }
        self.runs.push(run);
        self.runs.sort_by_key(|run| run.number);
        let surplus = self.runs.len().saturating_sub(KEPT);
        self.runs.drain(..surplus);
        let mut text = 0usize;
        for run in self.runs.iter_mut().rev() {
            text = text.saturating_add(run.text_bytes);
            if text > KEPT_TEXT {
                run.forget_rows();
            }
        }
    }

    pub fn take(&mut self, number: usize) -> Option<Run> {
        let at = self.runs.iter().position(|run| run.number == number)?;
        Some(self.runs.remove(at))
    }

    /// The newest.
    pub fn pop(&mut self) -> Option<Run> {
        self.runs.pop()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::pane::sql::run::End;
    use crate::model::grid::Grid;

    fn run(number: usize, text_bytes: usize) -> Run {
        let end = Some(End { rows: 1, truncated: false, millis: 1 });
        let grid = Grid { rows: vec![vec![None]], ..Grid::default() };
        Run { number, end, text_bytes, grid, ..Run::default() }
    }

    #[test]
    fn old_results_go_before_old_runs_do() {
        let mut past = Past::default();
        past.push(run(1, KEPT_TEXT / 2 + 1));
        past.push(run(3, KEPT_TEXT / 2));
        past.push(run(2, 0));
        past.push(Run { number: 9, ..Run::default() });
        let told: Vec<_> = past.iter().map(|r| (r.number, r.forgotten)).collect();
        assert_eq!(told, [(1, true), (2, false), (3, false)]);
        (10..10 + KEPT).for_each(|n| past.push(run(n, 0)));
        assert_eq!(past.iter().map(|r| r.number).next(), Some(10));
        assert!(past.take(2).is_none() && past.take(12).is_some());
    }
}
