//! Rewriting what a double rewrite left would mix its rows with others for good.

use crate::lake::history_search::double_rewrites;
use crate::lake::log::OpenTable;
use crate::model::files::FileList;
use crate::model::plan::{Plan, shell_word};
use crate::model::units::count;
use crate::model::{Fault, Outcome};
use crate::tune::{Context, repair, undo};

/// Commits that are searched, newest first.
const FAR: usize = 1000;

/// Refuses a plan that would rewrite files with doubled rows while these can still be taken away;
/// where they no longer can, gives what is to be said of it.
///
/// # Errors
/// `double-rewrite`; those of reading the log.
pub async fn check(open: &OpenTable, list: &FileList, plan: &Plan, ctx: &Context) -> Outcome<Option<String>> {
    let (found, files) = double_rewrites(open, FAR, &ctx.watch()).await?;
    let inputs = plan.groups.iter().flat_map(|g| &g.inputs);
    let affected = inputs.filter(|i| files.contains(list.get(**i as usize).path)).count() as u64;
    let Some(last) = found.last().filter(|_| affected > 0) else { return Ok(None) };
    let (first, second) = (last.first_version, last.second_version);
    let place = shell_word(&ctx.place.display);
    let way_out = if repair::plan(ctx).await.is_ok_and(|(view, _)| !view.empty) {
        format!("`deltop repair {place}` first")
    } else if undo::plan(Some(second), ctx).await.is_ok() {
        format!(
            "`deltop undo {place} --to-before {second}` first, which takes back all rewrites from there on"
        )
    } else {
        return Ok(Some(format!(
            "Versions {first} and {second} both rewrote the same files, which can no longer be taken apart: the wrong rows stay"
        )));
    };
    ctx.check()?;
    Err(Fault::refused("double-rewrite", "Files with doubled rows must not be rewritten")
        .because(format!(
            "versions {first} and {second} both removed the same files; {} of the files in this plan hold what came of that",
            count(affected)
        ))
        .hint(format!("{way_out}; afterwards the rows could not be told apart any more. Or leave those partitions out with --where")))
}
