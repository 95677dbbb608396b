//! Parquet files in an object store, for the parquet crate's async reader.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, TryFutureExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use parquet::arrow::async_reader::AsyncFileReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

/// Bytes of a file's end that mostly hold its whole footer.
const FOOTER_HINT: usize = 64 << 10;

/// One file.
#[derive(Debug)]
pub struct StoreReader {
    store: Arc<dyn ObjectStore>,
    at: Path,
    size: u64,
}

impl StoreReader {
    /// `size` in bytes, by the log.
    pub fn new(store: Arc<dyn ObjectStore>, at: Path, size: u64) -> StoreReader {
        StoreReader { store, at, size }
    }
}

fn external(error: object_store::Error) -> ParquetError {
    ParquetError::External(error.into())
}

impl AsyncFileReader for StoreReader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes>> {
        async move { self.store.get_range(&self.at, range).await }.map_err(external).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, Result<Vec<Bytes>>> {
        async move { self.store.get_ranges(&self.at, &ranges).await }.map_err(external).boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, Result<Arc<ParquetMetaData>>> {
        async move {
            let size = self.size;
            let reader = ParquetMetaDataReader::new()
                .with_page_index_policy(PageIndexPolicy::Skip)
                .with_prefetch_hint(Some(FOOTER_HINT));
            Ok(Arc::new(reader.load_and_finish(self, size).await?))
        }
        .boxed()
    }
}
