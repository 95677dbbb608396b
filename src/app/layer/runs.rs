//! The runs of this session: what waits, what runs, what came to an end.

use super::compare::{Card, CompareLayer};
use crate::app::pane::sql::SqlPane;
use crate::app::pane::sql::run::Run;
use crate::app::scroll::Scroll;

/// The list's state; the runs are the console's.
#[derive(Debug, Default)]
pub struct RunsLayer {
    pub scroll: Scroll,
    /// Numbers of the runs that are marked, two at most, the last one marked last.
    pub marks: Vec<usize>,
}

/// A row of the list.
#[derive(Debug)]
pub enum Row<'a> {
    /// Text of a statement in the queue.
    Waiting(&'a str),
    Running(&'a Run),
    Ended(&'a Run),
}

/// What waits, the next one last; what runs; then the runs that ended, the newest first.
pub fn rows(sql: &SqlPane) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = sql.queue.texts().map(Row::Waiting).collect();
    rows.reverse();
    rows.extend(sql.run.iter().filter(|run| run.load.running()).map(Row::Running));
    rows.extend(sql.ended_runs().into_iter().map(Row::Ended));
    rows
}

impl RunsLayer {
    /// The number of the selected run, if it came to an end.
    pub fn selected(&self, sql: &SqlPane) -> Option<usize> {
        match rows(sql).get(self.scroll.selected) {
            Some(Row::Ended(run)) => Some(run.number),
            _ => None,
        }
    }

    /// Marks the selected run, or no longer; of three marks the oldest goes.
    pub fn mark(&mut self, sql: &SqlPane) {
        let Some(number) = self.selected(sql) else { return };
        let before = self.marks.len();
        self.marks.retain(|marked| *marked != number);
        if self.marks.len() == before {
            self.marks.push(number);
            let surplus = self.marks.len().saturating_sub(2);
            self.marks.drain(..surplus);
        }
    }

    /// The numbers of the two runs to compare, the earlier one first: those that are marked; the
    /// marked and the selected one; or the selected one and that before it.
    pub fn pair(&self, sql: &SqlPane) -> Option<(usize, usize)> {
        let selected = self.selected(sql);
        let (a, b) = match (&self.marks[..], selected) {
            ([a, b], _) => (*a, *b),
            ([a], Some(b)) if *a != b => (*a, b),
            (_, Some(b)) => {
                let before = sql.ended_runs().into_iter().map(|r| r.number).find(|number| *number < b)?;
                (before, b)
            }
            _ => return None,
        };
        Some((a.min(b), a.max(b)))
    }

    pub fn compare(&self, sql: &SqlPane) -> Option<CompareLayer> {
        let (a, b) = self.pair(sql)?;
        let runs = sql.ended_runs();
        let card = |number: usize| runs.iter().find(|run| run.number == number).map(|run| Card::of(run));
        Some(CompareLayer::new(card(a)?, card(b)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::pane::sql::run::End;

    #[test]
    fn two_marks_or_the_selected_and_the_one_before() {
        let mut sql = SqlPane::new("select 1");
        for number in 1..=4 {
            let end = Some(End { rows: 1, truncated: false, millis: 1 });
            sql.past.push(Run { number, end, ..Run::default() });
        }
        let mut layer = RunsLayer::default();
        assert_eq!(layer.pair(&sql), Some((3, 4)), "the newest is selected");
        layer.scroll.selected = 3;
        assert_eq!((layer.selected(&sql), layer.pair(&sql)), (Some(1), None));
        layer.mark(&sql);
        layer.scroll.selected = 1;
        assert_eq!(layer.pair(&sql), Some((1, 3)));
        layer.mark(&sql);
        layer.scroll.selected = 0;
        assert_eq!(layer.pair(&sql), Some((1, 3)));
        layer.mark(&sql);
        assert_eq!(layer.marks, [3, 4], "the oldest mark goes");
        layer.mark(&sql);
        assert_eq!(layer.marks, [3]);
    }
}
