//! The file list of a version.

use crate::app::JobEvent;
use crate::lake::log::Want;
use crate::lake::watch::Watch;
use crate::model::Outcome;

use super::Shared;

pub(super) async fn files(
    location: &str,
    version: u64,
    records: bool,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let files = table.files(Want { records, tombstones: true, tags: false }, watch).await?;
    shared.tables.keep_files(location, version, files.clone());
    Ok(JobEvent::Files { list: files.list, tombstones: files.tombstones, warnings: files.warnings })
}
