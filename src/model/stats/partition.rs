//! Partition columns as columns with statistics: every file holds one value of them, or null.

use super::column::StatsColumn;
use super::kind::StatKind;
use super::value::{Scalar, parse_scalar};
use crate::model::files::FileList;
use crate::model::table::Metadata;

/// The partition columns that have an order, by index in the list. Values that are not of the
/// column's type are unknown.
pub fn partition_columns(metadata: &Metadata, list: &FileList) -> Vec<StatsColumn> {
    let columns = list.partitions.columns().iter().enumerate();
    columns
        .filter_map(|(at, name)| {
            let kind = StatKind::of(&metadata.column(name)?.data_type)?;
            Some(column(at, name, kind, list))
        })
        .collect()
}

fn column(at: usize, name: &str, kind: StatKind, list: &FileList) -> StatsColumn {
    let mut out = StatsColumn::new(name, kind);
    // One reading for each combination of values, however many files share it.
    let read = |id: usize| match list.partitions.values(id as u32).get(at) {
        Some(Some(value)) => partition_value(kind, value).map(Some).ok_or(()),
        _ => Ok(None),
    };
    let values: Vec<Result<Option<Scalar>, ()>> = (0..list.partitions.len()).map(read).collect();
    for file in list.iter() {
        match values.get(file.partition as usize) {
            Some(Ok(Some(v))) => out.push(Ok(Some((v.clone(), v.clone()))), true, Some(0), file.records),
            // Null throughout, even where the number of rows is not known.
            Some(Ok(None)) | None => match file.records {
                Some(rows) => out.push(Ok(None), true, Some(rows), Some(rows)),
                None => out.push_all_null(),
            },
            Some(Err(())) => out.push(Err(()), true, Some(0), file.records),
        }
    }
    out
}

/// A value as partition values have it (protocol, "Partition Value Serialization"); none if it is
/// not of the type.
pub fn partition_value(kind: StatKind, text: &str) -> Option<Scalar> {
    match kind {
        StatKind::Text => Some(Scalar::Text(text.to_owned())),
        StatKind::Boolean | StatKind::Long => parse_scalar(kind, text, false),
        _ => parse_scalar(kind, &serde_json::to_string(text).ok()?, false),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};
    use crate::model::partition::PartitionDict;
    use crate::model::schema::parse_schema;
    use crate::model::stats::Bound;

    #[test]
    fn values_are_typed_and_strange_ones_unknown() {
        let schema = r#"{"type":"struct","fields":[
            {"name":"d","type":"date","nullable":true,"metadata":{}},
            {"name":"n","type":"integer","nullable":true,"metadata":{}}]}"#;
        let mut dict = PartitionDict::new(vec!["d".to_owned(), "n".to_owned()]);
        let mut chunk = ChunkBuilder::new(true, 3);
        for (d, n) in [(Some("1970-01-03"), Some("10")), (None, Some("9")), (Some("someday"), None)] {
            let partition = dict.intern(&[d.map(Arc::from), n.map(Arc::from)]);
            chunk.push(NewFile { path: "f", records: Some(5), partition, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(dict), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        let metadata = Metadata { schema: parse_schema(schema).unwrap(), ..Metadata::default() };
        let columns = partition_columns(&metadata, &list);
        assert_eq!(columns[0].bounds(), [Bound::Tight, Bound::AllNull, Bound::Invalid]);
        assert_eq!(columns[0].min(0), Some(Scalar::Int(2)));
        assert_eq!(columns[1].range(), Some((Scalar::Int(9), Scalar::Int(10))));
        assert_eq!(columns[1].null_count(), Some(5));
        assert_eq!(partition_value(StatKind::Decimal { scale: 1 }, "2.5"), Some(Scalar::Wide(25)));
        assert_eq!(partition_value(StatKind::Timestamp, "1970-01-01 00:00:01"), Some(Scalar::Int(1_000_000)));
    }
}
