//! Compaction: small files of a partition are merged into files near the target.

use super::inputs::{Input, Scope, Sums, by_partition, even_outputs};
use super::pack::first_fit_decreasing;
use super::{Group, LeftReason, Operation, Plan};
use crate::model::files::FileList;
use crate::model::target::SizeTarget;

#[derive(Debug, Clone, Copy)]
pub struct CompactOptions<'a> {
    /// Files below `target.low` are small; the new ones are at most about `target.target`.
    pub target: SizeTarget,
    pub scope: Scope<'a>,
    /// Also rewrite files whose deleted share is above this (Fabric docs: purge above 5 %);
    /// with 0, all that have a deletion vector.
    pub purge_above: Option<f64>,
}

impl CompactOptions<'_> {
    fn purges(&self, input: &Input) -> bool {
        input.has_vector()
            && self.purge_above.is_some_and(|above| input.deleted.map_or(above <= 0.0, |share| share > above))
    }
}

/// Plans a compaction. Running it and planning again gives nothing to do, if sizes come out as
/// predicted.
pub fn compact(list: &FileList, options: &CompactOptions<'_>) -> Plan {
    let mut plan = Plan::new(Operation::Optimize);
    let target = options.target;
    for (partition, files) in by_partition(list, options.scope, &mut plan) {
        let mut small = Vec::new();
        for file in files {
            let purge = options.purges(&file);
            if file.size < target.low || (purge && file.live < target.low) {
                small.push(file);
            } else if purge {
                plan.groups.push(group(partition, &[file], 1));
            } else if file.size > target.high {
                plan.leave(LeftReason::TooLarge, 1, file.size);
            } else {
                plan.leave(LeftReason::FineSize, 1, file.size);
            }
        }
        merge_small(partition, &small, target, &mut plan, |file| options.purges(file));
    }
    plan
}

/// Packs small files into bins; a file that finds no partner is left alone unless `must` says that
/// it has to be rewritten anyway.
pub(super) fn merge_small(
    partition: u32,
    small: &[Input],
    target: SizeTarget,
    plan: &mut Plan,
    must: impl Fn(&Input) -> bool,
) {
    let sizes: Vec<u64> = small.iter().map(|f| f.live).collect();
    let mut bins = first_fit_decreasing(&sizes, target.target);
    absorb_remainder(&mut bins, &sizes, target);
    for bin in bins {
        let files: Vec<Input> = bin.into_iter().map(|i| small[i]).collect();
        match files.as_slice() {
            [] => {}
            [alone] if !must(alone) => plan.leave(LeftReason::OnlySmallFile, 1, alone.size),
            files => plan.groups.push(group(partition, files, 1)),
        }
    }
}

/// The one bin that may still be small goes into the least full of the others: that stays below
/// one and a half targets, well within the band, and leaves no small file behind.
fn absorb_remainder(bins: &mut [Vec<usize>], sizes: &[u64], target: SizeTarget) {
    if bins.len() < 2 {
        return;
    }
    let sum = |bin: &Vec<usize>| bin.iter().map(|i| sizes[*i]).fold(0, u64::saturating_add);
    let mut by_fill: Vec<(u64, usize)> = bins.iter().enumerate().map(|(i, b)| (sum(b), i)).collect();
    by_fill.sort_unstable();
    if let [(least, from), (_, into), ..] = by_fill[..]
        && least < target.low
    {
        let moved = std::mem::take(&mut bins[from]);
        bins[into].extend(moved);
        bins[into].sort_unstable();
    }
}

pub(super) fn group(partition: u32, files: &[Input], outputs: u64) -> Group {
    let sums = Sums::of(files);
    Group {
        partition,
        inputs: files.iter().map(|f| f.index).collect(),
        bytes: sums.size,
        rows: sums.rows,
        outputs: even_outputs(sums.live, sums.rows, outputs),
    }
}
