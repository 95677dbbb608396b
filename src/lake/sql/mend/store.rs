//! A table's store with another log.

use std::fmt;

use async_trait::async_trait;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use crate::lake::place::Place;

const LOG: &str = "_delta_log";

/// Starts at the table's folder. Read-only.
#[derive(Debug)]
pub(super) struct Mended {
    data: PrefixStore<std::sync::Arc<dyn ObjectStore>>,
    log: InMemory,
}

impl Mended {
    pub(super) fn new(place: &Place, log: InMemory) -> Self {
        Mended { data: PrefixStore::new(std::sync::Arc::clone(&place.store), place.root.clone()), log }
    }
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("table with a mended log")
    }
}

fn in_log(path: &Path) -> bool {
    path.parts().next().is_some_and(|first| first.as_ref() == LOG)
}

fn read_only<T>(path: &Path) -> Result<T> {
    let source = "a mended table is only read".into();
    Err(Error::PermissionDenied { path: path.to_string(), source })
}

#[async_trait]
impl ObjectStore for Mended {
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if in_log(location) {
            return self.log.get_opts(location, options).await;
        }
        self.data.get_opts(location, options).await
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        if prefix.is_some_and(in_log) {
            return self.log.list(prefix);
        }
        let data = self.data.list(prefix).try_filter(|m| futures::future::ready(!in_log(&m.location)));
        if prefix.is_none_or(|p| p.as_ref().is_empty()) {
            return data.chain(self.log.list(None)).boxed();
        }
        data.boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        if prefix.is_some_and(in_log) {
            return self.log.list_with_delimiter(prefix).await;
        }
        self.data.list_with_delimiter(prefix).await
    }

    async fn put_opts(&self, location: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        read_only(location)
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        read_only(location)
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        locations.and_then(|path| futures::future::ready(read_only(&path))).boxed()
    }

    async fn copy_opts(&self, from: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        read_only(from)
    }
}
