//! Schema drift: where files differ from the schema that most files have.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{FooterTotals, SchemaUse};
use crate::model::footer::Leaf;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriftKind {
    /// Most files have the column, these do not.
    Missing,
    /// Most files lack the column, these have it.
    Added,
    /// The column has another type than in most files.
    Type,
}

/// One way in which some files differ from most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drift {
    pub column: String,
    pub kind: DriftKind,
    /// The type in most files; none if they lack the column.
    pub expected: Option<String>,
    /// The type in these files; none if they lack the column.
    pub found: Option<String>,
    /// How many files differ so.
    pub files: u64,
    /// One of them.
    pub example: String,
}

impl FooterTotals {
    /// What differs between the files' schemas, by column. The measure is the schema of most files
    /// (of equals, the one with the first example path). The order of columns does not count:
    /// readers of Delta tables go by name or id.
    pub fn drift(&self) -> Vec<Drift> {
        let most = self.schemas.iter().max_by_key(|(_, used)| (used.files, std::cmp::Reverse(&used.example)));
        let Some((reference, _)) = most else {
            return Vec::new();
        };
        let mut found = BTreeMap::new();
        for (schema, used) in self.schemas.iter().filter(|(schema, _)| *schema != reference) {
            for (expected, leaf) in differences(reference, schema) {
                count(&mut found, expected, leaf, used);
            }
        }
        found.into_values().collect()
    }
}

type Found<'a> = BTreeMap<(&'a str, DriftKind, Option<&'a Leaf>), Drift>;

fn count<'a>(found: &mut Found<'a>, expected: Option<&'a Leaf>, leaf: Option<&'a Leaf>, used: &SchemaUse) {
    let (column, kind) = match (expected, leaf) {
        (Some(e), Some(_)) => (e.path.as_str(), DriftKind::Type),
        (Some(e), None) => (e.path.as_str(), DriftKind::Missing),
        (None, Some(l)) => (l.path.as_str(), DriftKind::Added),
        (None, None) => return,
    };
    let drift = found.entry((column, kind, leaf)).or_insert_with(|| Drift {
        column: column.to_owned(),
        kind,
        expected: expected.map(Leaf::type_text),
        found: leaf.map(Leaf::type_text),
        files: 0,
        example: used.example.clone(),
    });
    drift.files += used.files;
    if used.example < drift.example {
        drift.example.clone_from(&used.example);
    }
}

/// Walks two schemas, both ordered by path, side by side.
fn differences<'a>(
    a: &'a [std::sync::Arc<Leaf>],
    b: &'a [std::sync::Arc<Leaf>],
) -> Vec<(Option<&'a Leaf>, Option<&'a Leaf>)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (None, None) => return out,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(x), Some(y)) => x.path.cmp(&y.path),
        };
        let left = if order.is_le() { a.next() } else { None };
        let right = if order.is_ge() { b.next() } else { None };
        if left != right {
            out.push((left.map(|l| &**l), right.map(|l| &**l)));
        }
    }
}
