//! Which columns' statistics to read.

use super::kind::StatKind;
use crate::model::schema::{DataType, Field};
use crate::model::table::Metadata;

/// A leaf column with statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedColumn {
    /// Logical name; nested fields dotted.
    pub name: String,
    /// Physical names from the top field down: the keys in the statistics.
    pub path: Vec<String>,
    pub kind: StatKind,
}

/// The leaf columns of a schema, in its order: fields of structs too; arrays and maps as a whole, since
/// nothing is counted within; partition columns not (their values are in the path).
pub fn wanted_columns(metadata: &Metadata) -> Vec<WantedColumn> {
    let mut out = Vec::new();
    for field in metadata.schema.iter().filter(|f| !metadata.partition_columns.contains(&f.name)) {
        collect(field, String::new(), Vec::new(), &mut out);
    }
    out
}

/// Columns with statistics if `delta.dataSkippingNumIndexedCols` is not set (Delta docs, "Data
/// skipping").
const DEFAULT_INDEXED: usize = 32;

/// Logical names of the leaf columns that should have statistics, in the schema's order: those of
/// `delta.dataSkippingStatsColumns`, else the first ones by `delta.dataSkippingNumIndexedCols` (−1:
/// all), nested fields counted one by one. Columns of types without an order are among them.
pub fn indexed_columns(metadata: &Metadata) -> Vec<String> {
    let mut leaves = Vec::new();
    for field in metadata.schema.iter().filter(|f| !metadata.partition_columns.contains(&f.name)) {
        names(field, "", &mut leaves);
    }
    let property = |name: &str| metadata.configuration.get(name);
    if let Some(columns) = property("delta.dataSkippingStatsColumns") {
        let columns: Vec<&str> = columns.split(',').map(|n| n.trim().trim_matches('`')).collect();
        let is_below =
            |leaf: &str, name: &str| leaf.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        leaves.retain(|leaf| columns.iter().any(|name| leaf == name || is_below(leaf, name)));
        return leaves;
    }
    let limit = property("delta.dataSkippingNumIndexedCols").and_then(|v| v.trim().parse::<i64>().ok());
    leaves.truncate(limit.map_or(DEFAULT_INDEXED, |n| usize::try_from(n).unwrap_or(usize::MAX)));
    leaves
}

fn names(field: &Field, prefix: &str, out: &mut Vec<String>) {
    let name = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
    match &field.data_type {
        DataType::Struct(inner) => inner.iter().for_each(|f| names(f, &name, out)),
        _ => out.push(name),
    }
}

fn collect(field: &Field, prefix: String, mut path: Vec<String>, out: &mut Vec<WantedColumn>) {
    let name = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
    path.push(field.physical_name().to_owned());
    match &field.data_type {
        DataType::Struct(inner) => {
            for child in inner {
                collect(child, name.clone(), path.clone(), out);
            }
        }
        other => {
            let kind = StatKind::of(other).unwrap_or(StatKind::Unordered);
            out.push(WantedColumn { name, path, kind });
        }
    }
}
