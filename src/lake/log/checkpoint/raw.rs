//! Whole add actions of a checkpoint, as JSON: for the few files that a change is about.

use std::sync::Arc;

use arrow::array::{Array, AsArray};
use futures::{StreamExt, TryStreamExt};
use object_store::ObjectStore;
use serde_json::{Map, Value};

use super::files::open_sidecar;
use super::parquet_file::{ParquetFile, damaged};
use super::{AT_ONCE, OpenCheckpoint, small};
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

const BATCH_ROWS: usize = 2048;

/// Hands on the add actions that are in parquet files: those for whose path `wanted` holds.
impl OpenCheckpoint {
    pub async fn raw_adds(
        &self,
        store: &Arc<dyn ObjectStore>,
        watch: &Watch,
        wanted: Arc<dyn Fn(&str) -> bool + Send + Sync>,
        mut each: impl FnMut(Map<String, Value>) + Send,
    ) -> Outcome<()> {
        let mut files = self.parts.clone();
        let sidecars = futures::stream::iter(self.sidecars.clone())
            .map(|sidecar| open_sidecar(store.clone(), sidecar, watch.clone()));
        files.extend(sidecars.buffered(AT_ONCE).try_collect::<Vec<_>>().await?);
        for file in files {
            let marks = file.leaves(|path| path == ["add", "path"]);
            for group in file.groups_with(&marks) {
                for add in of_group(store, &file, group, watch, &wanted).await? {
                    each(add);
                }
            }
        }
        Ok(())
    }
}

async fn of_group(
    store: &Arc<dyn ObjectStore>,
    file: &ParquetFile,
    group: usize,
    watch: &Watch,
    wanted: &Arc<dyn Fn(&str) -> bool + Send + Sync>,
) -> Outcome<Vec<Map<String, Value>>> {
    // Typed partition values stand in `partitionValues` too; of typed statistics, where they are
    // the only ones, the number of rows is what matters.
    let leaves = file.leaves(|path| match path {
        [add, second, rest @ ..] if add == "add" => match second.as_str() {
            "partitionValues_parsed" => false,
            "stats_parsed" => rest == ["numRecords"],
            _ => true,
        },
        _ => false,
    });
    let group = file.fetch(store, group, &leaves, watch).await?;
    let (watch, wanted) = (watch.clone(), wanted.clone());
    store::blocking(move || {
        let path = group.path().clone();
        let mut out = Vec::new();
        for batch in group.reader(BATCH_ROWS)? {
            watch.check()?;
            let batch = batch.map_err(|e| damaged(&path, &e))?;
            let Some(adds) = batch.column_by_name("add").and_then(|c| c.as_struct_opt()) else { continue };
            let paths = super::columns::strings(adds, "path").map_err(|why| damaged(&path, &why))?;
            let Some(paths) = paths else { continue };
            for row in (0..adds.len()).filter(|row| adds.is_valid(*row) && paths.is_valid(*row)) {
                if wanted(paths.value(row))
                    && let Value::Object(add) = small::object(adds, row)
                {
                    out.push(tidy(add));
                }
            }
        }
        Ok::<_, Fault>(out)
    })
    .await?
}

/// As a commit would have it: no nulls, statistics as text.
fn tidy(mut add: Map<String, Value>) -> Map<String, Value> {
    let parsed = add.remove("stats_parsed");
    add.retain(|_, value| !value.is_null());
    if !add.contains_key("stats")
        && let Some(records) = parsed.as_ref().and_then(|p| p.get("numRecords")).filter(|n| n.is_number())
    {
        add.insert("stats".into(), serde_json::json!({ "numRecords": records }).to_string().into());
    }
    if let Some(Value::Object(vector)) = add.get_mut("deletionVector") {
        vector.retain(|_, value| !value.is_null());
    }
    add
}
