//! The remove actions of a checkpoint: for a vacuum, so a row group after the other will do.

use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;

use super::columns::{Vectors, integers, number, strings};
use super::files::open_sidecar;
use super::parquet_file::{ParquetFile, damaged};
use super::{AT_ONCE, OpenCheckpoint};
use crate::lake::log::key::decode_path;
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::plan::vacuum::Tombstone;
use crate::model::{Fault, Outcome};

const BATCH_ROWS: usize = 8192;

impl OpenCheckpoint {
    /// Its tombstones, from all parquet files. The versions that removed them are not in it.
    pub async fn removes(&self, store: &Arc<dyn ObjectStore>, watch: &Watch) -> Outcome<Vec<Tombstone>> {
        let sidecars = futures::stream::iter(self.sidecars.clone())
            .map(|sidecar| open_sidecar(store.clone(), sidecar, watch.clone()));
        let mut files = self.parts.clone();
        files.extend(sidecars.buffered(AT_ONCE).try_collect::<Vec<_>>().await?);
        let mut out = Vec::new();
        for file in &files {
            out.extend(of_file(store, file, watch).await?);
        }
        Ok(out)
    }
}

async fn of_file(store: &Arc<dyn ObjectStore>, file: &ParquetFile, watch: &Watch) -> Outcome<Vec<Tombstone>> {
    let leaves = file.leaves(|path| match path {
        [remove, name] if remove == "remove" => {
            matches!(name.as_str(), "path" | "size" | "deletionTimestamp")
        }
        [remove, group, _] if remove == "remove" => group == "deletionVector",
        _ => false,
    });
    let mut out = Vec::new();
    for group in file.groups_with(&file.leaves(|path| path == ["remove", "path"])) {
        let group = file.fetch(store, group, &leaves, watch).await?;
        let watch = watch.clone();
        let some = store::blocking(move || {
            let path = group.path().clone();
            let mut out = Vec::new();
            for batch in group.reader(BATCH_ROWS)? {
                watch.check()?;
                let batch = batch.map_err(|e| damaged(&path, &e))?;
                rows(&batch, &mut out).map_err(|why| damaged(&path, &why))?;
            }
            Ok::<_, Fault>(out)
        });
        out.extend(some.await??);
    }
    Ok(out)
}

fn rows(batch: &RecordBatch, out: &mut Vec<Tombstone>) -> Result<(), String> {
    let Some(remove) = batch.column_by_name("remove").and_then(|c| c.as_struct_opt()) else {
        return Ok(());
    };
    let paths = strings(remove, "path")?.ok_or("remove lacks path")?;
    let (sizes, times) = (integers(remove, "size")?, integers(remove, "deletionTimestamp")?);
    let vectors = Vectors::of(remove)?;
    for row in (0..paths.len()).filter(|row| remove.is_valid(*row) && paths.is_valid(*row)) {
        let vector = vectors.as_ref().and_then(|v| v.get(row)).and_then(|v| v.file());
        out.push(Tombstone {
            path: decode_path(paths.value(row)).into_owned(),
            deleted_at: number(times.as_ref(), row),
            size: number(sizes.as_ref(), row).and_then(|n| u64::try_from(n).ok()),
            removed_in: None,
            vector_file: vector.map(|file| decode_path(&file).into_owned()),
        });
    }
    Ok(())
}
