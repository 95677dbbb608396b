//! Footers of parquet files: one of a table's or any other file's, or all of a table summed up.
//!
//! A footer takes one request in most cases: the last 64 KiB of the file. Page indexes and bloom
//! filters are not read, only whether they are there. Parsing runs beside the async threads, and
//! what a damaged or hostile file makes of it is a fault of that file, never of the program.

mod bounds;
mod convert;
mod depth;
mod fetch;
mod locate;
mod mend;
mod sample;
mod schema;
mod survey;
mod thrift;
mod vectors;

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;
use parquet::file::metadata::ParquetMetaData;

use super::log::store;
use super::place::Place;
use super::watch::Watch;
use crate::model::footer::Footer;
use crate::model::{Fault, Outcome};

pub use locate::Locator;
pub use sample::pick;
pub use survey::{CONCURRENCY, Survey, stream, survey};

/// The footer of a table's data file. `path` is as in the log, decoded: relative to the table, or
/// absolute. `size` is the log's figure; where it is wrong, the real one is found out.
///
/// Faults, all of exit status 3: `not-found`, `permission-denied`, `unreadable` (the store failed),
/// `not-parquet`, `truncated`, `encrypted`, `bad-footer`, `bad-path`.
pub async fn of_table(place: &Place, path: &str, size: Option<u64>, watch: &Watch) -> Outcome<Footer> {
    let (store, at) = Locator::new(place).locate(path)?;
    read(&store, &at, path, size, watch).await
}

/// The footer of the parquet file that the place itself is. Faults as [`of_table`].
pub async fn of_file(place: &Place, watch: &Watch) -> Outcome<Footer> {
    read(&place.store, &place.root, &place.display, None, watch).await
}

/// Whether the place itself is a file, not a folder. Faults: those of the store.
pub async fn is_file(place: &Place, watch: &Watch) -> Outcome<bool> {
    if place.root.as_ref().is_empty() {
        return Ok(false);
    }
    match store::size(&place.store, &place.root, watch).await {
        // Stores with real folders answer for a folder too, with no bytes.
        Ok(size) => Ok(size > 0 || place.name.ends_with(".parquet")),
        Err(fault) if fault.code == "not-found" => Ok(false),
        Err(fault) => Err(fault),
    }
}

/// The footer of the object `at`; `shown` names it to people and in the answer.
async fn read(
    store: &Arc<dyn ObjectStore>,
    at: &Path,
    shown: &str,
    size: Option<u64>,
    watch: &Watch,
) -> Outcome<Footer> {
    let path = shown.to_owned();
    parsed(store, at, shown, size, watch, move |bytes, size| convert::parse(bytes, &path, size)).await
}

/// The footer of the object `at` in the parquet crate's own form. Faults as [`of_table`].
pub(super) async fn metadata(
    store: &Arc<dyn ObjectStore>,
    at: &Path,
    shown: &str,
    size: u64,
    watch: &Watch,
) -> Outcome<ParquetMetaData> {
    parsed(store, at, shown, Some(size), watch, |bytes, _| convert::metadata(bytes)).await
}

async fn parsed<T: Send + 'static>(
    store: &Arc<dyn ObjectStore>,
    at: &Path,
    shown: &str,
    size: Option<u64>,
    watch: &Watch,
    parse: impl FnOnce(&[u8], u64) -> Result<T, String> + Send + 'static,
) -> Outcome<T> {
    let raw = store::cancellable(watch, fetch::footer_bytes(store, at, shown, size)).await??;
    let parsed = match tokio::task::spawn_blocking(move || parse(&raw.bytes, raw.file_size)).await {
        Ok(parsed) => parsed,
        Err(e) if e.is_cancelled() => return Err(Fault::cancelled()),
        // The parser is another's code; a panic in it says no more than that it met the unexpected.
        Err(_) => Err("the parser gave up on it".into()),
    };
    parsed.map_err(|why| {
        Fault::read("bad-footer", format!("The footer of {shown} cannot be read")).because(why).hint(
            "The file is damaged, or its writer broke the parquet format; write it again from its source",
        )
    })
}
