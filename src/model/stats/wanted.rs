//! Which columns' statistics to read.

use super::kind::StatKind;
use crate::model::schema::{DataType, Field};
use crate::model::table::Metadata;

/// A leaf column with ordered statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedColumn {
    /// Logical name; nested fields dotted.
    pub name: String,
    /// Physical names from the top field down: the keys in the statistics.
    pub path: Vec<String>,
    pub kind: StatKind,
}

/// The leaf columns of a schema, in its order, that can have ordered statistics: fields of structs
/// too, elements of arrays and maps not, partition columns not (their values are in the path).
pub fn wanted_columns(metadata: &Metadata) -> Vec<WantedColumn> {
    let mut out = Vec::new();
    for field in metadata.schema.iter().filter(|f| !metadata.partition_columns.contains(&f.name)) {
        collect(field, String::new(), Vec::new(), &mut out);
    }
    out
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
            if let Some(kind) = StatKind::of(other) {
                out.push(WantedColumn { name, path, kind });
            }
        }
    }
}
