//! Files of one partition whose partition values stand in the log in two ways.

use rustc_hash::FxHashMap;

use super::compact::group;
use super::inputs::Input;
use super::share::shared_out;
use super::{Group, LeftReason, Plan};
use crate::model::files::FileList;
use crate::model::{Fault, Outcome};

/// The plan with each of its groups split by how the files' partition values are written: for the
/// protocol ("Partition Value Serialization") an empty text is null, but not every engine reads it so,
/// and a rewrite keeps values as they stand. `kinds`: a number for each way, by index of the file;
/// files without one are all alike. `exact`: the number of files may not grow. `each`: a file is
/// rewritten also if nothing is merged with it.
///
/// # Errors
/// `too-few-files` if a group has more ways than files.
pub fn apart(
    mut plan: Plan,
    list: &FileList,
    kinds: &FxHashMap<u32, usize>,
    exact: bool,
    each: bool,
) -> Outcome<Plan> {
    for whole in std::mem::take(&mut plan.groups) {
        let parts = by_kind(&whole, list, kinds);
        if parts.len() < 2 {
            plan.groups.push(whole);
            continue;
        }
        if exact && whole.outputs.len() < parts.len() {
            let more = parts.len() - whole.outputs.len();
            return Err(Fault::usage("too-few-files", "Cannot rewrite to so few files")
                .because("the values of a partition are null in some files and an empty text in others, which stay apart")
                .hint(format!("give at least {more} more, or leave that partition out with --where")));
        }
        let files: Vec<&[Input]> = parts.iter().map(Vec::as_slice).collect();
        let counts = shared_out(&files, whole.outputs.len() as u64);
        for (files, count) in parts.iter().zip(counts) {
            if !each && files.len() == 1 && count == 1 && !files[0].has_vector() {
                plan.leave(LeftReason::OnlySmallFile, 1, files[0].size);
            } else {
                plan.groups.push(group(whole.partition, files, count));
            }
        }
    }
    Ok(plan)
}

/// In the order in which the ways are met.
fn by_kind(whole: &Group, list: &FileList, kinds: &FxHashMap<u32, usize>) -> Vec<Vec<Input>> {
    let mut parts: Vec<(usize, Vec<Input>)> = Vec::new();
    for index in &whole.inputs {
        let kind = kinds.get(index).copied().unwrap_or(0);
        let input = Input::of(*index, &list.get(*index as usize));
        match parts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, files)) => files.push(input),
            None => parts.push((kind, vec![input])),
        }
    }
    parts.into_iter().map(|(_, files)| files).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{F, MIB, list};
    use super::super::{Left, Operation};
    use super::*;

    fn plan_of(list: &FileList, outputs: u64) -> Plan {
        let inputs: Vec<Input> = (0u32..).zip(list.iter()).map(|(i, file)| Input::of(i, &file)).collect();
        let mut plan = Plan::new(Operation::Rewrite);
        plan.groups.push(group(0, &inputs, outputs));
        plan
    }

    #[test]
    fn null_and_empty_stay_apart() {
        let files =
            [100, 800, 100].map(|rows| F { partition: 0, size: MIB, rows: Some(rows), deleted: None });
        let list = list(&files);
        let kinds: FxHashMap<u32, usize> = [(0, 0), (1, 1), (2, 0)].into_iter().collect();
        let shape = |plan: Plan| -> Vec<(Vec<u32>, usize)> {
            plan.groups.into_iter().map(|g| (g.inputs, g.outputs.len())).collect()
        };
        let split = apart(plan_of(&list, 3), &list, &kinds, true, true).unwrap();
        assert_eq!(shape(split), [(vec![0, 2], 1), (vec![1], 2)]);
        let fault = apart(plan_of(&list, 1), &list, &kinds, true, true).unwrap_err();
        assert_eq!((fault.code, fault.exit_status()), ("too-few-files", 2));
        // To a size, the one alone is not worth rewriting.
        let split = apart(plan_of(&list, 1), &list, &kinds, false, false).unwrap();
        assert_eq!(split.left_alone, [Left { reason: LeftReason::OnlySmallFile, files: 1, bytes: MIB }]);
        assert_eq!(shape(split), [(vec![0, 2], 1)]);
        let same = FxHashMap::default();
        assert_eq!(apart(plan_of(&list, 2), &list, &same, true, true).unwrap(), plan_of(&list, 2));
    }
}
