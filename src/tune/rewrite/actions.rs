//! The parts of a rewrite's commit, as Spark's OPTIMIZE writes them.

use serde_json::{Map, Value, json};

use super::stage::NewFile;
use crate::model::change::{Order, Rewrite, Scope};
use crate::model::plan::TARGET_TAG;
use crate::model::units::Millis;

/// `operationParameters`: values are JSON inside strings.
pub fn parameters(change: &Rewrite) -> Map<String, Value> {
    let predicate = match &change.scope {
        Scope::Where(text) => json!([text]).to_string(),
        _ => "[]".to_owned(),
    };
    let curve = match &change.order {
        Order::ZOrder(names) => json!(names).to_string(),
        _ => "[]".to_owned(),
    };
    let mut out = Map::new();
    out.insert("predicate".into(), predicate.into());
    out.insert("zOrderBy".into(), curve.into());
    out.insert("clusterBy".into(), "[]".into());
    out.insert("auto".into(), "false".into());
    if let Order::Sorted(names) = &change.order {
        out.insert("sortBy".into(), json!(names).to_string().into());
    }
    out
}

/// `operationMetrics`: numbers as strings. `removed`: action, bytes, whether it had a deletion
/// vector.
pub fn metrics(removed: &[(String, u64, bool)], added: &[u64]) -> Map<String, Value> {
    let mut sizes = added.to_vec();
    sizes.sort_unstable();
    let at = |percent: usize| sizes.get(sizes.len() * percent / 100).copied().unwrap_or(0);
    let (first, last) = (sizes.first().copied(), sizes.last().copied());
    let figures = [
        ("numRemovedFiles", removed.len() as u64),
        ("numRemovedBytes", removed.iter().map(|r| r.1).sum()),
        ("numAddedFiles", added.len() as u64),
        ("numAddedBytes", added.iter().sum()),
        ("numDeletionVectorsRemoved", removed.iter().filter(|r| r.2).count() as u64),
        ("minFileSize", first.unwrap_or(0)),
        ("p25FileSize", at(25)),
        ("p50FileSize", at(50)),
        ("p75FileSize", at(75)),
        ("maxFileSize", last.unwrap_or(0)),
    ];
    figures.into_iter().map(|(name, n)| (name.to_owned(), n.to_string().into())).collect()
}

/// Our own part of commitInfo: what belongs together, for an undo.
pub fn task(id: &str, batch: usize, batches: usize, command: &str) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("task".into(), id.into());
    out.insert("batch".into(), (batch + 1).into());
    out.insert("batches".into(), batches.into());
    out.insert("command".into(), command.into());
    out
}

/// The add action of a new file. `target`: bytes that it was to have.
pub fn add(file: &NewFile, now: Millis, target: Option<u64>) -> String {
    let mut add = json!({
        "path": file.path,
        "partitionValues": file.partition_values,
        "size": file.written.size,
        "modificationTime": now,
        "dataChange": false,
        "stats": file.written.stats,
    });
    if let (Some(add), Some(target)) = (add.as_object_mut(), target) {
        add.insert("tags".into(), json!({ TARGET_TAG: target.to_string() }));
    }
    json!({ "add": add }).to_string()
}
