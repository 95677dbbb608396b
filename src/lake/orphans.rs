//! Files in the table's folder that its log does not know.

use std::time::{SystemTime, UNIX_EPOCH};

use super::folder;
use super::log::{OpenTable, Want, store};
use super::own_paths::OwnPaths;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::evidence::Orphans;
use crate::model::plan::vacuum::{SAFE_RETENTION_HOURS, unknown_files};
use crate::model::retention::Retention;
use crate::model::table::AsOf;
use crate::model::units::Millis;

const HOUR: Millis = 3_600_000;

/// Lists the folder, then asks the newest version: what is committed meanwhile is known. A table looked
/// at as of an earlier version is judged by the newest one too.
pub async fn find(table: &OpenTable, watch: &Watch) -> Outcome<Orphans> {
    let listing = folder::list(&table.place, watch).await?;
    let newest = OpenTable::open(&table.place, AsOf::Latest, watch).await?;
    let traces = newest.traces(watch).await?;
    let files = newest.files(Want::default(), watch).await?;
    // Where the retention is not known, what is safe for any table.
    let safe = i64::try_from(SAFE_RETENTION_HOURS).unwrap_or(i64::MAX).saturating_mul(HOUR);
    let retention = Retention::of(&newest.table.metadata.configuration).deleted_files;
    let keep = if retention.problem.is_none() { retention.value.max(safe) } else { safe };
    let old_before = now().saturating_sub(keep);
    let place = table.place.clone();
    store::blocking(move || {
        let own = OwnPaths::of(&place);
        let (in_use, traces) = (own.in_use(&files.list), own.traces(traces));
        let changes = traces.change_files.iter().map(|c| c.path.as_str());
        unknown_files(&listing, &in_use, &traces.tombstones, changes, old_before)
    })
    .await
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    since.and_then(|d| Millis::try_from(d.as_millis()).ok()).unwrap_or(0)
}
