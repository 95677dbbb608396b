//! Sorting and filtering of a file list, as indexes into it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::model::files::{FileList, FileRef};
use crate::model::histogram::By;
use crate::model::partition::{PartitionValues, compare_tuples};
use crate::model::target::parse_size;

/// What files are sorted by. Without a column the order is the log's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sort {
    pub by: Option<SortBy>,
    pub descending: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    Path,
    Size,
    Rows,
    Partition,
    Modified,
    Deleted,
}

impl SortBy {
    pub const ALL: [SortBy; 6] =
        [SortBy::Path, SortBy::Size, SortBy::Rows, SortBy::Partition, SortBy::Modified, SortBy::Deleted];

    pub fn title(self) -> &'static str {
        match self {
            SortBy::Path => "path",
            SortBy::Size => "size",
            SortBy::Rows => "rows",
            SortBy::Partition => "partition",
            SortBy::Modified => "modified",
            SortBy::Deleted => "deleted rows",
        }
    }
}

impl Sort {
    /// By this column, texts upwards, figures the largest first; the other way round if it is
    /// already sorted so.
    pub fn toggle(self, by: SortBy) -> Sort {
        if self.by == Some(by) {
            return Sort { descending: !self.descending, ..self };
        }
        Sort { by: Some(by), descending: !matches!(by, SortBy::Path | SortBy::Partition) }
    }

    /// The next column in turn; after the last one, the log's order.
    pub fn next(self) -> Sort {
        let at = self.by.and_then(|by| SortBy::ALL.iter().position(|s| *s == by));
        let next = at.map_or(0, |a| a + 1);
        SortBy::ALL.get(next).map_or_else(Sort::default, |by| Sort::default().toggle(*by))
    }

    pub fn reversed(self) -> Sort {
        Sort { descending: !self.descending, ..self }
    }
}

/// Which files are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Narrow {
    /// Words that must all match: `<64mb` and `>1gb` the size, anything else the path or the
    /// partition.
    pub text: String,
    /// Only partitions that start with these values.
    pub scope: Option<PartitionValues>,
    /// Only files of this bar of a histogram.
    pub band: Option<Band>,
}

/// Sizes or rows from `from` (inclusive) to `to` (exclusive; none: no limit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    pub by: By,
    pub from: u64,
    pub to: Option<u64>,
}

impl Band {
    fn holds(self, file: &FileRef<'_>) -> bool {
        let figure = match self.by {
            By::Size => Some(file.size),
            By::Rows => file.live_records(),
        };
        figure.is_some_and(|n| n >= self.from && self.to.is_none_or(|to| n < to))
    }
}

/// The files that pass the filter, sorted; equal ones keep the log's order, and files of which
/// the figure is unknown come last both ways. None if `cancelled`.
pub fn arrange(
    list: &FileList,
    sort: Sort,
    narrow: &Narrow,
    cancelled: &dyn Fn() -> bool,
) -> Option<Arc<[u32]>> {
    let kept = select(list, narrow, cancelled)?;
    let descending = sort.descending;
    let sorted = match sort.by {
        None if descending => kept.into_iter().rev().collect(),
        None => kept,
        Some(SortBy::Path) => by_key(list, kept, descending, cancelled, |f| Some(f.path))?,
        Some(SortBy::Size) => by_key(list, kept, descending, cancelled, |f| Some(f.size))?,
        Some(SortBy::Rows) => by_key(list, kept, descending, cancelled, |f| f.live_records())?,
        Some(SortBy::Modified) => by_key(list, kept, descending, cancelled, |f| Some(f.modified))?,
        Some(SortBy::Deleted) => {
            by_key(list, kept, descending, cancelled, |f| f.deletion_vector.map(|dv| dv.cardinality))?
        }
        Some(SortBy::Partition) => {
            let ranks = partition_ranks(list);
            by_key(list, kept, descending, cancelled, |f| ranks.get(f.partition as usize).copied())?
        }
    };
    Some(sorted.into())
}

/// How often `cancelled` is asked.
const STRIDE: usize = 1 << 14;

fn by_key<'a, K: Ord>(
    list: &'a FileList,
    rows: Vec<u32>,
    descending: bool,
    cancelled: &dyn Fn() -> bool,
    key: impl Fn(&FileRef<'a>) -> Option<K>,
) -> Option<Vec<u32>> {
    let mut known = Vec::with_capacity(rows.len());
    let mut unknown = Vec::new();
    for (n, row) in rows.into_iter().enumerate() {
        if n % STRIDE == 0 && cancelled() {
            return None;
        }
        match key(&list.get(row as usize)) {
            Some(k) => known.push((k, row)),
            None => unknown.push(row),
        }
    }
    if descending {
        known.sort_unstable_by(|(a, i), (b, j)| (Reverse(a), i).cmp(&(Reverse(b), j)));
    } else {
        known.sort_unstable();
    }
    Some(known.into_iter().map(|(_, row)| row).chain(unknown).collect())
}

/// For each partition id its place in the order of the values.
fn partition_ranks(list: &FileList) -> Vec<u32> {
    let dict = &list.partitions;
    let mut ids: Vec<u32> = (0..dict.len() as u32).collect();
    ids.sort_by(|a, b| compare_tuples(dict.values(*a), dict.values(*b)));
    let mut ranks = vec![0; ids.len()];
    for (rank, id) in ids.into_iter().enumerate() {
        ranks[id as usize] = rank as u32;
    }
    ranks
}

fn select(list: &FileList, narrow: &Narrow, cancelled: &dyn Fn() -> bool) -> Option<Vec<u32>> {
    let filter = Filter::parse(&narrow.text);
    if filter.is_empty() && narrow.scope.is_none() && narrow.band.is_none() {
        return Some((0..list.len() as u32).collect());
    }
    let ids = 0..list.partitions.len() as u32;
    let start = narrow.scope.as_deref().unwrap_or_default();
    let in_scope: Vec<bool> = ids.map(|id| list.partitions.values(id).starts_with(start)).collect();
    let partitions = filter.matching_partitions(list);
    let mut out = Vec::new();
    for (n, file) in list.iter().enumerate() {
        if n % STRIDE == 0 && cancelled() {
            return None;
        }
        if in_scope.get(file.partition as usize) == Some(&true)
            && narrow.band.is_none_or(|band| band.holds(&file))
            && filter.keeps(&file, &partitions)
        {
            out.push(n as u32);
        }
    }
    Some(out)
}

/// Tells which files a filter's text finds.
pub struct Finder {
    filter: Filter,
    partitions: Vec<Vec<bool>>,
}

impl Finder {
    pub fn new(text: &str, list: &FileList) -> Self {
        let filter = Filter::parse(text);
        let partitions = filter.matching_partitions(list);
        Finder { filter, partitions }
    }

    pub fn finds(&self, file: &FileRef<'_>) -> bool {
        self.filter.keeps(file, &self.partitions)
    }
}

/// A filter's text, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    words: Vec<String>,
    below: Option<u64>,
    above: Option<u64>,
}

impl Filter {
    fn parse(text: &str) -> Filter {
        let mut filter = Filter::default();
        for word in text.split_whitespace() {
            let size = |sign| word.strip_prefix(sign).and_then(parse_size);
            match (size('<'), size('>')) {
                (Some(n), _) => filter.below = Some(filter.below.map_or(n, |b| b.min(n))),
                (_, Some(n)) => filter.above = Some(filter.above.map_or(n, |a| a.max(n))),
                _ => filter.words.push(word.to_lowercase()),
            }
        }
        filter
    }

    fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// For each word, whether each partition's label has it.
    fn matching_partitions(&self, list: &FileList) -> Vec<Vec<bool>> {
        let labels: Vec<String> =
            (0..list.partitions.len() as u32).map(|id| list.partitions.label(id).to_lowercase()).collect();
        let has = |word: &String| labels.iter().map(|l| l.contains(word.as_str())).collect();
        self.words.iter().map(has).collect()
    }

    fn keeps(&self, file: &FileRef<'_>, partitions: &[Vec<bool>]) -> bool {
        self.below.is_none_or(|n| file.size < n)
            && self.above.is_none_or(|n| file.size > n)
            && self.words.iter().zip(partitions).all(|(word, labels)| {
                labels.get(file.partition as usize) == Some(&true) || contains(file.path, word)
            })
    }
}

/// Whether the text holds the lower-case word, whatever its own case. Paths are mostly ASCII, and
/// those are compared without making a copy.
fn contains(text: &str, word: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    text.windows(word.len().max(1)).any(|w| w.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};
    use crate::model::partition::PartitionDict;

    fn list() -> FileList {
        let mut dict = PartitionDict::new(vec!["p".to_owned()]);
        let b = dict.intern(&[Some("b".into())]);
        let a = dict.intern(&[Some("a".into())]);
        let mut chunk = ChunkBuilder::new(true, 4);
        for (path, size, records, partition) in
            [("Z", 10, Some(5), b), ("y", 30, None, a), ("x-É", 20, Some(7), b), ("w", 20, Some(7), a)]
        {
            chunk.push(NewFile { path, size, records, partition, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::new(dict), true, false);
        list.push_chunk(Arc::new(chunk.finish()));
        list
    }

    fn rows(by: Option<SortBy>, descending: bool, filter: &str) -> Vec<u32> {
        let narrow = Narrow { text: filter.into(), ..Narrow::default() };
        arrange(&list(), Sort { by, descending }, &narrow, &|| false).unwrap().to_vec()
    }

    #[test]
    fn sorts_by_each_column() {
        assert_eq!(rows(None, false, ""), [0, 1, 2, 3]);
        assert_eq!(rows(None, true, ""), [3, 2, 1, 0]);
        assert_eq!(rows(Some(SortBy::Size), true, ""), [1, 2, 3, 0]);
        assert_eq!(rows(Some(SortBy::Path), false, ""), [0, 3, 2, 1]);
        assert_eq!(rows(Some(SortBy::Partition), false, ""), [1, 3, 0, 2]);
        assert_eq!(rows(Some(SortBy::Rows), false, "").last(), Some(&1), "unknown last");
        assert_eq!(rows(Some(SortBy::Rows), true, ""), [2, 3, 0, 1], "unknown last");
    }

    #[test]
    fn filters_by_words_and_sizes() {
        assert_eq!(rows(None, false, "z"), [0]);
        assert_eq!(rows(None, false, "p=A"), [1, 3]);
        assert_eq!(rows(None, false, "p=b é"), [2]);
        assert_eq!(rows(None, false, ">10 <30"), [2, 3]);
        assert_eq!(rows(None, false, "<nothing"), [] as [u32; 0]);
    }

    #[test]
    fn a_scope_keeps_whole_partitions() {
        let narrow = |value: &str| Narrow { scope: Some([Some(value.into())].into()), ..Narrow::default() };
        let rows = |n: &Narrow| arrange(&list(), Sort::default(), n, &|| false).unwrap().to_vec();
        assert_eq!(rows(&narrow("a")), [1, 3]);
        assert_eq!(rows(&narrow("")), [] as [u32; 0]);
    }

    #[test]
    fn a_band_keeps_what_its_bar_counts() {
        let rows = |by, from, to| {
            let narrow = Narrow { band: Some(Band { by, from, to }), ..Narrow::default() };
            arrange(&list(), Sort::default(), &narrow, &|| false).unwrap().to_vec()
        };
        assert_eq!(rows(By::Size, 20, Some(30)), [2, 3]);
        assert_eq!(rows(By::Size, 21, None), [1]);
        assert_eq!(rows(By::Rows, 0, None), [0, 2, 3], "unknown rows are in no bar");
    }

    #[test]
    fn a_cancelled_arrangement_ends() {
        let narrow = Narrow { text: "z".into(), ..Narrow::default() };
        assert_eq!(arrange(&list(), Sort::default(), &narrow, &|| true), None);
    }

    #[test]
    fn every_column_has_its_turn() {
        let mut sort = Sort::default();
        for by in SortBy::ALL {
            sort = sort.next();
            assert_eq!(sort.by, Some(by));
        }
        assert_eq!(sort.next(), Sort::default());
    }
}
