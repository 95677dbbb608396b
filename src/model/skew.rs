//! How unevenly a table's partitions are filled, and values that look like mistakes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::rollup::{Measures, PartitionTree, median};

/// Evenness of a set of partitions by bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skew {
    pub partitions: u64,
    /// Bytes.
    pub largest: u64,
    /// Bytes.
    pub median: f64,
    /// Gini coefficient: 0 if all are equal, towards 1 if one holds everything; it is half the
    /// mean difference between two partitions over their mean size.
    pub gini: f64,
}

impl Skew {
    /// None without partitions.
    pub fn of(mut sizes: Vec<u64>) -> Option<Self> {
        sizes.sort_unstable();
        let largest = *sizes.last()?;
        let n = sizes.len() as f64;
        let sum: f64 = sizes.iter().map(|s| *s as f64).sum();
        // G = 2 Σ i·xᵢ / (n Σ xᵢ) − (n + 1) / n, over ascending xᵢ with i from 1.
        let weighted: f64 = sizes.iter().zip(1u64..).map(|(s, i)| *s as f64 * i as f64).sum();
        let gini = if sum > 0.0 { (2.0 * weighted / (n * sum) - (n + 1.0) / n).clamp(0.0, 1.0) } else { 0.0 };
        Some(Skew { partitions: sizes.len() as u64, largest, median: median(sizes)?, gini })
    }

    /// Of the leaves of a partition tree; none for a table without partitions.
    pub fn of_leaves(tree: &PartitionTree) -> Option<Self> {
        Skew::of(tree.leaves().map(|l| l.measures.bytes).collect())
    }

    /// Largest against median; none if the median is 0.
    pub fn ratio(&self) -> Option<f64> {
        (self.median > 0.0).then(|| self.largest as f64 / self.median)
    }
}

/// Why a partition value looks like a mistake of whoever wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// Null, or an empty string, which the protocol makes null.
    Null,
    /// Hive's name for null, taken as a value.
    HiveDefault,
    /// `%20` and the like inside a value: it was encoded once too often.
    PercentEncoded,
    /// Differs from another value of the column in upper and lower case only.
    CaseVariant,
    /// Blanks at its start or end.
    Blanks,
}

/// An odd value of a partition column, with what it holds in all.
#[derive(Debug, Clone, PartialEq)]
pub struct OddValue {
    pub column: String,
    pub value: Option<Arc<str>>,
    pub oddity: Oddity,
    pub measures: Measures,
}

/// Odd values of all partition columns, in the order of the columns and values; a value with two
/// oddities comes twice.
pub fn odd_values(tree: &PartitionTree) -> Vec<OddValue> {
    let mut columns: Vec<BTreeMap<Option<Arc<str>>, Measures>> = vec![BTreeMap::new(); tree.columns.len()];
    for node in &tree.nodes {
        if let Some(values) = columns.get_mut(node.depth) {
            values.entry(node.value.clone()).or_default().merge(&node.measures);
        }
    }
    let mut out = Vec::new();
    for (column, values) in tree.columns.iter().zip(columns) {
        let mut spellings: BTreeMap<String, u32> = BTreeMap::new();
        for value in values.keys().flatten() {
            *spellings.entry(value.to_lowercase()).or_default() += 1;
        }
        for (value, measures) in values {
            for oddity in oddities(value.as_deref(), &spellings) {
                out.push(OddValue { column: column.clone(), value: value.clone(), oddity, measures });
            }
        }
    }
    out
}

fn oddities(value: Option<&str>, spellings: &BTreeMap<String, u32>) -> Vec<Oddity> {
    let Some(value) = value.filter(|v| !v.is_empty()) else { return vec![Oddity::Null] };
    let tests = [
        (Oddity::HiveDefault, value == "__HIVE_DEFAULT_PARTITION__"),
        (Oddity::PercentEncoded, has_percent_code(value)),
        (Oddity::CaseVariant, spellings.get(&value.to_lowercase()).is_some_and(|n| *n > 1)),
        (Oddity::Blanks, value.trim() != value),
    ];
    tests.into_iter().filter_map(|(oddity, holds)| holds.then_some(oddity)).collect()
}

fn has_percent_code(value: &str) -> bool {
    let hex = |b: u8| b.is_ascii_hexdigit();
    value.as_bytes().windows(3).any(|w| w[0] == b'%' && hex(w[1]) && hex(w[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::{ChunkBuilder, FileList, NewFile};
    use crate::model::partition::PartitionDict;

    #[test]
    fn gini_by_hand() {
        let gini = |sizes: &[u64]| Skew::of(sizes.to_vec()).unwrap().gini;
        assert_eq!(gini(&[5, 5, 5]), 0.0);
        assert!((gini(&[0, 0, 0, 8]) - 0.75).abs() < 1e-12);
        assert!((gini(&[1, 2, 3, 4]) - 0.25).abs() < 1e-12);
        assert_eq!(gini(&[0, 0]), 0.0);
        assert_eq!(Skew::of(vec![]), None);
        assert_eq!(Skew::of(vec![1, 2, 30]).unwrap().ratio(), Some(15.0));
        assert_eq!(Skew::of(vec![0, 0, 3]).unwrap().ratio(), None);
    }

    #[test]
    fn odd_values_are_named() {
        let mut dict = PartitionDict::new(vec!["c".to_owned()]);
        let mut chunk = ChunkBuilder::new(false, 8);
        for value in ["São Paulo", "S%C3%A3o", "US", "us", " x", "__HIVE_DEFAULT_PARTITION__", "100%"] {
            let partition = dict.intern(&[Some(value.into())]);
            chunk.push(NewFile { path: value, size: 7, partition, ..NewFile::default() });
        }
        let partition = dict.intern(&[None]);
        chunk.push(NewFile { path: "n", size: 7, partition, ..NewFile::default() });
        let mut list = FileList::new(Arc::new(dict), false, false);
        list.push_chunk(Arc::new(chunk.finish()));
        let odd = odd_values(&PartitionTree::of(&list));
        let found: Vec<_> = odd.iter().map(|o| (o.value.as_deref(), o.oddity)).collect();
        use Oddity::*;
        assert_eq!(
            found,
            [
                (None, Null),
                (Some(" x"), Blanks),
                (Some("S%C3%A3o"), PercentEncoded),
                (Some("US"), CaseVariant),
                (Some("__HIVE_DEFAULT_PARTITION__"), HiveDefault),
                (Some("us"), CaseVariant),
            ]
        );
        assert_eq!(odd[0].measures.bytes, 7);
    }
}
