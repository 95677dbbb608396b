//! A diff of two versions in words, for people.

use super::diff::Diff;
use super::diff_partition::NamedValues;
use super::diff_rows::RowChanges;
use super::schema_diff::{SchemaChange, SchemaChangeKind};
use super::table_diff::Change;
use super::units::count;

/// What it comes to, in one sentence.
pub fn verdict(diff: &Diff) -> String {
    let same_files = diff.added.files == 0 && diff.removed.files == 0;
    let described = diff.schema_changes.len()
        + diff.property_changes.len()
        + diff.metadata_changes.len()
        + diff.protocol_changes.len();
    let files = match (same_files, diff.layout_only) {
        (true, _) if described == 0 => "nothing changed",
        (true, _) => "the same files",
        (_, Some(true)) => "only the layout changed, the rows are the same",
        (_, Some(false)) => "the rows changed",
        (_, None) => "files changed; whether the rows did cannot be told",
    };
    let mut parts = vec![files.to_owned()];
    if !diff.schema_changes.is_empty() {
        parts.push("the schema changed".into());
    }
    if described > diff.schema_changes.len() {
        parts.push("properties or protocol changed".into());
    }
    parts.join("; ")
}

/// Changes of schema, properties, metadata and protocol as one list: `column a: type`, `delta.x`.
pub fn changes(diff: &Diff) -> Vec<Change> {
    let schema = schema_changes(&diff.schema_changes);
    let rest = [&diff.property_changes, &diff.metadata_changes, &diff.protocol_changes];
    schema.into_iter().chain(rest.into_iter().flatten().cloned()).collect()
}

/// Changes of columns as named changes.
pub fn schema_changes(changes: &[SchemaChange]) -> Vec<Change> {
    let named = |c: &SchemaChange| {
        let what = match c.change {
            SchemaChangeKind::Added => "added",
            SchemaChangeKind::Dropped => "dropped",
            SchemaChangeKind::Renamed => "renamed",
            SchemaChangeKind::Type => "type",
            SchemaChangeKind::Nullability => "null",
            SchemaChangeKind::Comment => "comment",
            SchemaChangeKind::Metadata => "metadata",
            SchemaChangeKind::Reordered => "order",
        };
        let name = if c.column.is_empty() { "columns".to_owned() } else { format!("column {}", c.column) };
        Change { name: format!("{name}: {what}"), from: c.from.clone(), to: c.to.clone() }
    };
    changes.iter().map(named).collect()
}

/// `region=EU/day=2026-05-27`; null is `NULL`.
pub fn partition(values: &NamedValues) -> String {
    if values.is_empty() {
        return "(not partitioned)".into();
    }
    let part = |(name, value): &(String, Option<std::sync::Arc<str>>)| {
        format!("{name}={}", value.as_deref().unwrap_or("NULL"))
    };
    values.iter().map(part).collect::<Vec<_>>().join("/")
}

/// What the commits between say of rows.
pub fn rows(rows: &RowChanges) -> String {
    let known = |n: Option<u64>| n.map_or_else(|| "?".into(), count);
    let cdc = match rows.num_cdc_files {
        0 => String::new(),
        n => format!("; {} change data files", count(n)),
    };
    let fates = match (rows.inserted, rows.updated, rows.deleted) {
        (None, None, None) => "not stated".to_owned(),
        (inserted, updated, deleted) => {
            format!("{} inserted, {} updated, {} deleted", known(inserted), known(updated), known(deleted))
        }
    };
    format!(
        "{fates} ({} of {} commits change data{cdc})",
        count(rows.num_data_changes),
        count(rows.num_commits)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_as_one_list() {
        let column = |column: &str, change| SchemaChange {
            change,
            column: column.into(),
            from: None,
            to: Some("long".into()),
        };
        let diff = Diff {
            from: 1,
            to: 2,
            added: Default::default(),
            removed: Default::default(),
            unchanged: Default::default(),
            layout_only: Some(true),
            schema_changes: vec![
                column("a", SchemaChangeKind::Added),
                column("", SchemaChangeKind::Reordered),
            ],
            property_changes: vec![Change { name: "delta.x".into(), from: None, to: Some("1".into()) }],
            protocol_changes: Vec::new(),
            partitions: Vec::new(),
            metadata_changes: Vec::new(),
            vectors_changed: Default::default(),
            histogram: Vec::new(),
            num_records: (None, None),
        };
        let names: Vec<String> = changes(&diff).into_iter().map(|c| c.name).collect();
        assert_eq!(names, ["column a: added", "columns: order", "delta.x"]);
        assert_eq!(verdict(&diff), "the same files; the schema changed; properties or protocol changed");
    }
}
