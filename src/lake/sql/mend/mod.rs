//! Tables whose log the engine's reader does not take, though this program's own reader does: a
//! damaged checkpoint or hint, statistics that are no JSON, a schema's odd corner.
//!
//! The engine then sees a log of one commit, written here from what the own reader found and kept
//! in memory; data files and deletion vectors come from the table's store. The files' minimum and
//! maximum are not in it, so no file is skipped by them: slower, and the same rows.

mod commit;
mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deltalake::logstore::{LogStoreRef, StorageConfig, logstore_with};
use futures::FutureExt;
use object_store::ObjectStoreExt;
use object_store::memory::InMemory;
use object_store::path::Path;
use url::Url;

use self::store::Mended;
use crate::lake::log::{OpenTable, Want};
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

/// The log store of the mended table, at a location of its own.
pub(super) async fn log_store(open: &OpenTable) -> Outcome<LogStoreRef> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let fault = |e: &dyn std::fmt::Display| {
        Fault::read("unreadable-table", format!("Cannot read the table \"{}\"", open.place.name)).because(e)
    };
    let want = Want { records: true, ..Want::default() };
    let files = open.files(want, &Watch::default()).boxed().await?;
    let log = InMemory::new();
    let first = Path::from("_delta_log/00000000000000000000.json");
    let text = commit::text(&open.table, &files.list).map_err(|e| fault(&e))?;
    log.put(&first, text.into()).await.map_err(|e| fault(&e))?;
    let store = Mended::new(&open.place, log);
    // The engine keeps one store for each authority, so no two tables may share one.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let url = Url::parse(&format!("memory://mended-{number}/")).map_err(|e| fault(&e))?;
    logstore_with(Arc::new(store), &url, StorageConfig::default()).map_err(|e| fault(&e))
}
