//! A column chunk that is fetched bit by bit while it is decoded: some writers put all files of a
//! table into one row group, whose paths alone may be a hundred megabytes.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use object_store::ObjectStore;
use object_store::path::Path;
use parquet::errors::{ParquetError, Result as ParquetResult};
use tokio::runtime::Handle;

use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::Fault;

/// Bytes fetched at once. Shorter chunks are not streamed.
pub const WINDOW: u64 = 8 << 20;

/// The fault behind a parquet error, if it was one of the store.
#[derive(Clone, Default)]
pub struct Failed(Arc<Mutex<Option<Fault>>>);

impl Failed {
    pub fn fault(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, fault: Fault) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }
}

pub struct Stream {
    pub range: Range<u64>,
    store: Arc<dyn ObjectStore>,
    path: Path,
    watch: Watch,
    runtime: Handle,
    failed: Failed,
    /// What was fetched last: offset and bytes.
    window: Mutex<(u64, Bytes)>,
}

impl Stream {
    /// Call on an async runtime.
    pub fn new(
        range: Range<u64>,
        store: &Arc<dyn ObjectStore>,
        path: &Path,
        watch: &Watch,
        failed: &Failed,
    ) -> Stream {
        Stream {
            window: Mutex::new((range.start, Bytes::new())),
            range,
            store: store.clone(),
            path: path.clone(),
            watch: watch.clone(),
            runtime: Handle::current(),
            failed: failed.clone(),
        }
    }

    /// Bytes from `start` on, at least `length` of them if the chunk has them. Waits for the store.
    pub fn bytes(&self, start: u64, length: u64) -> ParquetResult<Bytes> {
        let end = self.range.end.min(start.saturating_add(length));
        if !self.range.contains(&start) {
            return Err(ParquetError::EOF(format!("byte {start} is outside of the column chunk")));
        }
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let (from, bytes) = &*window;
        if *from <= start && end <= from + bytes.len() as u64 {
            return Ok(bytes.slice((start - from) as usize..));
        }
        // The one before is let go first: two would be held otherwise.
        *window = (start, Bytes::new());
        let end = self.range.end.min(start.saturating_add(length.max(WINDOW)));
        let range = start..end;
        let read = store::get_ranges(&self.store, &self.path, std::slice::from_ref(&range), &self.watch);
        match self.runtime.block_on(read) {
            Ok(mut parts) => window.1 = parts.pop().unwrap_or_default(),
            Err(fault) => {
                let error = ParquetError::General(fault.to_string());
                self.failed.set(fault);
                return Err(error);
            }
        }
        Ok(window.1.clone())
    }
}
