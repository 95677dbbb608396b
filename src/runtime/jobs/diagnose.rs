//! What is wrong with a table, and its parquet footers.

use std::sync::Arc;

use crate::advice::Facts;
use crate::app::JobEvent;
use crate::app::diagnosis::Diagnosis;
use crate::lake::evidence::{COMMITS, Columns, Footers, What, gather};
use crate::lake::footer;
use crate::lake::log::Want;
use crate::lake::prune;
use crate::lake::watch::Watch;
use crate::model::progress::Progress;
use crate::model::{Fault, Outcome};

use super::Shared;

/// Footers that are read of a large table; the answer says that they are a sample.
const SAMPLE: usize = 1000;

/// `deep`: also the footers of a sample of a large table's files, and a listing of its folder.
pub(super) async fn diagnose(
    location: &str,
    version: u64,
    deep: bool,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let footers = if deep { Footers::AtMost(SAMPLE) } else { Footers::IfFew };
    let what = What { columns: Columns::All, footers, commits: COMMITS, orphans: deep };
    let found = gather(&table, &what, watch).await?;
    watch.progress(Progress::new("judging", 0, None, "rules"));
    let limits = shared.powers.limits.clone();
    let judged = tokio::task::spawn_blocking(move || Diagnosis::of(&Facts::of(&found, &limits))).await;
    // A panic in a rule is told like that of any other job.
    let judged = judged.or_else(|error| match error.try_into_panic() {
        Ok(payload) => std::panic::resume_unwind(payload),
        Err(_) => Err(Fault::cancelled()),
    })?;
    watch.check()?;
    Ok(JobEvent::Diagnosis(Arc::new(judged)))
}

pub(super) async fn footer(
    location: &str,
    version: u64,
    path: &str,
    size: u64,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let footer = footer::of_table(&table.place, path, Some(size), watch).await?;
    Ok(JobEvent::Footer(Arc::new(footer)))
}

/// Sums up the footers of all files, of a sample of a large table's.
pub(super) async fn survey(
    location: &str,
    version: u64,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let files = table.files(Want::default(), watch).await?;
    let survey = footer::survey(&table.place, &files.list, Some(SAMPLE), watch, &mut |_| {}).await?;
    Ok(JobEvent::Survey(Arc::new(survey.totals.report(survey.sample))))
}

/// Which files a condition leaves to be read; those that are read come first.
pub(super) async fn prune(
    location: &str,
    version: u64,
    predicate: &str,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let session = super::sql::session(location, Some(version), shared, watch).await?;
    let mut report = prune::prune(&table, &session, predicate, Footers::IfFew, watch).await?;
    report.files.sort_by_key(|file| !file.kept);
    Ok(JobEvent::Pruned(Arc::new(report)))
}
