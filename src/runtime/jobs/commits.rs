//! The history, in portions as it is read.

use std::mem;
use std::time::{Duration, Instant};

use crate::app::JobEvent;
use crate::lake::history;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::history::Commit;

use super::Shared;
use super::report::Report;

/// Commits that have come are handed out after this time.
const PORTION: Duration = Duration::from_millis(100);

pub(super) async fn commits(
    location: &str,
    version: u64,
    newest: Option<u64>,
    limit: usize,
    shared: &Shared,
    report: &Report,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let mut portion = Portion { report, commits: Vec::new(), sent: Instant::now() };
    let end = history::commits(&table, newest, limit, watch, &mut |commit| portion.push(commit)).await;
    if !portion.commits.is_empty() {
        report.send(JobEvent::Commits(portion.commits)).await?;
    }
    end.map(JobEvent::CommitsEnd)
}

struct Portion<'a> {
    report: &'a Report,
    commits: Vec<Commit>,
    sent: Instant,
}

impl Portion<'_> {
    /// Never waits: what finds no room goes with the next portion.
    fn push(&mut self, commit: Commit) {
        self.commits.push(commit.for_list());
        if self.sent.elapsed() < PORTION {
            return;
        }
        self.sent = Instant::now();
        if let Err(JobEvent::Commits(unsent)) =
            self.report.try_send(JobEvent::Commits(mem::take(&mut self.commits)))
        {
            self.commits = unsent;
        }
    }
}
