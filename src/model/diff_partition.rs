//! The part of a version diff that each partition has.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::diff::Sum;
use super::partition::{PartitionDict, PartitionValues};

/// A partition's column names and values; none is null.
pub type NamedValues = Vec<(String, Option<Arc<str>>)>;

/// A partition in which files were added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionDiff {
    #[serde(serialize_with = "as_map")]
    pub partition_values: NamedValues,
    pub added: Sum,
    pub removed: Sum,
    pub unchanged: Sum,
}

/// Sums per partition over two lists whose dictionaries number partitions differently.
pub(super) struct PartitionTally {
    rows: Vec<PartitionDiff>,
    /// The row of each partition id, on each side.
    from: Vec<usize>,
    to: Vec<usize>,
}

impl PartitionTally {
    pub(super) fn new(from: &PartitionDict, to: &PartitionDict) -> Self {
        // A table partitioned anew has other columns: then no partition of the one is one of the other.
        let same_columns = from.columns() == to.columns();
        let mut rows = Vec::new();
        let mut ids: FxHashMap<PartitionValues, usize> = FxHashMap::default();
        let mut side = |dict: &PartitionDict, ids: &mut FxHashMap<PartitionValues, usize>| {
            let mut out = Vec::with_capacity(dict.len());
            for id in 0..dict.len() as u32 {
                let values = dict.values(id);
                let at = *ids.entry(values.into()).or_insert_with(|| {
                    let named = dict.columns().iter().cloned().zip(values.iter().cloned()).collect();
                    rows.push(PartitionDiff {
                        partition_values: named,
                        added: Sum::default(),
                        removed: Sum::default(),
                        unchanged: Sum::default(),
                    });
                    rows.len() - 1
                });
                out.push(at);
            }
            out
        };
        let from = side(from, &mut ids);
        if !same_columns {
            ids.clear();
        }
        let to = side(to, &mut ids);
        PartitionTally { rows, from, to }
    }

    pub(super) fn added(&mut self, id: u32, bytes: u64, records: Option<u64>) {
        if let Some(row) = self.to.get(id as usize).and_then(|at| self.rows.get_mut(*at)) {
            row.added.add(bytes, records);
        }
    }

    pub(super) fn unchanged(&mut self, id: u32, bytes: u64, records: Option<u64>) {
        if let Some(row) = self.to.get(id as usize).and_then(|at| self.rows.get_mut(*at)) {
            row.unchanged.add(bytes, records);
        }
    }

    pub(super) fn removed(&mut self, id: u32, bytes: u64, records: Option<u64>) {
        if let Some(row) = self.from.get(id as usize).and_then(|at| self.rows.get_mut(*at)) {
            row.removed.add(bytes, records);
        }
    }

    /// The partitions that changed, ordered by their values, null first. A side without partition
    /// columns is one without values, told only beside the partitions of the other side.
    pub(super) fn finish(mut self) -> Vec<PartitionDiff> {
        let partitioned = self.rows.iter().any(|r| !r.partition_values.is_empty());
        self.rows.retain(|r| partitioned && r.added.files + r.removed.files > 0);
        self.rows.sort_by(|a, b| a.partition_values.cmp(&b.partition_values));
        self.rows
    }
}

fn as_map<S: Serializer>(values: &NamedValues, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(values.len()))?;
    for (name, value) in values {
        map.serialize_entry(name, value)?;
    }
    map.end()
}
