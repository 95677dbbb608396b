//! How far a piece of work has got.

use serde::Serialize;

/// A step of a task: what it waits for, and how much of it is done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// In words, such as `reading checkpoint 120`.
    pub phase: String,
    pub done: u64,
    /// None while it is not known.
    pub total: Option<u64>,
    /// What is counted: `files`, `commits`, `bytes`, `rows`.
    pub unit: &'static str,
}

impl Progress {
    pub fn new(phase: impl Into<String>, done: u64, total: Option<u64>, unit: &'static str) -> Self {
        Progress { phase: phase.into(), done, total, unit }
    }
}

/// Takes progress while work runs; called from any thread, often, so it must be cheap.
pub type ProgressSink<'a> = &'a (dyn Fn(Progress) + Send + Sync);
