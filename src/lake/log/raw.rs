//! Whole add actions as they stand in the log, for the files that a change is about: what a remove
//! action must repeat, and what a later undo adds again.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::key::{VectorId, decode_path, write_key};
use super::segment::TailFile;
use super::tail::{self, Source, bad_commit};
use super::{OpenTable, lines};
use crate::lake::watch::Watch;
use crate::model::files::FileList;
use crate::model::{Fault, Outcome};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    add: Option<&'a RawValue>,
}

const SKIP: [&str; 6] =
    ["{\"commitInfo\"", "{\"cdc\"", "{\"metaData\"", "{\"protocol\"", "{\"txn\"", "{\"remove\""];

/// The add actions of the files at `indexes` of the table's file list, in that order.
///
/// # Errors
/// Those of reading the log; `unknown-file` if an action is not found, which would be a bug here
/// or a log that changes.
pub async fn adds(
    table: &OpenTable,
    list: &FileList,
    indexes: &[u32],
    watch: &Watch,
) -> Outcome<Vec<Map<String, Value>>> {
    let mut wanted: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut key = Vec::new();
    for (at, index) in indexes.iter().enumerate() {
        let file = list.get(*index as usize);
        let vector = file.deletion_vector.map(|v| VectorId {
            storage_type: &v.storage_type,
            path_or_inline: &v.path_or_inline_dv,
            offset: v.offset,
        });
        write_key(&mut key, file.path, vector);
        wanted.insert(key.clone(), at);
    }
    let mut found: Vec<Option<Map<String, Value>>> = vec![None; indexes.len()];
    let wanted = Arc::new(wanted);
    let start = &table.start;
    let from = Source { store: &table.place.store, log: &table.log, watch };
    let parse = {
        let wanted = wanted.clone();
        move |commits: &[(TailFile, bytes::Bytes)]| in_commits(commits, &wanted)
    };
    tail::read(&from, &start.tail, start.take_kept(), parse, |adds, _| {
        take(&mut found, adds);
        Ok(())
    })
    .await?;
    if found.iter().any(Option::is_none)
        && let Some(checkpoint) = &start.checkpoint
    {
        if let Some(bytes) = &checkpoint.json {
            let name = checkpoint.name.clone();
            let file = TailFile { name, version: checkpoint.version, size: 0, compacted: false };
            take(&mut found, in_commits(&[(file, bytes.clone())], &wanted)?);
        }
        let known: rustc_hash::FxHashSet<String> =
            indexes.iter().map(|i| super::key::comparable_decoded(list.get(*i as usize).path)).collect();
        let is_wanted = move |path: &str| known.contains(&super::key::comparable(path));
        let mut met = Vec::new();
        checkpoint.raw_adds(&table.place.store, watch, Arc::new(is_wanted), |add| met.push(add)).await?;
        take(&mut found, met.into_iter().filter_map(|add| place(add, &wanted)).collect());
    }
    let missing = |index: &u32| {
        let path = list.get(*index as usize).path;
        Fault::read("unknown-file", format!("The log has no add action of {path}"))
            .because("the file list names it")
            .hint("Run it again; if that does not help, please report it")
    };
    found.into_iter().zip(indexes).map(|(add, index)| add.ok_or_else(|| missing(index))).collect()
}

/// Newest first: the first word counts.
fn take(found: &mut [Option<Map<String, Value>>], adds: Vec<(usize, Map<String, Value>)>) {
    for (at, add) in adds {
        if let Some(slot) = found.get_mut(at).filter(|slot| slot.is_none()) {
            *slot = Some(add);
        }
    }
}

fn in_commits(
    commits: &[(TailFile, bytes::Bytes)],
    wanted: &FxHashMap<Vec<u8>, usize>,
) -> Outcome<Vec<(usize, Map<String, Value>)>> {
    let mut out = Vec::new();
    for (file, bytes) in commits {
        let (lines, bad) = lines::parse::<Line<'_>>(bytes, &SKIP);
        if let Some(bad) = bad {
            return Err(bad_commit(&file.name, &bad));
        }
        let adds = lines.into_iter().rev().filter_map(|line| line.add);
        let parsed = adds.filter_map(|raw| serde_json::from_str(raw.get()).ok());
        out.extend(parsed.filter_map(|add| place(add, wanted)));
    }
    Ok(out)
}

/// Where an action belongs, if it is wanted.
fn place(add: Map<String, Value>, wanted: &FxHashMap<Vec<u8>, usize>) -> Option<(usize, Map<String, Value>)> {
    let path = decode_path(add.get("path")?.as_str()?);
    let text = |vector: &Map<String, Value>, key: &str| {
        vector.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let vector = add.get("deletionVector").and_then(Value::as_object).map(|v| {
        (text(v, "storageType"), text(v, "pathOrInlineDv"), v.get("offset").and_then(Value::as_i64))
    });
    let vector = vector.as_ref().map(|(storage_type, path_or_inline, offset)| VectorId {
        storage_type,
        path_or_inline,
        offset: *offset,
    });
    let mut key = Vec::new();
    write_key(&mut key, &path, vector);
    let at = *wanted.get(&key)?;
    Some((at, add))
}
