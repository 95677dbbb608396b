//! In how many ways partition values are written that are null for the protocol.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use crate::lake::log::{OpenTable, raw};
use crate::model::Outcome;
use crate::model::files::FileList;
use crate::model::plan::Plan;
use crate::tune::Context;

/// A number for each way in which the plan's files with a null among their partition values have these
/// in the log, by index of the file. The log is read only if a group has two such files.
pub async fn kinds(
    open: &OpenTable,
    list: &FileList,
    plan: &Plan,
    ctx: &Context,
) -> Outcome<FxHashMap<u32, usize>> {
    let has_null = |partition| list.partitions.values(partition).iter().any(Option::is_none);
    let groups = plan.groups.iter().filter(|g| g.inputs.len() > 1 && has_null(g.partition));
    let indexes: Vec<u32> = groups.flat_map(|g| g.inputs.iter().copied()).collect();
    if indexes.is_empty() {
        return Ok(FxHashMap::default());
    }
    let adds = raw::adds(open, list, &indexes, &ctx.watch()).await?;
    let mut met: FxHashMap<String, usize> = FxHashMap::default();
    let mut out = FxHashMap::default();
    for (index, add) in indexes.into_iter().zip(&adds) {
        let next = met.len();
        out.insert(index, *met.entry(as_written(add)).or_insert(next));
    }
    Ok(out)
}

/// The values by name, so that the order in which they stand does not matter.
fn as_written(add: &Map<String, Value>) -> String {
    let values = add.get("partitionValues").and_then(Value::as_object);
    let mut values: Vec<_> = values.into_iter().flatten().collect();
    values.sort_by_key(|(name, _)| name.as_str());
    format!("{values:?}")
}
