//! Files as a table: a file, or a folder of files with or without `column=value` folders.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::datatypes::DataType;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::DataFusionError;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::prelude::SessionContext;
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use url::Url;

use super::beside::parent;
use super::engine::Shared;
use super::file_format::{FileKind, FileOptions};
use crate::lake::place::Place;
use crate::model::{Fault, Outcome};

/// Files of which the partition columns' types are found out.
const LOOKED_AT: usize = 10_000;

/// The files at a place as a table.
///
/// # Errors
/// `not-found` if no such file is there, `unreadable-files` if they cannot be read as that kind.
pub(super) async fn provider(
    place: &Place,
    kind: FileKind,
    options: &FileOptions,
    shared: &Shared,
) -> Outcome<Arc<dyn TableProvider>> {
    let files = list(place, kind).await?;
    let unreadable = |e: DataFusionError| {
        Fault::read("unreadable-files", format!("{} cannot be read", place.display))
            .because(super::words::without_wrapping(&e.strip_backtrace()))
            .hint("csv.`…`, json.`…` and parquet.`…` say what the files are")
    };
    let url = address(place, files.single, shared).map_err(unreadable)?;
    let mut listing = ListingOptions::new(options.format(kind)).with_file_extension(files.extension);
    if !files.single {
        listing = listing.with_table_partition_cols(partition_columns(place, &files.paths));
    }
    // The store is known to the session's environment; only the types need a session of their own.
    let context = SessionContext::new_with_config_rt(super::engine::config(), Arc::clone(&shared.runtime));
    let found = infer(&context.state(), &listing, &url).await.map_err(unreadable)?;
    let config =
        ListingTableConfig::new(url).with_listing_options(listing).with_schema(options.adjusted(kind, found));
    Ok(Arc::new(ListingTable::try_new(config).map_err(unreadable)?))
}

async fn infer(
    state: &dyn Session,
    listing: &ListingOptions,
    url: &ListingTableUrl,
) -> Result<arrow::datatypes::SchemaRef, DataFusionError> {
    listing.infer_schema(state, url).await
}

struct Found {
    /// The place is a file.
    single: bool,
    paths: Vec<Path>,
    /// How the files that are meant end; empty if any may be.
    extension: &'static str,
}

/// Names with `_` or `.` in front are not data (as Spark has it).
async fn list(place: &Place, kind: FileKind) -> Outcome<Found> {
    let failed = |e: object_store::Error| {
        Fault::read("storage", format!("{} cannot be listed", place.display))
            .because(crate::lake::log::store::redact(&e.to_string()))
    };
    let objects: Vec<_> = place.store.list(Some(&place.root)).try_collect().await.map_err(failed)?;
    if let Some(table) = delta_table(place, objects.iter().map(|o| &o.location)).await {
        return Err(Fault::usage("delta-table", format!("{} holds files of a Delta table", place.display))
            .because("Which of them hold rows is known to the table's log alone: others were removed, or rewritten")
            .hint(format!("delta.`{table}` reads the table; parquet.`…` with one file's path reads that file")));
    }
    let hidden = |path: &Path| {
        let below = path.prefix_match(&place.root).into_iter().flatten();
        below.into_iter().any(|part| {
            part.as_ref().starts_with('.') || (part.as_ref().starts_with('_') && !part.as_ref().contains('='))
        })
    };
    let mut paths: Vec<Path> =
        objects.into_iter().filter(|o| o.size > 0 && !hidden(&o.location)).map(|o| o.location).collect();
    // A prefix of object stores is no folder: a listing leaves out the object itself.
    let single =
        paths.is_empty() && object_store::ObjectStoreExt::head(&place.store, &place.root).await.is_ok();
    if single {
        paths.push(place.root.clone());
    }
    let extension = kind.extension();
    let ends = |path: &Path| path.as_ref().ends_with(extension);
    let extension = if paths.iter().any(ends) { extension } else { "" };
    paths.retain(|path| path.as_ref().ends_with(extension));
    if paths.is_empty() {
        return Err(Fault::read("not-found", format!("There are no files at {}", place.display))
            .hint("A path counts from the open location, or is absolute"));
    }
    Ok(Found { single, paths, extension })
}

/// Where a Delta table is that the folder is, holds or is a part of (Spark refuses these too:
/// DELTA_INCOMPATIBLE_FORMAT), as it is shown; None for a single file, which one may look at.
async fn delta_table(place: &Place, objects: impl Iterator<Item = &Path>) -> Option<String> {
    const LOG: &str = "_delta_log";
    let mut any = false;
    for object in objects {
        any = true;
        let below: Vec<_> = object.prefix_match(&place.root).into_iter().flatten().collect();
        if let Some(at) = below.iter().position(|part| part.as_ref() == LOG) {
            let folders: Vec<&str> = below[..at].iter().map(AsRef::as_ref).collect();
            return Some(place.child(&folders.join("/")).display);
        }
    }
    let mut above = parent(place).filter(|_| any);
    while let Some(folder) = above {
        // What one may not look at tells nothing.
        if let Some(Ok(_)) = folder.store.list(Some(&folder.root.clone().join(LOG))).next().await {
            return Some(folder.display);
        }
        above = parent(&folder);
    }
    None
}

/// An address that leads the engine to the place's store: each table has one of its own.
fn address(place: &Place, single: bool, shared: &Shared) -> Result<ListingTableUrl, DataFusionError> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let bad = |e: url::ParseError| DataFusionError::External(Box::new(e));
    let mut url = Url::parse(&format!("files://{number}/")).map_err(bad)?;
    shared.runtime.register_object_store(&url, Arc::clone(&place.store));
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(place.root.parts().map(|p| p.as_ref().to_owned()));
        if !single {
            segments.push("");
        }
    }
    ListingTableUrl::try_new(url, None)
}

/// The columns of `column=value` folders: whole numbers, dates, else texts (Spark's partition
/// discovery). Only columns that every file has.
fn partition_columns(place: &Place, paths: &[Path]) -> Vec<(String, DataType)> {
    let mut order: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let looked_at = &paths[..paths.len().min(LOOKED_AT)];
    for path in looked_at {
        let parts: Vec<_> = path.prefix_match(&place.root).into_iter().flatten().collect();
        let folders = parts.split_last().map_or(&[][..], |(_, folders)| folders);
        for (name, value) in folders.iter().filter_map(|part| part.as_ref().split_once('=')) {
            if !order.iter().any(|known| known == name) {
                order.push(name.to_owned());
            }
            values.entry(name.to_owned()).or_default().push(value.to_owned());
        }
    }
    order.retain(|name| values.get(name).is_some_and(|v| v.len() == looked_at.len()));
    let of = |name: &String| values.get(name).map_or(DataType::Utf8, |values| type_of(values));
    order.iter().map(|name| (name.clone(), of(name))).collect()
}

fn type_of(values: &[String]) -> DataType {
    let mut real = values.iter().filter(|v| *v != "__HIVE_DEFAULT_PARTITION__").peekable();
    let any = real.peek().is_some();
    let all = |is: fn(&str) -> bool| any && values.iter().all(|v| is(v));
    if all(|v| v.parse::<i32>().is_ok()) {
        DataType::Int32
    } else if all(|v| v.parse::<i64>().is_ok()) {
        DataType::Int64
    } else if all(|v| v.len() == 10 && v.parse::<chrono::NaiveDate>().is_ok()) {
        DataType::Date32
    } else {
        DataType::Utf8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partition_values_have_types() {
        let of = |values: &[&str]| type_of(&values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["2024", "12"]), DataType::Int32);
        assert_eq!(of(&["20240101000000"]), DataType::Int64);
        assert_eq!(of(&["2024-01-31"]), DataType::Date32);
        assert_eq!(of(&["1", "x"]), DataType::Utf8);
        assert_eq!(of(&["__HIVE_DEFAULT_PARTITION__"]), DataType::Utf8);
    }
}
