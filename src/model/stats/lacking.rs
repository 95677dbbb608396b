//! Files whose statistics fall short of what the table asks for.

use rustc_hash::FxHashSet;

use super::{Bound, StatKind, StatsColumn, StatsTable, indexed_columns};
use crate::model::files::FileList;
use crate::model::table::Metadata;

/// Indexes of the files without `numRecords`, or without usable statistics of a column that should have
/// them ([`indexed_columns`], and `clustering`, the clustering columns). `list` needs its records.
pub fn lacking(
    metadata: &Metadata,
    clustering: &[String],
    list: &FileList,
    stats: &StatsTable,
) -> Vec<usize> {
    let expected: FxHashSet<String> =
        indexed_columns(metadata).into_iter().chain(clustering.iter().cloned()).collect();
    let columns: Vec<&StatsColumn> = stats.columns.iter().filter(|c| expected.contains(&c.name)).collect();
    let files = list.iter().enumerate();
    files
        .filter(|(at, file)| file.records.is_none() || columns.iter().any(|c| lacks(c, *at)))
        .map(|(at, _)| at)
        .collect()
}

fn lacks(column: &StatsColumn, file: usize) -> bool {
    let uncounted = column.nulls(file).is_none();
    match (column.kind, column.bound(file)) {
        (_, Bound::Invalid | Bound::Reversed) => true,
        // Spark has no bounds of booleans; of NaN and of some long texts there are none.
        (StatKind::Boolean | StatKind::Double | StatKind::Text, Bound::Missing) => uncounted,
        // Not every writer counts the nulls of these.
        (StatKind::Unordered, _) => false,
        (_, bound) => bound == Bound::Missing,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::wanted_columns;
    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};
    use crate::model::partition::PartitionDict;
    use crate::model::schema::{DataType, Field};

    #[test]
    fn what_a_rewrite_would_add() {
        let field = |name: &str, kind: &str| Field {
            name: name.to_owned(),
            data_type: DataType::Primitive(kind.to_owned()),
            nullable: true,
            metadata: serde_json::Map::new(),
        };
        let mut metadata =
            Metadata { schema: vec![field("id", "long"), field("name", "string")], ..Metadata::default() };
        let mut stats = StatsTable::new(&wanted_columns(&metadata));
        let texts = [
            Some(
                r#"{"numRecords":2,"minValues":{"id":1,"name":"a"},"maxValues":{"id":2,"name":"b"},"nullCount":{"id":0,"name":0}}"#,
            ),
            Some(
                r#"{"numRecords":2,"minValues":{"id":1},"maxValues":{"id":2},"nullCount":{"id":0,"name":0}}"#,
            ),
            Some(r#"{"numRecords":2,"nullCount":{"id":0,"name":0}}"#),
            Some(r#"{"numRecords":2,"nullCount":{"id":2,"name":2}}"#),
            Some(
                r#"{"numRecords":2,"minValues":{"id":3,"name":"a"},"maxValues":{"id":2,"name":"b"},"nullCount":{"id":0,"name":0}}"#,
            ),
            None,
        ];
        let mut chunk = ChunkBuilder::new(true, texts.len());
        for (i, text) in texts.into_iter().enumerate() {
            stats.push_json(text);
            let path = format!("f{i}");
            chunk.push(NewFile { path: &path, size: 1, records: text.map(|_| 2), ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(PartitionDict::new(Vec::new())), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        assert_eq!(lacking(&metadata, &[], &list, &stats), [2, 4, 5]);
        metadata.configuration.insert("delta.dataSkippingStatsColumns".into(), "name".into());
        assert_eq!(lacking(&metadata, &[], &list, &stats), [5]);
        assert_eq!(lacking(&metadata, &["id".to_owned()], &list, &stats), [2, 4, 5]);
    }
}
