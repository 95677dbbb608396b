//! Rewriting to a file size: large files are split, small ones merged, fine ones left alone.

use super::compact::{group, merge_small};
use super::inputs::{Input, Scope, by_partition};
use super::{LeftReason, MOST_FILES, Operation, Plan};
use crate::model::files::FileList;
use crate::model::target::SizeTarget;

/// Plans a rewrite of every file outside the band. A file above it is split into as many even parts
/// as come nearest to the target, which lie within the band since the file is more than twice the
/// target. Running it and planning again gives nothing to do, if sizes come out as predicted.
pub fn resize(list: &FileList, target: SizeTarget, scope: Scope<'_>) -> Plan {
    resize_and_purge(list, target, scope, false)
}

/// As [`resize`]; with `purge`, also what has a deletion vector.
pub fn resize_and_purge(list: &FileList, target: SizeTarget, scope: Scope<'_>, purge: bool) -> Plan {
    let purges = |file: &Input| purge && file.has_vector();
    let mut plan = Plan::new(Operation::Rewrite);
    for (partition, files) in by_partition(list, scope, &mut plan) {
        let mut small = Vec::new();
        for file in files {
            if file.size < target.low
                || (file.has_vector() && file.size > target.high && file.live < target.low)
                || (purges(&file) && file.live < target.low)
            {
                small.push(file);
            } else if file.size <= target.high && purges(&file) {
                plan.groups.push(group(partition, &[file], 1));
            } else if file.size <= target.high {
                plan.leave(LeftReason::FineSize, 1, file.size);
            } else {
                let wanted = nearest_parts(file.live, target.target);
                let parts = wanted.min(file.rows.unwrap_or(u64::MAX).max(1));
                if parts == 1 && !file.has_vector() {
                    plan.leave(LeftReason::CannotSplit, 1, file.size);
                } else if parts > MOST_FILES {
                    plan.leave(LeftReason::TooManyParts, 1, file.size);
                } else {
                    plan.groups.push(group(partition, &[file], parts));
                }
            }
        }
        merge_small(partition, &small, target, &mut plan, |file| file.size > target.high || purges(file));
    }
    plan
}

fn nearest_parts(bytes: u64, target: u64) -> u64 {
    let target = u128::from(target.max(1));
    (((u128::from(bytes) + target / 2) / target) as u64).max(1)
}
