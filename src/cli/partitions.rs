//! `deltop partitions`: files, bytes and rows of each partition, how even they are, and values that look
//! like mistakes.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::args::{PartitionSort, PartitionsArgs};
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::log::Want;
use crate::model::Outcome;
use crate::model::partition_order::PartitionKey;
use crate::model::rollup::{Measures, PartitionTree};
use crate::model::skew::{OddValue, Oddity, Skew, odd_values};
use crate::model::text::clean;
use crate::model::units::{bytes, count, percent};

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

pub async fn run(call: &mut Call<'_>, args: &PartitionsArgs) -> Outcome<()> {
    let (_, files) = call.files(Want { records: true, ..Want::default() }).await?;
    let tree = PartitionTree::of(&files.list);
    let levels = tree.columns.len();
    let depth = args.depth.map_or(levels, |d| (d as usize).min(levels));
    let key = key(args.sort);
    if call.format.is_text() {
        let nodes = tree.ordered(key, args.reverse, depth);
        return write_text(call.out, &tree, &nodes, levels).map_err(failed);
    }
    let nodes = depth.checked_sub(1).map(|level| tree.level(key, args.reverse, level)).unwrap_or_default();
    let answers = nodes.into_iter().filter_map(|at| Some(answer(&tree, at, &tree.nodes.get(at)?.measures)));
    output::array(call.out, call.format, answers)
}

fn key(sort: Option<PartitionSort>) -> PartitionKey {
    match sort {
        None | Some(PartitionSort::Value) => PartitionKey::Value,
        Some(PartitionSort::Bytes) => PartitionKey::Bytes,
        Some(PartitionSort::Files) => PartitionKey::Files,
        Some(PartitionSort::Rows) => PartitionKey::Rows,
        Some(PartitionSort::Average) => PartitionKey::Average,
        Some(PartitionSort::Smallest) => PartitionKey::Smallest,
        Some(PartitionSort::Largest) => PartitionKey::Largest,
    }
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

fn write_text(out: &mut dyn Write, tree: &PartitionTree, nodes: &[usize], levels: usize) -> io::Result<()> {
    let total = &tree.total;
    if levels == 0 {
        return writeln!(out, "No partition columns.");
    }
    let leaves = tree.leaves().count() as u64;
    let (files, size) = (counted(total.files, "file"), bytes(total.bytes));
    writeln!(out, "{}   {files}   {size}", counted(leaves, "partition"))?;
    if let Some(skew) = Skew::of_leaves(tree).filter(|s| s.partitions > 1) {
        writeln!(out, "{}", evenness(&skew))?;
    }
    for odd in odd_values(tree) {
        writeln!(out, "{}", clean(&strange(&odd)))?;
    }
    writeln!(out)?;
    let columns = [
        Column::right("files"),
        Column::right("bytes"),
        Column::right("share"),
        Column::right("rows"),
        Column::right("average"),
        Column::right("smallest"),
        Column::right("largest"),
        Column::left("partition"),
    ];
    let rows = nodes.iter().filter_map(|at| tree.nodes.get(*at)).map(|node| {
        let m = &node.measures;
        let column = tree.columns.get(node.depth).map_or("", |c| c);
        let value = node.value.as_deref().unwrap_or("null");
        vec![
            count(m.files),
            bytes(m.bytes),
            percent(m.bytes, total.bytes),
            m.rows().map_or("?".into(), count),
            m.average().map_or("?".into(), bytes),
            bytes(m.min),
            bytes(m.max),
            format!("{:indent$}{column}={value}", "", indent = 2 * node.depth),
        ]
    });
    table(out, &columns, rows)
}

fn evenness(skew: &Skew) -> String {
    let times = skew.ratio().map_or("".into(), |r| format!(", {r:.1} times as large"));
    format!(
        "largest {} against a median of {}{times}; Gini {:.2} (0 is even)",
        bytes(skew.largest),
        bytes(skew.median as u64),
        skew.gini
    )
}

fn strange(odd: &OddValue) -> String {
    let value = odd.value.as_deref().unwrap_or("null");
    let why = match odd.oddity {
        Oddity::Null => "no value",
        Oddity::HiveDefault => "Hive's name for null, taken as a value",
        Oddity::PercentEncoded => "encoded once too often",
        Oddity::CaseVariant => "differs from another value in upper and lower case only",
        Oddity::Blanks => "blanks at its start or end",
    };
    let (files, size) = (counted(odd.measures.files, "file"), bytes(odd.measures.bytes));
    format!("odd: {}={value}   {why}   {files}, {size}", odd.column)
}
