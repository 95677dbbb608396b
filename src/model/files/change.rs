//! A list after some files came and others went: chunks that nothing happened to are shared.

use std::sync::Arc;

use super::{ChunkBuilder, FileChunk, FileList};
use crate::model::partition::PartitionDict;

/// A chunk that is smaller takes in its neighbours when it is changed.
const SMALL: usize = 16_384;

impl FileList {
    /// The list without some of its files, and with the `new` ones before all others. `gone`: rows of
    /// each chunk, ascending. `partitions`: the dictionary of both.
    #[must_use]
    pub fn changed(
        &self,
        new: ChunkBuilder,
        partitions: Arc<PartitionDict>,
        gone: &[Vec<usize>],
    ) -> FileList {
        let mut out = FileList::new(partitions, self.has_records, self.has_tags);
        let mut pending = new;
        for (at, chunk) in self.chunks.iter().enumerate() {
            let rows = gone.get(at).map_or(&[][..], Vec::as_slice);
            let is_small = chunk.len() < SMALL && pending.len() < SMALL && !pending.is_empty();
            if rows.is_empty() && !is_small {
                self.flush(&mut pending, &mut out);
                out.push_chunk(chunk.clone());
                continue;
            }
            if pending.len() >= SMALL {
                self.flush(&mut pending, &mut out);
            }
            pending.with_records = self.has_records;
            pending.copy(chunk, rows);
        }
        self.flush(&mut pending, &mut out);
        out
    }

    fn flush(&self, pending: &mut ChunkBuilder, out: &mut FileList) {
        let full = std::mem::replace(pending, ChunkBuilder::new(self.has_records, 0));
        out.push_chunk(Arc::new(full.finish()));
    }

    /// Where a file is in the list, if it is there. Of several with its path and deletion vector, the first.
    pub fn find(&self, file: super::FileRef<'_>) -> Option<usize> {
        let same = |(chunk, row): (&FileChunk, usize)| {
            chunk.path(row) == file.path && chunk.deletion_vector(row) == file.deletion_vector
        };
        // Sizes are compared first: that reads little memory, and few files are of one size.
        let chunks = self.chunks.iter().zip(self.ranges());
        let mut found = chunks.flat_map(|(chunk, range)| {
            let sized = chunk.sizes().iter().enumerate().filter(|(_, size)| **size == file.size);
            sized.map(move |(row, _)| (&**chunk, row, range.start + row))
        });
        found.find(|(chunk, row, _)| same((chunk, *row))).map(|(_, _, at)| at)
    }
}

impl ChunkBuilder {
    /// Adds the files of a chunk but those in the rows `without` (ascending).
    fn copy(&mut self, chunk: &FileChunk, without: &[usize]) {
        let mut without = without.iter().copied().peekable();
        for row in 0..chunk.len() {
            if without.next_if_eq(&row).is_some() {
                continue;
            }
            let file = chunk.get(row);
            self.push(super::NewFile {
                path: file.path,
                size: file.size,
                modified: file.modified,
                records: file.records,
                partition: file.partition,
                deletion_vector: file.deletion_vector.cloned(),
                tags: file.tags.cloned(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FileRef, NewFile};
    use super::*;

    fn builder(paths: &[&str]) -> ChunkBuilder {
        let mut out = ChunkBuilder::new(true, 0);
        for (at, path) in paths.iter().enumerate() {
            let tags = path.starts_with('t').then(|| vec![("k".to_owned(), None)]);
            out.push(NewFile { path, size: at as u64, records: Some(1), tags, ..NewFile::default() });
        }
        out
    }

    fn paths(list: &FileList) -> Vec<&str> {
        list.iter().map(|f| f.path).collect()
    }

    #[test]
    fn new_files_come_first_and_old_ones_keep_their_order() {
        let mut list = FileList::new(Arc::default(), true, true);
        list.push_chunk(Arc::new(builder(&["a", "tb", "c"]).finish()));
        list.push_chunk(Arc::new(builder(&["d", "te"]).finish()));
        let next = list.changed(builder(&["x", "ty"]), Arc::default(), &[vec![0], vec![1]]);
        assert_eq!(paths(&next), ["x", "ty", "tb", "c", "d"]);
        assert_eq!(next.len(), 5);
        let tagged: Vec<&str> = next.iter().filter(|f| f.tags.is_some()).map(|f| f.path).collect();
        assert_eq!(tagged, ["ty", "tb"]);
        assert!(next.iter().all(|f| f.records == Some(1)));
        assert_eq!(paths(&list), ["a", "tb", "c", "d", "te"], "the list before stays as it is");
    }

    #[test]
    fn chunks_that_nothing_happened_to_are_shared() {
        let names: Vec<String> = (0..SMALL).map(|i| i.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut list = FileList::new(Arc::default(), true, false);
        list.push_chunk(Arc::new(builder(&names).finish()));
        let mut next = list.clone();
        for new in ["a", "b", "c"] {
            next = next.changed(builder(&[new]), Arc::default(), &[]);
        }
        assert_eq!(next.chunks().len(), 2, "small chunks come together");
        assert!(Arc::ptr_eq(&next.chunks()[1], &list.chunks()[0]));
        let gone = next.changed(ChunkBuilder::new(true, 0), Arc::default(), &[vec![], vec![7]]);
        assert_eq!(gone.len(), next.len() - 1);
    }

    #[test]
    fn a_file_is_found_again() {
        let mut list = FileList::new(Arc::default(), true, false);
        list.push_chunk(Arc::new(builder(&["a", "b"]).finish()));
        list.push_chunk(Arc::new(builder(&["c", "d"]).finish()));
        let file = list.get(3);
        assert_eq!(list.find(file), Some(3));
        assert_eq!(list.find(FileRef { path: "z", ..file }), None);
    }
}
