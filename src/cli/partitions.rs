//! `deltop partitions`: files, bytes and rows of each partition.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::log::Want;
use crate::model::Outcome;
use crate::model::rollup::{Measures, PartitionTree};
use crate::model::units::{bytes, count};

/// An element of the contract's `partitions` array.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    partition_values: Map<String, Value>,
    num_files: u64,
    size_in_bytes: u64,
    num_records: Option<u64>,
    avg_file_size_in_bytes: Option<u64>,
    min_file_size_in_bytes: u64,
    max_file_size_in_bytes: u64,
}

/// `depth`: sum up below the first so many partition columns.
pub async fn run(call: &mut Call<'_>, depth: Option<u32>) -> Outcome<()> {
    let (_, files) = call.files(Want { records: true, ..Want::default() }).await?;
    let tree = PartitionTree::of(&files.list);
    let depth = depth.map_or(tree.columns.len(), |d| (d as usize).min(tree.columns.len()));
    if call.format.is_text() {
        return write_text(call.out, &tree, depth).map_err(failed);
    }
    let nodes = tree.nodes.iter().enumerate().filter(|(_, node)| node.depth + 1 == depth);
    output::array(call.out, call.format, nodes.map(|(at, node)| answer(&tree, at, &node.measures)))
}

fn answer(tree: &PartitionTree, node: usize, measures: &Measures) -> Answer {
    let values = tree.values_of(node).into_iter().map(|v| v.as_deref().map_or(Value::Null, Value::from));
    Answer {
        partition_values: tree.columns.iter().cloned().zip(values).collect(),
        num_files: measures.files,
        size_in_bytes: measures.bytes,
        num_records: measures.rows(),
        avg_file_size_in_bytes: measures.average(),
        min_file_size_in_bytes: measures.min,
        max_file_size_in_bytes: measures.max,
    }
}

fn write_text(out: &mut dyn Write, tree: &PartitionTree, depth: usize) -> io::Result<()> {
    let total = &tree.total;
    if tree.columns.is_empty() {
        return writeln!(out, "No partition columns.");
    }
    let leaves = tree.leaves().count() as u64;
    let (files, size) = (counted(total.files, "file"), bytes(total.bytes));
    writeln!(out, "{}   {files}   {size}\n", counted(leaves, "partition"))?;
    let mut columns = vec![
        Column::right("files"),
        Column::right("bytes"),
        Column::right("rows"),
        Column::right("average"),
        Column::right("smallest"),
        Column::right("largest"),
    ];
    columns.push(Column::left("partition"));
    // Nodes are kept in the tree's own order, parents first.
    let rows = tree.nodes.iter().filter(|n| n.depth < depth).map(|node| {
        let m = &node.measures;
        let column = tree.columns.get(node.depth).map_or("", |c| c);
        let value = node.value.as_deref().unwrap_or("null");
        vec![
            count(m.files),
            bytes(m.bytes),
            m.rows().map_or("?".into(), count),
            m.average().map_or("?".into(), bytes),
            bytes(m.min),
            bytes(m.max),
            format!("{:indent$}{column}={value}", "", indent = 2 * node.depth),
        ]
    });
    table(out, &columns, rows)
}
