//! One table for the engine: opened and judged by this program's own reader, then read by delta-rs'
//! provider at that version.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use deltalake::delta_datafusion::DeltaScanNext;
use deltalake::kernel::Snapshot;
use deltalake::logstore::LogStoreRef;
use deltalake::{DeltaTableBuilder, DeltaTableError};
use futures::FutureExt;

use super::{blame, mend};
use crate::lake::log::{OpenTable, Want};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::features::support;
use crate::model::schema::DataType;
use crate::model::table::{Protocol, Table};
use crate::model::{Fault, FaultKind, Outcome};

/// The table at the version that `open` stands for; files are listed when a query runs.
pub(super) async fn provider(open: &OpenTable) -> Outcome<Arc<dyn TableProvider>> {
    check(&open.table)?;
    let engines = async {
        match log_store(&open.place) {
            Ok(store) => snapshot(&open.place, store, Some(open.table.version)).await,
            Err(e) => Err(blame::table(&open.place, &e)),
        }
    };
    // Both read the log: at the same time, so that no one waits for the store twice.
    let (empty_texts, first) = futures::join!(nulls_are_empty_texts(open), engines.boxed());
    if empty_texts? {
        return mended(open).await;
    }
    match first {
        // The own reader has opened it, so the log can be read; see `mend`.
        Err(fault) if fault.kind == FaultKind::Read => mended(open).await.map_err(|_| fault),
        other => other,
    }
}

/// Whether a partition value of a text column is an empty string in the log. That is a null (Delta
/// protocol, "Partition Value Serialization"), but the engine's reader takes it for a text.
async fn nulls_are_empty_texts(open: &OpenTable) -> Outcome<bool> {
    let metadata = &open.table.metadata;
    let is_text = |name: &String| {
        metadata.column(name).is_some_and(|f| f.data_type == DataType::Primitive("string".into()))
    };
    if !metadata.partition_columns.iter().any(is_text) {
        return Ok(false);
    }
    // Boxed: the future is large, and the engine polls it from deep down.
    let files = open.files(Want::default(), &Watch::default()).boxed().await?;
    Ok(files.list.partitions.empty_texts)
}

/// The table by a log that is written anew in memory.
pub(super) async fn mended(open: &OpenTable) -> Outcome<Arc<dyn TableProvider>> {
    let store = mend::log_store(open).await?;
    snapshot(&open.place, store, None).await
}

async fn snapshot(
    place: &Place,
    store: LogStoreRef,
    version: Option<u64>,
) -> Outcome<Arc<dyn TableProvider>> {
    let failed = |e: DeltaTableError| blame::table(place, &e);
    let snapshot = Snapshot::try_new(store.as_ref(), version).await.map_err(failed)?;
    let provider = DeltaScanNext::builder().with_log_store(store).with_snapshot(snapshot).build().await;
    Ok(Arc::new(provider.map_err(|e| blame::table(place, &DeltaTableError::from(e)))?))
}

fn log_store(place: &Place) -> Result<LogStoreRef, DeltaTableError> {
    let options: HashMap<String, String> = place.options.iter().cloned().collect();
    DeltaTableBuilder::from_url(place.url.clone())?.with_storage_options(options).build_storage()
}

/// Refuses what the protocol forbids to read without knowing it, by name (Delta protocol, "Reader
/// Requirements for Table Features"), and a table without a schema.
fn check(table: &Table) -> Outcome<()> {
    let lacking = lacking(&table.protocol);
    if !lacking.is_empty() {
        return Err(unsupported(&lacking.join(", ")));
    }
    match &table.metadata.schema_problem {
        Some(problem) => Err(Fault::read("no-schema", "The table's schema cannot be read").because(problem)),
        None => Ok(()),
    }
}

fn lacking(protocol: &Protocol) -> Vec<String> {
    const NEWEST_READER: u32 = 3;
    let features = protocol.reader_features.iter().flatten();
    let mut out: Vec<String> = features.filter(|name| !support(name).sql).cloned().collect();
    if protocol.min_reader > NEWEST_READER {
        out.push(format!("reader version {}", protocol.min_reader));
    }
    out
}

/// The fault for features that SQL cannot read, by name.
pub(super) fn unsupported(names: &str) -> Fault {
    Fault::feature("unsupported-feature", format!("SQL cannot read tables with {names}"))
        .because("The query engine does not know this table feature")
        .hint("detail, files, partitions, columns and history still work")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_features_are_judged_and_writer_features_are_not() {
        let with = |reader: &[&str], writer: &[&str]| Protocol {
            min_reader: 3,
            min_writer: 7,
            reader_features: Some(reader.iter().map(|s| (*s).to_owned()).collect()),
            writer_features: Some(writer.iter().map(|s| (*s).to_owned()).collect()),
        };
        assert!(lacking(&with(&["deletionVectors"], &["deletionVectors", "neverHeardOf"])).is_empty());
        let names = lacking(&with(&["typeWidening", "columnMapping", "neverHeardOf"], &[]));
        assert_eq!(names, ["typeWidening", "neverHeardOf"]);
        let future = Protocol { min_reader: 4, ..Protocol::default() };
        assert_eq!(lacking(&future), ["reader version 4"]);
    }
}
