//! The panes of an open table: one file each, state and what keys do to it.

pub mod columns;
pub mod files;
pub mod history;
pub mod overview;
pub mod partitions;
pub mod sql;
pub mod tune;

use super::command::Context;

/// A pane; its key is its place in [`Pane::ALL`], from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    #[default]
    Overview,
    Files,
    Partitions,
    Columns,
    History,
    Sql,
    Tune,
}

impl Pane {
    pub const ALL: [Pane; 7] =
        [Pane::Overview, Pane::Files, Pane::Partitions, Pane::Columns, Pane::History, Pane::Sql, Pane::Tune];

    pub fn title(self) -> &'static str {
        match self {
            Pane::Overview => "Overview",
            Pane::Files => "Files",
            Pane::Partitions => "Partitions",
            Pane::Columns => "Columns",
            Pane::History => "History",
            Pane::Sql => "SQL",
            Pane::Tune => "Tune",
        }
    }

    pub fn index(self) -> usize {
        Pane::ALL.iter().position(|p| *p == self).unwrap_or(0)
    }

    /// The pane that many places further on, around the end.
    pub fn step(self, by: usize) -> Pane {
        Pane::ALL[(self.index() + by) % Pane::ALL.len()]
    }

    /// The commands that its own keys belong to; those of SQL and Tune depend on what has the focus
    /// there.
    pub fn context(self) -> Context {
        match self {
            Pane::Overview => Context::Overview,
            Pane::Files => Context::Files,
            Pane::Partitions => Context::Partitions,
            Pane::Columns => Context::Columns,
            Pane::History => Context::History,
            Pane::Sql => Context::SqlResult,
            Pane::Tune => Context::Tune,
        }
    }
}
