//! Files that were written for a target already. Small files shrink when they are merged, by more than
//! can be foretold (a footer each, and codecs like long runs), so that what comes out may be small
//! again: merging it once more would be work without end.

use super::{LeftReason, Plan};
use crate::model::files::{FileList, FileRef};

/// The tag of a new file (`add.tags`): the bytes that it was to have.
pub const TARGET_TAG: &str = "DELTOP_TARGET_FILE_SIZE";

/// The plan without the groups of nothing but files that were written for this target. Together with
/// a file that was not, they are merged as any.
pub fn without_settled(mut plan: Plan, list: &FileList, target: u64) -> Plan {
    let target = target.to_string();
    let (settled, groups): (Vec<_>, Vec<_>) = plan
        .groups
        .into_iter()
        .partition(|group| group.inputs.iter().all(|i| is_for(&list.get(*i as usize), &target)));
    plan.groups = groups;
    for group in settled {
        plan.leave(LeftReason::FineSize, group.inputs.len() as u64, group.bytes);
    }
    plan
}

fn is_for(file: &FileRef<'_>, target: &str) -> bool {
    let is_tag =
        |(name, value): &(String, Option<String>)| name == TARGET_TAG && value.as_deref() == Some(target);
    file.deletion_vector.is_none() && file.tags.is_some_and(|tags| tags.iter().any(is_tag))
}
