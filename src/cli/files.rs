//! `deltop files`: the active files, sorted, filtered and projected.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use clap::ValueEnum;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::args::{FilesArgs, SortKey};
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, table};
use crate::lake::filter;
use crate::lake::log::Want;
use crate::model::Outcome;
use crate::model::files::{FileChunk, FileList, FileRef};
use crate::model::partition::PartitionDict;
use crate::model::units::{bytes, count, iso_time, screen_time};

/// What can be told of a file; the names are those of the JSON answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "camelCase")]
pub enum FileColumn {
    Path,
    #[value(alias = "size")]
    SizeInBytes,
    #[value(alias = "rows")]
    NumRecords,
    #[value(alias = "partition")]
    PartitionValues,
    #[value(alias = "modified")]
    ModificationTime,
    DeletionVector,
    Tags,
}

use FileColumn::{DeletionVector, ModificationTime, NumRecords, PartitionValues, Path, SizeInBytes, Tags};

/// In the order of the contract.
const ALL: &[FileColumn] =
    &[Path, SizeInBytes, NumRecords, PartitionValues, ModificationTime, DeletionVector, Tags];

pub async fn run(call: &mut Call<'_>, args: &FilesArgs) -> Outcome<()> {
    let open = call.table().await?;
    let partitioned = !open.table.metadata.partition_columns.is_empty();
    let columns = chosen(args, call.format.is_text(), partitioned);
    let filter = match &args.condition {
        Some(text) => Some(filter::Filter::parse(text, &open.table.metadata)?),
        None => None,
    };
    let want = Want {
        records: columns.contains(&NumRecords)
            || args.sort == Some(SortKey::Rows)
            || filter.as_ref().is_some_and(|f| f.uses(filter::RECORDS)),
        tags: columns.contains(&Tags),
        tombstones: false,
    };
    let list = open.files(want, call.watch).await?.list;
    let order = match &filter {
        Some(filter) => filter.matching(&list)?,
        None => (0..list.len() as u32).collect(),
    };
    let order = sort(&list, order, args.sort.unwrap_or(SortKey::Path), args.reverse, args.limit);

    let rows = order.iter().map(|at| Row {
        file: list.get(*at as usize),
        dict: &list.partitions,
        columns: &columns,
    });
    if call.format.is_text() {
        let titles: Vec<Column> = columns.iter().map(|c| title(*c)).collect();
        return table(call.out, &titles, rows.map(|row| row.cells())).map_err(failed);
    }
    output::array(call.out, call.format, rows)
}

/// Text shows the path last, where its length does no harm, and leaves out what is rarely looked for.
fn chosen(args: &FilesArgs, text: bool, partitioned: bool) -> Vec<FileColumn> {
    match (args.columns.is_empty(), text) {
        (false, _) => args.columns.clone(),
        (true, false) => ALL.to_vec(),
        (true, true) => {
            let mut columns = vec![SizeInBytes, NumRecords, ModificationTime];
            if partitioned {
                columns.push(PartitionValues);
            }
            columns.extend([DeletionVector, Path]);
            columns
        }
    }
}

/// The first `limit` files of that order. Ties are broken by path, so that it is always the same.
fn sort(list: &FileList, mut order: Vec<u32>, key: SortKey, reverse: bool, limit: Option<usize>) -> Vec<u32> {
    let limit = limit.unwrap_or(order.len()).min(order.len());
    let by_key = |key: &dyn Fn(&FileChunk, usize) -> Option<u64>| by_key(list, &order, reverse, limit, key);
    match key {
        SortKey::Path => {
            let path = |at: &u32| list.get(*at as usize).path;
            first(&mut order, limit, |a, b| {
                let order = path(a).cmp(path(b));
                if reverse { order.reverse() } else { order }
            });
            order
        }
        SortKey::Size => by_key(&|chunk, row| chunk.sizes().get(row).copied()),
        // Times before 1970 are below zero: the top bit turned round brings them before the others.
        SortKey::Modified => by_key(&|chunk, row| Some(*chunk.modified().get(row)? as u64 ^ 1 << 63)),
        SortKey::Rows => by_key(&|chunk, row| chunk.records(row)),
    }
}

/// Largest first unless reversed; files without a key come last either way.
fn by_key(
    list: &FileList,
    order: &[u32],
    reverse: bool,
    limit: usize,
    key: &dyn Fn(&FileChunk, usize) -> Option<u64>,
) -> Vec<u32> {
    let mut known = Vec::with_capacity(order.len());
    let mut unknown = Vec::new();
    for at in order {
        let (chunk, row) = list.locate(*at as usize);
        match key(chunk, row) {
            Some(key) => known.push((if reverse { key } else { !key }, *at)),
            None => unknown.push(*at),
        }
    }
    let path = |at: u32| list.get(at as usize).path;
    first(&mut known, limit, |a, b| a.0.cmp(&b.0).then_with(|| path(a.1).cmp(path(b.1))));
    first(&mut unknown, limit - known.len(), |a, b| path(*a).cmp(path(*b)));
    known.into_iter().map(|(_, at)| at).chain(unknown).collect()
}

/// Leaves the first `limit` elements of the order, sorted; the others are not sorted.
fn first<T>(all: &mut Vec<T>, limit: usize, compare: impl Fn(&T, &T) -> Ordering) {
    if limit < all.len() {
        if let Some(last) = limit.checked_sub(1) {
            all.select_nth_unstable_by(last, &compare);
        }
        all.truncate(limit);
    }
    all.sort_unstable_by(compare);
}

fn title(column: FileColumn) -> Column {
    match column {
        Path => Column::left("path"),
        SizeInBytes => Column::right("size"),
        NumRecords => Column::right("rows"),
        PartitionValues => Column::left("partition"),
        ModificationTime => Column::left("modified (UTC)"),
        DeletionVector => Column::right("deleted rows"),
        Tags => Column::left("tags"),
    }
}

/// One file, restricted to the chosen columns.
struct Row<'a> {
    file: FileRef<'a>,
    dict: &'a PartitionDict,
    columns: &'a [FileColumn],
}

impl Row<'_> {
    fn cells(&self) -> Vec<String> {
        let file = &self.file;
        let cell = |column: &FileColumn| match column {
            Path => file.path.to_owned(),
            SizeInBytes => bytes(file.size),
            NumRecords => file.records.map_or("?".into(), count),
            PartitionValues => self.dict.label(file.partition),
            ModificationTime => screen_time(file.modified),
            DeletionVector => file.deletion_vector.map_or("-".into(), |dv| count(dv.cardinality)),
            Tags => {
                let tag = |(key, value): &(String, Option<String>)| {
                    format!("{key}={}", value.as_deref().unwrap_or("null"))
                };
                file.tags.map_or(String::new(), |tags| tags.iter().map(tag).collect::<Vec<_>>().join(", "))
            }
        };
        self.columns.iter().map(cell).collect()
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let file = &self.file;
        let mut map = serializer.serialize_map(Some(self.columns.len()))?;
        for column in self.columns {
            match column {
                Path => map.serialize_entry("path", file.path)?,
                SizeInBytes => map.serialize_entry("sizeInBytes", &file.size)?,
                NumRecords => map.serialize_entry("numRecords", &file.records)?,
                PartitionValues => {
                    map.serialize_entry("partitionValues", &Values { dict: self.dict, id: file.partition })?
                }
                ModificationTime => map.serialize_entry("modificationTime", &iso_time(file.modified))?,
                DeletionVector => map.serialize_entry("deletionVector", &file.deletion_vector)?,
                Tags => {
                    let tags = file.tags.map(|t| t.iter().map(|(k, v)| (k, v)).collect::<BTreeMap<_, _>>());
                    map.serialize_entry("tags", &tags)?
                }
            }
        }
        map.end()
    }
}

/// Partition values as an object of strings and nulls.
struct Values<'a> {
    dict: &'a PartitionDict,
    id: u32,
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.dict.values(self.id).iter().map(|v| v.as_deref());
        serializer.collect_map(self.dict.columns().iter().zip(values))
    }
}
