//! How many files each of several parts gets, of a number for all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::inputs::{Input, Sums};

/// Files that a part with these sums can become: a file holds at least one row; where rows are unknown
/// nothing limits the files.
pub(super) fn most_files(sums: &Sums) -> u64 {
    sums.rows.map_or(u64::MAX, |rows| rows.max(1))
}

/// `n` files shared out, at least one to each part. The next file goes where the rows a file are most, so
/// that rows are even over all of them; where a part's rows are unknown, bytes stand for them. Among
/// equals it goes where more files are already: so a second run finds the first one's choice again,
/// however the parts are numbered.
pub(super) fn shared_out(parts: &[&[Input]], n: u64) -> Vec<u64> {
    let sums: Vec<Sums> = parts.iter().map(|files| Sums::of(files)).collect();
    let by_rows = sums.iter().all(|s| s.rows.is_some());
    let weight = |s: &Sums| s.rows.filter(|_| by_rows).unwrap_or(s.live);
    let place = |at: usize, share: u64| (share, parts[at].len(), Reverse(at));
    let open = sums.iter().enumerate().filter(|(_, s)| most_files(s) > 1);
    let mut heap: BinaryHeap<_> = open.map(|(at, s)| place(at, weight(s))).collect();
    let mut counts = vec![1u64; parts.len()];
    for _ in parts.len() as u64..n {
        let Some((_, _, Reverse(at))) = heap.pop() else { break };
        counts[at] += 1;
        if counts[at] < most_files(&sums[at]) {
            heap.push(place(at, weight(&sums[at]) / counts[at]));
        }
    }
    counts
}
