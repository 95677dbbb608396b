//! Following a table: waits, looks, and reads what is new.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::app::JobEvent;
use crate::app::live::{NewFiles, News};
use crate::app::summary::Summary;
use crate::lake::history_search;
use crate::lake::log::{self, Files, Look, OpenTable};
use crate::lake::watch::Watch;
use crate::model::double_rewrite::DoubleRewrite;
use crate::model::{Fault, FaultKind, Outcome};

use super::Shared;
use super::report::Report;

/// The log folder is listed at least this often: new checkpoints, a cleaned-up log and a replaced
/// table are seen by that alone.
const LIST_EVERY: Duration = Duration::from_secs(300);
/// Seconds between two looks at most, after errors.
const LONGEST: u32 = 300;

/// Commits that are searched for the first one of two rewrites.
const SEARCHED: usize = 1000;

/// What to follow, as in [`crate::app::Job::Follow`].
pub(super) struct Follow {
    pub location: String,
    pub version: u64,
    pub interval: u32,
    pub now: bool,
}

pub(super) async fn follow(
    what: Follow,
    shared: &Shared,
    report: &Report,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let Follow { location, version, interval, now } = &what;
    let table = shared.tables.at(location, *version, &shared.options, watch).await?;
    let mut listed = Instant::now();
    let mut pause = *interval;
    loop {
        if !now {
            wait(pause, watch).await?;
        }
        let look = if *now || listed.elapsed() >= LIST_EVERY { Look::List } else { Look::Next };
        match table.news(look, watch).await {
            Ok(Some(news)) => return read(&what.location, &table, news, shared, watch).await,
            Ok(None) if *now => return Ok(JobEvent::NoNews),
            Ok(None) => {
                if pause != *interval {
                    pause = *interval;
                    report.send(JobEvent::LookFailed(None)).await?;
                }
                if look == Look::List {
                    listed = Instant::now();
                }
            }
            Err(fault) if *now || fault.kind == FaultKind::Cancelled => return Err(fault),
            Err(fault) => {
                // Whatever ails the store is not made worse by asking again and again.
                pause = pause.saturating_mul(2).clamp(2, LONGEST.max(*interval));
                tracing::warn!(seconds = pause, "a look for newer commits failed: {fault}");
                report.send(JobEvent::LookFailed(Some((fault, pause)))).await?;
            }
        }
    }
}

async fn wait(seconds: u32, watch: &Watch) -> Outcome<()> {
    tokio::select! {
        () = watch.cancel.cancelled() => Err(Fault::cancelled()),
        () = sleep(Duration::from_secs(seconds.into())) => Ok(()),
    }
}

async fn read(
    location: &str,
    before: &OpenTable,
    news: log::News,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let started = Instant::now();
    let held = shared.tables.files(location, before.table.version);
    let changed = match &held {
        Some(held) => Some(news.files(before, held, watch).await?),
        None => None,
    };
    let again = changed.as_ref().is_some_and(|c| c.removed_again);
    let doubled = doubled(before, &news, again, watch).await?;
    let table = news.table.table.clone();
    shared.tables.keep(location, &news.table);
    let mut files = None;
    if let Some(changed) = changed {
        let Files { list, tombstones, warnings, .. } = changed.files.clone();
        shared.tables.keep_files(location, table.version, changed.files);
        let (list, of) = (Arc::new(list), table.clone());
        let summed = list.clone();
        let summary = tokio::task::spawn_blocking(move || Summary::of(&summed, &of.metadata)).await;
        let summary =
            Arc::new(summary.map_err(|e| Fault::read("internal", "Cannot sum up the files").because(e))?);
        files = Some(NewFiles { list, tombstones, warnings, summary });
    }
    tracing::info!(
        version = table.version,
        millis = started.elapsed().as_millis() as u64,
        "newer commits read"
    );
    let (commits, replaced) = (news.history(), news.reopened);
    Ok(JobEvent::News(Box::new(News { table, files, commits, replaced, doubled })))
}

/// Rewrites of the same files that the new commits complete. The history before is searched only if
/// files were named that had been removed: `again`.
async fn doubled(
    before: &OpenTable,
    news: &log::News,
    again: bool,
    watch: &Watch,
) -> Outcome<Vec<DoubleRewrite>> {
    let limit = if again { SEARCHED } else { news.count() };
    if news.reopened || limit < 2 {
        return Ok(Vec::new());
    }
    let found = history_search::search(&news.table, limit, watch).await?.double_rewrites;
    let is_new = |d: &DoubleRewrite| d.second_version > before.table.version;
    Ok(found.into_iter().filter(is_new).collect())
}
