//! Depth and overlaps, by one sweep over the ranks.

use super::ranks::Ranked;

pub(super) struct Depths {
    /// Σ over the files of their depth.
    pub sum_depth: u64,
    pub max_depth: u64,
    /// Σ over the files of the number of others that they meet.
    pub sum_overlaps: u128,
}

pub(super) fn measure(ranked: &Ranked) -> Depths {
    let (n, m) = (ranked.lo.len(), ranked.ranks());
    let started = counted(&ranked.lo, m);
    let ended = counted(&ranked.hi, m);
    // Files that start below rank k, and that end below it.
    let before = |counts: &[u32], k: usize| if k == 0 { 0 } else { u64::from(counts[k - 1]) };

    let mut sum_overlaps = 0u128;
    for (lo, hi) in ranked.lo.iter().zip(&ranked.hi) {
        let apart = before(&ended, *lo as usize) + n as u64 - u64::from(started[*hi as usize]);
        sum_overlaps += u128::from(n as u64 - 1 - apart);
    }

    // Files by the rank of their largest value, so that the sweep meets each when its range ends.
    let mut by_end = vec![0u32; n];
    let mut next: Vec<u32> = (0..m).map(|k| before(&ended, k) as u32).collect();
    for (file, hi) in ranked.hi.iter().enumerate() {
        let slot = &mut next[*hi as usize];
        by_end[*slot as usize] = file as u32;
        *slot += 1;
    }
    // Ranks whose number of files is larger than that of all later ones: the largest number in
    // [lo, here] is that of the first such rank at or after lo.
    let mut peaks: Vec<(u32, u64)> = Vec::new();
    let (mut sum_depth, mut max_depth) = (0u64, 0u64);
    for k in 0..m {
        let here = u64::from(started[k]) - before(&ended, k);
        while peaks.last().is_some_and(|(_, depth)| *depth <= here) {
            peaks.pop();
        }
        peaks.push((k as u32, here));
        max_depth = max_depth.max(here);
        for file in &by_end[before(&ended, k) as usize..ended[k] as usize] {
            let lo = ranked.lo[*file as usize];
            let at = peaks.partition_point(|(rank, _)| *rank < lo);
            sum_depth += peaks.get(at).map_or(1, |(_, depth)| *depth);
        }
    }
    Depths { sum_depth, max_depth, sum_overlaps }
}

/// `out[k]`: how many ranks are at most k.
fn counted(ranks: &[u32], m: usize) -> Vec<u32> {
    let mut out = vec![0u32; m];
    for rank in ranks {
        out[*rank as usize] += 1;
    }
    let mut sum = 0;
    for count in &mut out {
        sum += *count;
        *count = sum;
    }
    out
}
