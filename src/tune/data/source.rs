//! A data file to be read: its footer, its deletion vector, how many rows live in it.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Fields, Schema, TimeUnit};
use object_store::ObjectStore;
use object_store::path::Path;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, RowSelection, RowSelector};
use parquet::file::metadata::ParquetMetaData;
use roaring::RoaringTreemap;

use super::{bad_file, vector};
use crate::lake::footer::Locator;
use crate::lake::log::store;
use crate::lake::place::Place;
use crate::lake::store_reader::StoreReader;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::files::DeletionVector;

/// What is to be opened.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// As in the log, decoded.
    pub path: String,
    /// Bytes, by the log.
    pub size: u64,
    pub vector: Option<DeletionVector>,
}

/// A file whose footer and deletion vector were read.
#[derive(Debug)]
pub struct Source {
    pub file: SourceFile,
    pub store: Arc<dyn ObjectStore>,
    pub at: Path,
    /// Where it lies on this machine's disk, if it does.
    pub local: Option<PathBuf>,
    /// With the types that the rows are read as.
    pub meta: ArrowReaderMetadata,
    /// Rows, the deleted ones too.
    pub rows: u64,
    deleted: Option<RoaringTreemap>,
}

/// Row groups to read, and which of their rows.
pub struct Selection {
    pub groups: Vec<usize>,
    /// Within these groups; none: all rows.
    pub rows: Option<RowSelection>,
    /// Of the selected rows, how many to pass over, and how many to take.
    pub skip: u64,
    pub take: u64,
}

impl Source {
    /// `views`: text is read as views.
    ///
    /// Faults: `bad-data-file`, `bad-deletion-vector`, those of the store.
    pub async fn open(
        place: &Place,
        locator: &Locator<'_>,
        file: SourceFile,
        views: bool,
        watch: &Watch,
    ) -> Outcome<Source> {
        let (store, at) = locator.locate(&file.path)?;
        let mut reader = StoreReader::new(store.clone(), at.clone(), file.size);
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let loading = ArrowReaderMetadata::load_async(&mut reader, options);
        let plain = match store::cancellable(watch, loading).await? {
            Ok(meta) => meta,
            Err(e) => return Err(missing_or_bad(&store, &at, &file.path, e, watch).await),
        };
        let meta =
            typed(plain.metadata(), plain.schema().fields(), views).map_err(|e| bad_file(&file.path, e))?;
        let rows = u64::try_from(meta.metadata().file_metadata().num_rows())
            .map_err(|_| bad_file(&file.path, "its footer states no number of rows"))?;
        let deleted = match &file.vector {
            Some(vector) => Some(vector::read(locator, vector, watch).await?),
            None => None,
        };
        if deleted.as_ref().and_then(RoaringTreemap::max).is_some_and(|last| last >= rows) {
            return Err(bad_file(&file.path, "its deletion vector names a row that it does not have"));
        }
        let local = place.is_local().then(|| PathBuf::from(format!("/{at}")));
        let local = local.filter(|path| path.is_file());
        Ok(Source { file, store, at, local, meta, rows, deleted })
    }

    /// Rows that a query returns.
    pub fn live(&self) -> u64 {
        self.rows - self.deleted.as_ref().map_or(0, RoaringTreemap::len)
    }

    /// The largest row group: its compressed bytes.
    pub fn largest_group(&self) -> u64 {
        let sizes = self.meta.metadata().row_groups().iter().map(|g| g.compressed_size());
        sizes.max().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
    }

    /// Bytes of a row before compression, about.
    pub fn row_width(&self) -> u64 {
        let bytes: i64 = self.meta.metadata().row_groups().iter().map(|g| g.total_byte_size()).sum();
        u64::try_from(bytes).unwrap_or(0) / self.rows.max(1)
    }

    /// What to read for some of the live rows, counted from 0.
    pub fn select(&self, live: Range<u64>) -> Selection {
        let mut out =
            Selection { groups: Vec::new(), rows: None, skip: 0, take: live.end.saturating_sub(live.start) };
        let mut selectors = Vec::new();
        let (mut row, mut seen) = (0u64, 0u64);
        for (at, group) in self.meta.metadata().row_groups().iter().enumerate() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let dead = self.deleted_in(row..row + rows);
            let here = seen..seen + (rows - dead.len() as u64);
            if here.end > live.start && here.start < live.end {
                if out.groups.is_empty() {
                    out.skip = live.start.saturating_sub(here.start);
                }
                out.groups.push(at);
                selectors.extend(keep_all_but(row, rows, &dead));
            }
            row += rows;
            seen = here.end;
        }
        if self.deleted.is_some() {
            out.rows = Some(RowSelection::from(selectors));
        }
        out
    }

    fn deleted_in(&self, rows: Range<u64>) -> Vec<u64> {
        let Some(deleted) = &self.deleted else { return Vec::new() };
        let mut iter = deleted.iter();
        iter.advance_to(rows.start);
        iter.take_while(|row| *row < rows.end).collect()
    }
}

fn keep_all_but(first: u64, rows: u64, dead: &[u64]) -> Vec<RowSelector> {
    let mut out = Vec::with_capacity(2 * dead.len() + 1);
    let mut next = first;
    for row in dead {
        if *row > next {
            out.push(RowSelector::select((row - next) as usize));
        }
        out.push(RowSelector::skip(1));
        next = row + 1;
    }
    if first + rows > next {
        out.push(RowSelector::select((first + rows - next) as usize));
    }
    out
}

/// A file that is not there is told as such; the parquet crate would speak of its own troubles.
async fn missing_or_bad(
    store: &Arc<dyn ObjectStore>,
    at: &Path,
    path: &str,
    error: parquet::errors::ParquetError,
    watch: &Watch,
) -> crate::model::Fault {
    match store::size(store, at, watch).await {
        Err(fault) => fault,
        Ok(_) => bad_file(path, error),
    }
}

/// The metadata with the types that rows shall be read as: what Delta's types are, rather than
/// what this file's writer noted.
fn typed(
    meta: &Arc<ParquetMetaData>,
    fields: &Fields,
    views: bool,
) -> Result<ArrowReaderMetadata, parquet::errors::ParquetError> {
    let with = |micros: bool| {
        let fields: Vec<_> = fields.iter().map(|f| retyped(f, views, micros)).collect();
        let options = ArrowReaderOptions::new()
            .with_skip_arrow_metadata(true)
            .with_schema(Arc::new(Schema::new(fields)));
        ArrowReaderMetadata::try_new(meta.clone(), options)
    };
    // Only INT96 can be read as microseconds at once; nanoseconds proper are converted later.
    with(true).or_else(|_| with(false))
}

fn retyped(field: &Field, views: bool, micros: bool) -> Field {
    let inner = |f: &Field| Arc::new(retyped(f, views, micros));
    let data_type = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            if views {
                DataType::Utf8View
            } else {
                DataType::Utf8
            }
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            if views {
                DataType::BinaryView
            } else {
                DataType::Binary
            }
        }
        DataType::Timestamp(TimeUnit::Nanosecond, zone) if micros => {
            DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
        }
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|f| inner(f)).collect()),
        DataType::List(element) => DataType::List(inner(element)),
        DataType::Map(entries, sorted) => DataType::Map(inner(entries), *sorted),
        other => other.clone(),
    };
    field.clone().with_data_type(data_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deleted_rows_are_passed_over() {
        let kept =
            |first, rows, dead: &[u64]| RowSelection::from(keep_all_but(first, rows, dead)).row_count();
        assert_eq!(kept(0, 10, &[]), 10);
        assert_eq!(kept(0, 10, &[0, 1, 9]), 7);
        assert_eq!(kept(100, 5, &[102]), 4);
        assert_eq!(kept(0, 2, &[0, 1]), 0);
    }
}
