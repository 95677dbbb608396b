//! Statistics of a new file, as its add action states them (protocol, "Per-file Statistics"):
//! which columns, gathered while the rows pass by.

mod bounds;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, FieldRef};

use super::layout::Column;
use crate::model::table::{Metadata, Table};
use bounds::Bounds;

/// Leaf columns with statistics unless the table says otherwise
/// (Delta docs, `delta.dataSkippingNumIndexedCols`).
const INDEXED: i64 = 32;

/// Which columns get statistics; nested ones count one by one, partition columns do not count.
#[derive(Debug, Clone)]
pub struct Indexed {
    /// Logical paths, if the table names them (`delta.dataSkippingStatsColumns`).
    named: Option<Vec<Vec<String>>>,
    /// Else the first so many leaves.
    first: i64,
    /// The clustering columns, nested ones dotted: they have statistics whatever the properties say
    /// (protocol, "Clustered Table").
    clustering: Vec<String>,
}

impl Indexed {
    pub fn of(metadata: &Metadata) -> Indexed {
        let property = |name: &str| metadata.configuration.get(name);
        let named = property("delta.dataSkippingStatsColumns").map(|text| paths(text));
        let first = property("delta.dataSkippingNumIndexedCols").and_then(|n| n.trim().parse().ok());
        Indexed { named, first: first.unwrap_or(INDEXED), clustering: Vec::new() }
    }

    /// Those of the table's properties and its clustering columns.
    pub fn of_table(table: &Table) -> Indexed {
        Indexed { clustering: table.clustering_columns(), ..Indexed::of(&table.metadata) }
    }

    fn holds(&self, path: &[String], leaf: i64) -> bool {
        if !self.clustering.is_empty()
            && self.clustering.iter().any(|c| c.eq_ignore_ascii_case(&path.join(".")))
        {
            return true;
        }
        match &self.named {
            Some(named) => named
                .iter()
                .any(|n| n.len() <= path.len() && n.iter().zip(path).all(|(a, b)| a.eq_ignore_ascii_case(b))),
            None => self.first < 0 || leaf < self.first,
        }
    }
}

/// `a, b.c, `odd.name`.d` as paths.
fn paths(text: &str) -> Vec<Vec<String>> {
    let (mut out, mut path, mut part, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for c in text.chars().chain([',']) {
        match c {
            '`' => quoted = !quoted,
            '.' if !quoted => path.push(std::mem::take(&mut part)),
            ',' if !quoted => {
                let last = std::mem::take(&mut part).trim().to_owned();
                if !last.is_empty() {
                    path.push(last);
                }
                if !path.is_empty() {
                    out.push(std::mem::take(&mut path));
                }
            }
            ' ' if !quoted && part.is_empty() => {}
            c => part.push(c),
        }
    }
    out
}

/// Gathers the statistics of one file.
#[derive(Debug, Clone)]
pub struct FileStats {
    rows: u64,
    /// For each column of the file; none: no statistics.
    nodes: Vec<Option<Node>>,
}

#[derive(Debug, Clone)]
enum Node {
    Leaf { name: String, nulls: u64, bounds: Bounds },
    Group { name: String, parts: Vec<Option<Node>> },
}

impl FileStats {
    /// `columns` are those of the file, in its order, with their logical names; `fields` the same
    /// as they are written.
    pub fn new(columns: &[Column], fields: &[FieldRef], indexed: &Indexed, logical: &Metadata) -> FileStats {
        let mut leaf = 0;
        let nodes = columns.iter().zip(fields).map(|(column, field)| {
            if column.is_partition {
                return None;
            }
            let mut path = vec![column.name.clone()];
            let schema = logical.column(&column.name).map(|f| &f.data_type);
            node(field, schema, &mut path, &mut leaf, indexed)
        });
        FileStats { rows: 0, nodes: nodes.collect() }
    }

    pub fn update(&mut self, batch: &RecordBatch) {
        self.rows += batch.num_rows() as u64;
        for (node, column) in self.nodes.iter_mut().zip(batch.columns()) {
            if let Some(node) = node {
                node.update(column, None);
            }
        }
    }

    /// The JSON text of `add.stats`.
    pub fn json(&self) -> String {
        let part = |of: &dyn Fn(&Node) -> Option<String>| {
            object(self.nodes.iter().flatten().filter_map(|node| Some((node.name(), of(node)?))))
        };
        format!(
            "{{\"numRecords\":{},\"minValues\":{},\"maxValues\":{},\"nullCount\":{},\"tightBounds\":true}}",
            self.rows,
            part(&|n| n.bound(false)),
            part(&|n| n.bound(true)),
            part(&|n| Some(n.nulls())),
        )
    }
}

fn object<'a>(entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let entries: Vec<String> =
        entries.map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name))).collect();
    format!("{{{}}}", entries.join(","))
}

fn node(
    field: &Field,
    logical: Option<&crate::model::schema::DataType>,
    path: &mut Vec<String>,
    leaf: &mut i64,
    indexed: &Indexed,
) -> Option<Node> {
    use crate::model::schema::DataType as Logical;
    let name = field.name().clone();
    match (field.data_type(), logical) {
        (DataType::Struct(fields), Some(Logical::Struct(inner))) => {
            let parts = fields.iter().zip(inner).map(|(field, logical)| {
                path.push(logical.name.clone());
                let part = node(field, Some(&logical.data_type), path, leaf, indexed);
                path.pop();
                part
            });
            let parts: Vec<Option<Node>> = parts.collect();
            parts.iter().any(Option::is_some).then_some(Node::Group { name, parts })
        }
        // A variant's parts have no statistics of their own.
        (DataType::Struct(_), _) => {
            *leaf += 1;
            None
        }
        (data_type, _) => {
            let here = *leaf;
            *leaf += 1;
            let is_wanted = indexed.holds(path, here);
            is_wanted.then(|| Node::Leaf { name, nulls: 0, bounds: Bounds::of(data_type) })
        }
    }
}

impl Node {
    fn name(&self) -> &str {
        match self {
            Node::Leaf { name, .. } | Node::Group { name, .. } => name,
        }
    }

    /// `above`: rows in which a parent is null.
    fn update(&mut self, array: &ArrayRef, above: Option<&NullBuffer>) {
        let nulls = NullBuffer::union(array.nulls(), above);
        match self {
            Node::Leaf { nulls: count, bounds, .. } => {
                *count += nulls.as_ref().map_or(0, NullBuffer::null_count) as u64;
                match above {
                    None => bounds.update(array),
                    Some(_) => {
                        let data = array.to_data().into_builder().nulls(nulls).build();
                        // The same array with more nulls: only a bug could make it invalid, and
                        // then the file has no bounds.
                        match data {
                            Ok(data) => bounds.update(&make_array(data)),
                            Err(_) => *bounds = Bounds::None,
                        }
                    }
                }
            }
            Node::Group { parts, .. } => {
                let of = array.as_struct();
                for (part, column) in parts.iter_mut().zip(of.columns()) {
                    if let Some(part) = part {
                        part.update(column, nulls.as_ref());
                    }
                }
            }
        }
    }

    /// None where there is no bound below.
    fn bound(&self, upper: bool) -> Option<String> {
        match self {
            Node::Leaf { bounds, .. } => bounds.json(upper),
            Node::Group { parts, .. } => {
                let parts: Vec<(&str, String)> =
                    parts.iter().flatten().filter_map(|p| Some((p.name(), p.bound(upper)?))).collect();
                (!parts.is_empty()).then(|| object(parts.into_iter()))
            }
        }
    }

    fn nulls(&self) -> String {
        match self {
            Node::Leaf { nulls, .. } => nulls.to_string(),
            Node::Group { parts, .. } => object(parts.iter().flatten().map(|p| (p.name(), p.nulls()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns() {
        assert_eq!(paths("a, b.c,`x.y`.z"), [vec!["a"], vec!["b", "c"], vec!["x.y", "z"]]);
        assert!(paths("").is_empty());
        let named = Indexed { named: Some(paths("s")), first: 32, clustering: Vec::new() };
        assert!(named.holds(&["S".into(), "inner".into()], 99));
        assert!(!named.holds(&["t".into()], 0));
        let first = Indexed { named: None, first: 2, clustering: Vec::new() };
        assert!(first.holds(&["t".into()], 1) && !first.holds(&["t".into()], 2));
        let clustered = Indexed { clustering: vec!["s.inner".into()], ..first };
        assert!(clustered.holds(&["s".into(), "inner".into()], 9) && !clustered.holds(&["s".into()], 9));
    }
}
