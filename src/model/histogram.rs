//! How file sizes (or row counts) are spread.

use super::files::{FileList, FileRef};
use super::target::SizeTarget;

/// What the histogram counts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    #[default]
    Size,
    Rows,
}

/// Files from `from` (inclusive) to `to` (exclusive; none: no limit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    pub from: u64,
    pub to: Option<u64>,
    pub files: u64,
    pub bytes: u64,
    /// Live rows; none if a file of the bucket lacks the figure.
    pub rows: Option<u64>,
}

/// Adjacent buckets on a logarithmic scale: steps of four from the lowest file to the highest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    pub by: By,
    pub buckets: Vec<Bucket>,
    /// The band for this table's size; by size only.
    pub recommended: Option<SizeTarget>,
    /// By rows: files whose rows are unknown, in no bucket.
    pub unknown_files: u64,
}

impl Histogram {
    pub fn by_size(list: &FileList, target: SizeTarget) -> Self {
        Histogram::of_sizes(list.iter(), target)
    }

    /// Of some files by size.
    pub fn of_sizes<'a>(files: impl Iterator<Item = FileRef<'a>>, target: SizeTarget) -> Self {
        let mut edges: Vec<u64> = (1..=16).map(|k| 1024u64 << (2 * k)).collect();
        // The band's own limits are always edges, so that "too small" is a whole number of bars.
        for edge in [target.low, target.target, target.high] {
            let near = edges.iter().position(|e| edge.max(*e) < edge.min(*e).saturating_mul(2) && *e != edge);
            match near {
                Some(at) if ![target.low, target.target, target.high].contains(&edges[at]) => {
                    edges[at] = edge
                }
                _ => edges.push(edge),
            }
        }
        let mut histogram = Histogram::empty(By::Size, edges, Some(target));
        for file in files {
            histogram.count(file.size, file.size, file.live_records());
        }
        let band = |b: &Bucket| b.from >= target.low && b.to.is_some_and(|to| to <= target.high);
        histogram.trim(band);
        histogram
    }

    pub fn by_rows(list: &FileList) -> Self {
        Histogram::of_rows(list.iter())
    }

    /// Of some files by live rows.
    pub fn of_rows<'a>(files: impl Iterator<Item = FileRef<'a>>) -> Self {
        let edges = std::iter::once(1).chain((1..=14).map(|k| 10u64.pow(k))).collect();
        let mut histogram = Histogram::empty(By::Rows, edges, None);
        for file in files {
            match file.live_records() {
                Some(rows) => histogram.count(rows, file.size, Some(rows)),
                None => histogram.unknown_files += 1,
            }
        }
        histogram.trim(|_| false);
        histogram
    }

    fn empty(by: By, mut edges: Vec<u64>, recommended: Option<SizeTarget>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let froms = std::iter::once(0).chain(edges.iter().copied());
        let tos = edges.iter().copied().map(Some).chain(std::iter::once(None));
        let buckets =
            froms.zip(tos).map(|(from, to)| Bucket { from, to, files: 0, bytes: 0, rows: Some(0) }).collect();
        Histogram { by, buckets, recommended, unknown_files: 0 }
    }

    fn count(&mut self, value: u64, bytes: u64, rows: Option<u64>) {
        let at = self.buckets.partition_point(|b| b.to.is_some_and(|to| to <= value));
        let bucket = &mut self.buckets[at];
        bucket.files += 1;
        bucket.bytes = bucket.bytes.saturating_add(bytes);
        bucket.rows = bucket.rows.zip(rows).map(|(a, b)| a.saturating_add(b));
    }

    /// Whether all of a bucket lies in the recommended band.
    pub fn in_band(&self, bucket: &Bucket) -> bool {
        let inside = |r: &SizeTarget| bucket.from >= r.low && bucket.to.is_some_and(|to| to <= r.high);
        self.recommended.as_ref().is_some_and(inside)
    }

    /// The buckets to be drawn: empty neighbours outside of the band are one.
    pub fn bars(&self) -> Vec<Bucket> {
        let plain = |b: &Bucket| b.files == 0 && !self.in_band(b);
        let mut out: Vec<Bucket> = Vec::with_capacity(self.buckets.len());
        for bucket in &self.buckets {
            match out.last_mut().filter(|last| plain(last) && plain(bucket)) {
                Some(last) => last.to = bucket.to,
                None => out.push(*bucket),
            }
        }
        out
    }

    /// Drops empty buckets at both ends, but keeps those that `keep` names and what lies between.
    fn trim(&mut self, keep: impl Fn(&Bucket) -> bool) {
        let wanted = |b: &Bucket| b.files > 0 || keep(b);
        let first = self.buckets.iter().position(wanted).unwrap_or(0);
        let last = self.buckets.iter().rposition(wanted).map_or(0, |l| l + 1);
        self.buckets.truncate(last.max(first));
        self.buckets.drain(..first);
    }
}
