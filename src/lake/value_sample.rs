//! A bounded look at rows: which values columns have, where the log's statistics do not tell.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use arrow::array::AsArray;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Date32Type};
use futures::StreamExt;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, RowSelection};
use parquet::arrow::async_reader::ParquetRecordBatchStreamBuilder;

use super::footer::{self, Locator};
use super::log::store;
use super::place::Place;
use super::store_reader::StoreReader;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::candidate_sample::SampledValues;
use crate::model::files::FileList;
use crate::model::progress::Progress;
use crate::model::stats::{StatKind, WantedColumn};

/// Files that are looked into: evenly spread by size.
const FILES: usize = 16;
/// Rows of each, in so many slices spread over one row group.
const ROWS: usize = 8192;
const SLICES: usize = 8;
/// Compressed bytes that are read of each at most; columns that do not fit in are left out.
const BYTES: u64 = 16 << 20;

/// The values of each of these columns in a sample of rows, by logical name. Columns within others are
/// not looked at. Rows that a deletion vector deletes count; a file that cannot be read is left out.
pub async fn sample(
    place: &Place,
    files: &FileList,
    columns: &[WantedColumn],
    watch: &Watch,
) -> Outcome<BTreeMap<String, SampledValues>> {
    let columns: Arc<[WantedColumn]> = columns.iter().filter(|c| c.path.len() == 1).cloned().collect();
    let mut out: BTreeMap<String, SampledValues> = BTreeMap::new();
    let (picked, _) = footer::pick(files, Some(FILES.min(files.len())));
    let locator = Locator::new(place);
    for (done, file) in picked.iter().map(|at| files.get(*at)).enumerate() {
        if columns.is_empty() {
            break;
        }
        let total = Some(picked.len() as u64);
        watch.progress(Progress::new("sampling rows", done as u64, total, "files"));
        let Ok((store, at)) = locator.locate(file.path) else { continue };
        let Ok(metadata) = footer::metadata(&store, &at, file.path, file.size, watch).await else { continue };
        let one = read(StoreReader::new(store, at, file.size), metadata, Arc::clone(&columns));
        // The file may be damaged: a panic of its reader says no more than that.
        let Ok(Some(found)) = store::cancellable(watch, tokio::spawn(one)).await? else { continue };
        for (column, keys) in columns.iter().zip(found) {
            let Some(keys) = keys else { continue };
            let values = out.entry(column.name.clone()).or_default();
            values.days = is_time(column.kind);
            values.files += 1;
            keys.into_iter().for_each(|key| *values.counts.entry(key).or_default() += 1);
        }
    }
    watch.check()?;
    Ok(out)
}

fn is_time(kind: StatKind) -> bool {
    matches!(kind, StatKind::Date | StatKind::Timestamp)
}

/// For each column the keys of its values in some rows; none for a column that the file lacks.
async fn read(
    file: StoreReader,
    metadata: parquet::file::metadata::ParquetMetaData,
    columns: Arc<[WantedColumn]>,
) -> Option<Vec<Option<Vec<i64>>>> {
    let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::new()).ok()?;
    let group = metadata.metadata().num_row_groups() / 2;
    let chunks = metadata.metadata().row_groups().get(group)?;
    let schema = metadata.parquet_schema();
    let mut left = BYTES;
    let mut roots = Vec::new();
    for column in columns.iter() {
        let name = column.path.first()?;
        let root = schema.root_schema().get_fields().iter().position(|f| f.name() == name);
        let size = chunks.columns().iter().filter(|c| c.column_path().parts().first() == Some(name));
        let size: u64 = size.map(|c| u64::try_from(c.compressed_size()).unwrap_or(u64::MAX)).sum();
        if let Some(root) = root.filter(|_| size <= left) {
            left -= size;
            roots.push(root);
        }
    }
    let mask = ProjectionMask::roots(schema, roots);
    let rows = usize::try_from(chunks.num_rows()).ok()?;
    let stream = ParquetRecordBatchStreamBuilder::new_with_metadata(file, metadata)
        .with_row_groups(vec![group])
        .with_projection(mask)
        .with_row_selection(slices(rows))
        .build();
    let batches: Vec<_> = stream.ok()?.collect().await;
    let mut out = vec![None; columns.len()];
    for batch in batches {
        let batch = batch.ok()?;
        for (column, keys) in columns.iter().zip(&mut out) {
            let Some(array) = batch.column_by_name(column.path.first()?) else { continue };
            let keys: &mut Vec<i64> = keys.get_or_insert_default();
            if is_time(column.kind) {
                let days = cast(array, &DataType::Date32).ok()?;
                keys.extend(days.as_primitive_opt::<Date32Type>()?.iter().flatten().map(i64::from));
            } else {
                let texts = cast(array, &DataType::Utf8).ok()?;
                keys.extend(texts.as_string_opt::<i32>()?.iter().flatten().map(key));
            }
        }
    }
    Some(out)
}

/// Two texts of the same key are, for all that matters here, the same.
fn key(text: &str) -> i64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish() as i64
}

/// Slices spread over so many rows.
fn slices(rows: usize) -> RowSelection {
    if rows <= ROWS {
        return RowSelection::from_consecutive_ranges(std::iter::once(0..rows), rows);
    }
    let (step, length) = (rows / SLICES, ROWS / SLICES);
    let ranges = (0..SLICES).map(|n| n * step..n * step + length);
    RowSelection::from_consecutive_ranges(ranges, rows)
}
