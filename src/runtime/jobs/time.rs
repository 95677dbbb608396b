//! Looks into the past: one commit, two versions compared, a walk through the whole log.

use std::sync::Arc;

use crate::app::JobEvent;
use crate::lake::watch::Watch;
use crate::lake::{commit as commits, diff, walk as walks};
use crate::model::Outcome;
use crate::model::table::AsOf;

use super::Shared;

pub(super) async fn commit(
    location: &str,
    version: u64,
    commit: u64,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let view = commits::commit(&table.log_as_listed(), commit, watch).await?;
    Ok(JobEvent::Commit(Arc::new(view)))
}

pub(super) async fn compare(
    location: &str,
    version: u64,
    (from, to): (u64, u64),
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let compared = diff::diff(&table, AsOf::Version(from), AsOf::Version(to), watch).await?;
    Ok(JobEvent::Compared(Arc::new(compared)))
}

pub(super) async fn walk(
    location: &str,
    version: u64,
    look_for_files: bool,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let ask = walks::Ask { look_for_files, retain: None, now: chrono::Utc::now().timestamp_millis() };
    Ok(JobEvent::Past(Arc::new(walks::walk(&table, ask, watch).await?)))
}
