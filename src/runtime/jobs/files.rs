//! The file list of a version.

use crate::app::JobEvent;
use crate::lake::log::Want;
use crate::lake::watch::Watch;
use crate::model::Outcome;

use super::Shared;
use super::report::Report;

/// Bytes of a checkpoint from which on reading its statistics is a matter of seconds: the list is
/// handed out before it is done.
const LARGE: u64 = 16 << 20;

pub(super) async fn files(
    location: &str,
    version: u64,
    records: bool,
    shared: &Shared,
    report: &Report,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let table = shared.tables.at(location, version, &shared.options, watch).await?;
    let want = Want { records, tombstones: true, tags: false };
    let files = if records && table.checkpoint_bytes() >= LARGE {
        let first = table.files(Want::default(), watch).await?.list;
        report.send(JobEvent::PartialFiles(first.clone())).await?;
        table.files_after(&first, want, &watch.without_partial_files()).await?
    } else {
        table.files(want, watch).await?
    };
    shared.tables.keep_files(location, version, files.clone());
    Ok(JobEvent::Files { list: files.list, tombstones: files.tombstones, warnings: files.warnings })
}
