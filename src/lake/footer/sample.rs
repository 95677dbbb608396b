//! Which files are looked at where a table has too many.

use crate::model::files::FileList;
use crate::model::footer_totals::Sample;

/// Told with every sample.
const METHOD: &str = "evenly spread over the files ordered by size";

/// Indices of the files to read, ascending, and the sample's description if these are not all.
///
/// The files ordered by size (equal ones by path) are cut into `limit` equal runs, and the middle
/// one of each is taken: small and large files are represented as they occur, and the same table
/// gives the same sample however its list is ordered.
pub fn pick(files: &FileList, limit: Option<usize>) -> (Vec<usize>, Option<Sample>) {
    let total = files.len();
    let Some(limit) = limit.filter(|limit| *limit < total) else {
        return ((0..total).collect(), None);
    };
    let mut order: Vec<usize> = (0..total).collect();
    order.sort_unstable_by(|a, b| {
        let (a, b) = (files.get(*a), files.get(*b));
        (a.size, a.path).cmp(&(b.size, b.path))
    });
    // In 128 bits: the product of two counts of files can exceed 64.
    let middle = |run: usize| ((2 * run as u128 + 1) * total as u128 / (2 * limit as u128)) as usize;
    let mut picked: Vec<usize> = (0..limit).filter_map(|run| order.get(middle(run)).copied()).collect();
    picked.sort_unstable();
    let sample = Sample {
        num_files: picked.len() as u64,
        of_files: total as u64,
        of_bytes: files.sizes().fold(0, u64::saturating_add),
        method: METHOD,
    };
    (picked, Some(sample))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::files::{ChunkBuilder, NewFile};

    fn list(sizes: impl Iterator<Item = u64>) -> FileList {
        let mut chunk = ChunkBuilder::new(false, 8);
        for size in sizes {
            chunk.push(NewFile { path: &format!("f{size}"), size, ..NewFile::default() });
        }
        let mut list = FileList::new(Arc::default(), false, false);
        list.push_chunk(Arc::new(chunk.finish()));
        list
    }

    #[test]
    fn a_sample_is_spread_by_size_whatever_the_order() {
        let sizes = |files: &FileList| {
            let mut sizes: Vec<u64> = pick(files, Some(4)).0.iter().map(|i| files.get(*i).size).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!(sizes(&list(0..100)), [12, 37, 62, 87]);
        assert_eq!(sizes(&list((0..100).rev())), [12, 37, 62, 87]);
    }

    #[test]
    fn all_files_are_no_sample() {
        let files = list(0..5);
        assert_eq!(pick(&files, None), (vec![0, 1, 2, 3, 4], None));
        assert_eq!(pick(&files, Some(5)).1, None);
        let (picked, sample) = pick(&files, Some(4));
        assert_eq!(
            (picked.len(), sample.map(|s| (s.num_files, s.of_files, s.of_bytes))),
            (4, Some((4, 5, 10)))
        );
        assert!(pick(&files, Some(0)).0.is_empty());
        assert!(pick(&FileList::default(), Some(3)).0.is_empty());
    }
}
