//! One table for the engine: checked against the protocol, then delta-rs' provider at one version.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use deltalake::delta_datafusion::DeltaScanNext;
use deltalake::kernel::Snapshot;
use deltalake::logstore::LogStoreRef;
use deltalake::{DeltaTableBuilder, DeltaTableError};

use super::blame;
use crate::lake::place::Place;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// Reads protocol, metadata and schema of the version; files are listed when a query runs.
pub(super) async fn provider(place: &Place, as_of: AsOf) -> Outcome<Arc<dyn TableProvider>> {
    let version = match as_of {
        AsOf::Latest => None,
        AsOf::Version(v) => Some(v),
        AsOf::Time(_) => return Err(Fault::usage("no-time-travel", "Time travel by time is not there yet")),
    };
    let failed = |e: DeltaTableError| blame::table(place, &e);
    let store = log_store(place).map_err(failed)?;
    let snapshot = Snapshot::try_new(store.as_ref(), version).await.map_err(failed)?;
    let provider = DeltaScanNext::builder().with_log_store(store).with_snapshot(snapshot).build().await;
    Ok(Arc::new(provider.map_err(|e| blame::table(place, &DeltaTableError::from(e)))?))
}

fn log_store(place: &Place) -> Result<LogStoreRef, DeltaTableError> {
    let options: HashMap<String, String> = place.options.iter().cloned().collect();
    DeltaTableBuilder::from_url(place.url.clone())?.with_storage_options(options).build_storage()
}

/// The fault for features that SQL cannot read, by name.
pub(super) fn unsupported(names: &str) -> Fault {
    Fault::feature("unsupported-feature", format!("SQL cannot read tables with {names}"))
        .because("The query engine does not know this table feature")
        .hint("detail, files, partitions, columns and history still work")
}
