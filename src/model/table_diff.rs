//! What changed in a table's protocol and metadata, files apart.

use std::collections::BTreeMap;

use serde::Serialize;

use super::schema_diff::{SchemaChange, schema_changes};
use super::table::{Metadata, Protocol, Table};

/// A named value before and after; none where it was not set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub name: String,
    pub from: Option<String>,
    pub to: Option<String>,
}

impl Change {
    fn new(name: impl Into<String>, from: Option<String>, to: Option<String>) -> Option<Self> {
        (from != to).then(|| Change { name: name.into(), from, to })
    }
}

/// All that differs in the metaData action.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MetadataDiff {
    pub schema_changes: Vec<SchemaChange>,
    /// Table properties (`configuration`), by name.
    pub property_changes: Vec<Change>,
    /// `id`, `name`, `description`, `format`, `partitionColumns`; with the tables at hand also
    /// `clusteringColumns`.
    pub metadata_changes: Vec<Change>,
}

impl MetadataDiff {
    /// From one metaData action to another.
    pub fn between(old: &Metadata, new: &Metadata) -> Self {
        let list = |m: &Metadata| Some(m.partition_columns.join(", ")).filter(|l| !l.is_empty());
        let full = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
        let metadata_changes = [
            Change::new("id", full(&old.id), full(&new.id)),
            Change::new("name", old.name.clone(), new.name.clone()),
            Change::new("description", old.description.clone(), new.description.clone()),
            Change::new("format", full(&old.provider), full(&new.provider)),
            Change::new("partitionColumns", list(old), list(new)),
        ];
        MetadataDiff {
            schema_changes: schema_changes(&old.schema, &new.schema),
            property_changes: property_changes(&old.configuration, &new.configuration),
            metadata_changes: metadata_changes.into_iter().flatten().collect(),
        }
    }

    /// From one version of a table to another.
    pub fn of_tables(old: &Table, new: &Table) -> Self {
        let mut diff = MetadataDiff::between(&old.metadata, &new.metadata);
        let list = |t: &Table| Some(t.clustering_columns().join(", ")).filter(|l| !l.is_empty());
        diff.metadata_changes.extend(Change::new("clusteringColumns", list(old), list(new)));
        diff
    }

    pub fn is_empty(&self) -> bool {
        self.schema_changes.is_empty() && self.property_changes.is_empty() && self.metadata_changes.is_empty()
    }
}

/// Table properties that were set, changed or unset, by name.
pub fn property_changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter_map(|n| Change::new(n, old.get(n).cloned(), new.get(n).cloned())).collect()
}

/// `minReaderVersion`, `minWriterVersion`, and for each feature that came or went
/// `delta.feature.NAME` with `supported`, as Spark's table properties show features.
pub fn protocol_changes(old: &Protocol, new: &Protocol) -> Vec<Change> {
    let version = |v: u32| Some(v.to_string());
    let mut out: Vec<Change> = [
        Change::new("minReaderVersion", version(old.min_reader), version(new.min_reader)),
        Change::new("minWriterVersion", version(old.min_writer), version(new.min_writer)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (before, after) = (old.features(), new.features());
    let mut all: Vec<&String> = before.iter().chain(&after).collect();
    all.sort_unstable();
    all.dedup();
    let state = |list: &[String], name: &String| list.contains(name).then(|| "supported".to_owned());
    out.extend(all.into_iter().filter_map(|name| {
        Change::new(format!("delta.feature.{name}"), state(&before, name), state(&after, name))
    }));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_and_features() {
        let map = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect::<BTreeMap<String, String>>()
        };
        let changes = property_changes(&map(&[("a", "1"), ("b", "2")]), &map(&[("b", "3"), ("c", "4")]));
        let shown: Vec<_> = changes.iter().map(|c| (&*c.name, c.from.as_deref(), c.to.as_deref())).collect();
        assert_eq!(shown, [("a", Some("1"), None), ("b", Some("2"), Some("3")), ("c", None, Some("4"))]);
        let old = Protocol { min_reader: 1, min_writer: 2, ..Protocol::default() };
        let new = Protocol {
            min_reader: 3,
            min_writer: 7,
            reader_features: Some(vec!["deletionVectors".into()]),
            writer_features: Some(vec!["deletionVectors".into(), "appendOnly".into(), "invariants".into()]),
        };
        let names: Vec<String> = protocol_changes(&old, &new).into_iter().map(|c| c.name).collect();
        assert_eq!(names, ["minReaderVersion", "minWriterVersion", "delta.feature.deletionVectors"]);
        assert!(protocol_changes(&new, &new).is_empty());
    }

    #[test]
    fn the_rest_of_the_metadata() {
        let old = Metadata { name: Some("x".into()), ..Metadata::default() };
        let new = Metadata { partition_columns: vec!["d".into()], ..Metadata::default() };
        let diff = MetadataDiff::between(&old, &new);
        assert_eq!(diff.metadata_changes.len(), 2);
        assert!(MetadataDiff::between(&old, &old).is_empty());
    }
}
