//! Files rewritten one by one.

use super::compact::group;
use super::inputs::{Scope, by_partition};
use super::{LeftReason, Operation, Plan};
use crate::model::files::FileList;

/// Plans to rewrite each file in scope that has a deletion vector, if `purge`, or every one, if `all`,
/// into one of its own.
pub fn each(list: &FileList, scope: Scope<'_>, purge: bool, all: bool) -> Plan {
    let mut plan = Plan::new(Operation::Rewrite);
    for (partition, files) in by_partition(list, scope, &mut plan) {
        for file in files {
            if all || (purge && file.has_vector()) {
                plan.groups.push(group(partition, &[file], 1));
            } else {
                plan.leave(LeftReason::AlreadySo, 1, file.size);
            }
        }
    }
    plan
}
