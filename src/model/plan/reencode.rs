//! Giving all files a codec or row groups: those that have them already are left alone.

use rustc_hash::FxHashSet;

use super::compact::group;
use super::inputs::{Scope, by_partition};
use super::{LeftReason, Plan};
use crate::model::files::FileList;

/// A plan and, one by one, the files in scope that it leaves alone though they are not as wanted.
/// `fine`: the files that are.
pub fn reencode(mut plan: Plan, list: &FileList, scope: Scope<'_>, fine: &FxHashSet<u32>) -> Plan {
    let taken: FxHashSet<u32> = plan.groups.iter().flat_map(|g| g.inputs.iter().copied()).collect();
    plan.left_alone.clear();
    for (partition, files) in by_partition(list, scope, &mut plan) {
        for file in files.iter().filter(|f| !taken.contains(&f.index)) {
            if fine.contains(&file.index) {
                plan.leave(LeftReason::AlreadySo, 1, file.size);
            } else {
                plan.groups.push(group(partition, std::slice::from_ref(file), 1));
            }
        }
    }
    plan.groups.sort_by_key(|g| g.partition);
    plan
}
