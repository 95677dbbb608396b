//! What the History shows.

use crate::app::command::Context;

/// The list, or what one looks at from there; `Esc` leads back to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    #[default]
    List,
    /// One commit with its actions.
    Commit,
    /// Two versions compared.
    Diff,
    Trends,
    /// By hour, day or week.
    Periods,
    Retention,
}

impl View {
    /// The commands that its own keys belong to.
    pub fn context(self) -> Context {
        match self {
            View::List => Context::History,
            View::Commit => Context::HistoryCommit,
            View::Diff => Context::HistoryDiff,
            View::Trends => Context::HistoryTrends,
            View::Periods => Context::HistoryPeriods,
            View::Retention => Context::HistoryRetention,
        }
    }

    /// Whether it shows the walk through the whole log.
    pub fn needs_past(self) -> bool {
        matches!(self, View::Trends | View::Periods | View::Retention)
    }
}
