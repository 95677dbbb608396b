//! Undo: a commit that adds the inputs of rewrites again and removes their outputs, so that
//! whatever others committed since stays (safety contract, point 10).

use std::time::Instant;

use futures::{StreamExt, TryStreamExt};
use object_store::{Error as StoreError, ObjectStoreExt};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::commit::{self, Guards, Proposal};
use super::{Context, Planned};
use crate::lake::footer::Locator;
use crate::lake::log::key::{comparable, comparable_decoded, decode_path};
use crate::lake::log::{OpenTable, Want, commit_name, parse_lines, store};
use crate::lake::watch::Watch;
use crate::model::change::{Change, Done, Phase, PlanView, Report, TaskProgress, UndoReport};
use crate::model::double_rewrite::Told;
use crate::model::gate::{self, Action};
use crate::model::plan::shell_word;
use crate::model::table::AsOf;
use crate::model::units::count;
use crate::model::{Fault, Outcome};

/// Commits looked through for the last rewrite.
const FAR: u64 = 1000;
/// Requests under way at once.
const AT_ONCE: usize = 16;

/// What an undo runs by.
pub struct Exact {
    proposal: Proposal,
    version: u64,
    restored: (u64, u64),
    removed: (u64, u64),
}

/// A commit.
struct Commit {
    version: u64,
    told: Told,
    /// Comparable paths.
    removed: Vec<String>,
    added: Vec<String>,
    rewrite: Option<Rewritten>,
}

/// A commit that only rewrote: file actions without a change of data.
struct Rewritten {
    version: u64,
    /// The change that it belongs to, if deltop made it.
    task: Option<String>,
    adds: Vec<Map<String, Value>>,
    removes: Vec<Map<String, Value>>,
}

/// Finds the rewrites and works out the inverse commit.
///
/// # Errors
/// `nothing-to-undo`; `cannot-undo` with the reason: an output was changed since, an input is gone.
pub async fn plan(to_before: Option<u64>, ctx: &Context) -> Outcome<Planned> {
    let watch = ctx.watch();
    let open = OpenTable::open(&ctx.place, AsOf::Latest, &watch).await?;
    gate::check(Action::Undo, &open.table)?;
    let (chosen, since) = choose(&open, to_before, ctx).await?;
    let versions: Vec<u64> = chosen.iter().map(|r| r.version).collect();
    let again = removed_again(&chosen, &since, ctx).await?;
    let (restored, taken) = net(&chosen, &again);
    check_outputs(&open, &taken, &watch).await?;
    let times = check_inputs(ctx, &restored, &watch).await?;
    let size = |of: &Map<String, Value>| of.get("size").and_then(Value::as_u64).unwrap_or(0);
    let sums = |files: &[Map<String, Value>]| (files.len() as u64, files.iter().map(size).sum::<u64>());
    let now = ctx.now();
    let mut proposal = Proposal::on(&open, "OPTIMIZE");
    let touched = taken.iter().chain(&restored).filter_map(|f| f.get("path").and_then(Value::as_str));
    proposal.guards = Guards::of(touched);
    proposal.parameters.insert("undo".into(), json!(versions).to_string().into());
    for (name, n) in [
        ("numRemovedFiles", sums(&taken).0),
        ("numRemovedBytes", sums(&taken).1),
        ("numAddedFiles", sums(&restored).0),
        ("numAddedBytes", sums(&restored).1),
    ] {
        proposal.metrics.insert(name.into(), n.to_string().into());
    }
    proposal.task.insert("undone".into(), json!(versions));
    proposal.actions = taken.iter().map(|file| remove(file, now)).collect();
    proposal.actions.extend(restored.iter().zip(times).map(|(file, time)| add(file, time)));
    let (restored, removed) = (sums(&restored), sums(&taken));
    let target = to_before.map_or(String::new(), |v| format!(" --to-before {v}"));
    let report = UndoReport {
        operation: "undo",
        table: open.table.name.clone(),
        version: open.table.version,
        versions,
        num_files_restored: restored.0,
        bytes_restored: restored.1,
        num_files_removed: removed.0,
        bytes_removed: removed.1,
        risks: risks(&again),
        command: format!("deltop undo {}{target}", shell_word(&ctx.place.display)),
    };
    let view = PlanView {
        change: Change::Undo { to_before },
        report: Report::Undo(report),
        before: None,
        after: None,
        empty: false,
        destructive: false,
    };
    let exact = Exact { proposal, version: open.table.version, restored, removed };
    Ok(Planned::new(view, super::Exact::Undo(Box::new(exact))))
}

pub async fn run(exact: Exact, ctx: &Context) -> Outcome<Done> {
    let started = Instant::now();
    (ctx.progress)(TaskProgress { phase: Phase::Committing, ..TaskProgress::default() });
    let committed = commit::commit(ctx, exact.proposal).await?;
    Ok(Done {
        new_version: Some(committed.version),
        num_files_added: exact.restored.0,
        num_files_removed: exact.removed.0,
        bytes_added: exact.restored.1,
        bytes_removed: exact.removed.1,
        rows_verified: None,
        seconds: started.elapsed().as_secs_f64(),
        notes: super::detect::double_rewrites(ctx, exact.version).await,
    })
}

/// The rewrites to take back, oldest first: with a version all from there on, else the last one
/// with all its batches. What was taken back already does not count. Second, all commits from the
/// oldest of them on, in order.
async fn choose(
    open: &OpenTable,
    to_before: Option<u64>,
    ctx: &Context,
) -> Outcome<(Vec<Rewritten>, Vec<Commit>)> {
    let newest = open.table.version;
    let oldest = to_before.unwrap_or(newest.saturating_sub(FAR));
    let mut undone: Vec<u64> = Vec::new();
    let mut taken_back: Vec<u64> = Vec::new();
    let mut chosen: Vec<Rewritten> = Vec::new();
    let mut seen: Vec<Commit> = Vec::new();
    let versions = (oldest..=newest).rev();
    let reads = futures::stream::iter(versions).map(|version| read(ctx, version));
    let mut reads = std::pin::pin!(reads.buffered(AT_ONCE));
    while let Some(commit) = reads.next().await {
        let Some(mut commit) = commit? else { continue };
        undone.extend(&commit.told.undone);
        let is_undo = !commit.told.undone.is_empty();
        let rewrite = commit.rewrite.take();
        seen.push(commit);
        let Some(rewrite) = rewrite.filter(|r| !is_undo && !r.removes.is_empty()) else { continue };
        if undone.contains(&rewrite.version) {
            taken_back.push(rewrite.version);
            continue;
        }
        if to_before.is_none()
            && let Some(last) = chosen.first()
        {
            // The first one found is the last one made; its other batches belong to it.
            if last.task.is_none() {
                break;
            }
            if rewrite.task != last.task {
                continue;
            }
        }
        chosen.push(rewrite);
    }
    let Some(first) = chosen.last().map(|c| c.version) else {
        let why = match to_before {
            _ if !taken_back.is_empty() => already(&taken_back),
            Some(version) => format!("no commit from version {version} on only rewrote files"),
            None => format!("none of the last {} commits only rewrote files", count(FAR)),
        };
        return Err(Fault::refused("nothing-to-undo", "There is no rewrite to take back")
            .because(why)
            .hint("`deltop history` lists the versions; to go back to one, with all that came since lost, is RESTORE, which other engines have"));
    };
    chosen.reverse();
    seen.retain(|c| c.version >= first);
    seen.reverse();
    Ok((chosen, seen))
}

/// Newest first.
fn already(versions: &[u64]) -> String {
    match versions {
        [only] => format!("the only rewrite, version {only}, was taken back already"),
        [newest, .., oldest] => format!(
            "all {} rewrites, versions {oldest} to {newest}, were taken back already",
            count(versions.len() as u64)
        ),
        [] => String::new(),
    }
}

/// A commit; none if it was cleaned up, or cannot be read: what it did cannot be told.
async fn read(ctx: &Context, version: u64) -> Outcome<Option<Commit>> {
    let path = ctx.place.root.clone().join("_delta_log").join(commit_name(version));
    let get = async { ctx.place.store.get(&path).await?.bytes().await };
    let bytes = match store::cancellable(&ctx.watch(), get).await? {
        Ok(bytes) => bytes,
        Err(StoreError::NotFound { .. }) => return Ok(None),
        Err(e) => return Err(store::fault(&path, e)),
    };
    let (lines, bad) = parse_lines::<Map<String, Value>>(&bytes, &[]);
    if bad.is_some() {
        return Ok(None);
    }
    let mut out =
        Commit { version, told: Told::default(), removed: Vec::new(), added: Vec::new(), rewrite: None };
    let mut rewrite = Rewritten { version, task: None, adds: Vec::new(), removes: Vec::new() };
    let mut only_rewrites = false;
    let mut others = false;
    for mut line in lines {
        if let Some(info) = line.get("commitInfo") {
            let operation = info.get("operation").and_then(Value::as_str);
            let parameters = info.get("operationParameters").and_then(Value::as_object);
            only_rewrites = operation == Some("OPTIMIZE");
            out.told = Told::of(version, operation, parameters);
            let task = info.get("deltop").and_then(|d| d.get("task"));
            rewrite.task = task.and_then(Value::as_str).map(str::to_owned);
            continue;
        }
        let (file, is_add) = match (line.remove("add"), line.remove("remove")) {
            (Some(Value::Object(add)), None) => (add, true),
            (None, Some(Value::Object(remove))) => (remove, false),
            (None, None) if line.contains_key("txn") => continue,
            _ => {
                others = true;
                continue;
            }
        };
        others |= file.get("dataChange").and_then(Value::as_bool) != Some(false);
        let path = identity(&file).0;
        if is_add {
            out.added.push(path)
        } else {
            out.removed.push(path)
        }
        if is_add { rewrite.adds.push(file) } else { rewrite.removes.push(file) }
    }
    out.rewrite = (only_rewrites && !others).then_some(rewrite);
    Ok(Some(out))
}

/// By version and comparable path: files that a chosen rewrite removed though another commit had
/// done so before. Their rows are where that one has put them, so that they must not come back.
type Again = FxHashSet<(u64, String)>;

/// Replays the commits from the oldest rewrite on, as far as the files go that these read.
///
/// # Errors
/// `cannot-undo` where another commit has removed such a file once more: what it made of the rows
/// would stand beside them. Or where a repair was built on what a chosen one wrote.
async fn removed_again(chosen: &[Rewritten], since: &[Commit], ctx: &Context) -> Outcome<Again> {
    let read: FxHashSet<String> =
        chosen.iter().flat_map(|c| &c.removes).map(|file| identity(file).0).collect();
    let settled: FxHashSet<u64> = since.iter().flat_map(|c| &c.told.undone).copied().collect();
    let repaired: FxHashSet<u64> = since.iter().flat_map(|c| &c.told.repaired).copied().collect();
    let is_chosen = |version| chosen.iter().any(|c| c.version == version);
    let mut there = there_before(since, &read, ctx).await?;
    let mut again = Again::default();
    for commit in since {
        let version = commit.version;
        for path in commit.removed.iter().filter(|path| read.contains(*path)) {
            if there.remove(path) || settled.contains(&version) {
                continue;
            }
            if is_chosen(version) && !repaired.contains(&version) {
                again.insert((version, path.clone()));
            } else if is_chosen(version) {
                return Err(cannot(format!("a repair has settled what version {version} did twice")));
            } else if !repaired.contains(&version) {
                return Err(cannot(format!(
                    "version {version} removed {path} once more, so that its rows are not only in what the rewrite wrote"
                )));
            }
        }
        there.extend(commit.added.iter().filter(|path| read.contains(*path)).cloned());
    }
    Ok(again)
}

/// Which of the files were in the table before the first of the commits. Where that version can no
/// longer be read, nothing is known against any of them.
async fn there_before(
    since: &[Commit],
    read: &FxHashSet<String>,
    ctx: &Context,
) -> Outcome<FxHashSet<String>> {
    let Some(before) = since.first().and_then(|c| c.version.checked_sub(1)) else {
        return Ok(FxHashSet::default());
    };
    let watch = ctx.watch();
    let list = match OpenTable::open(&ctx.place, AsOf::Version(before), &watch).await {
        Ok(open) => open.files(Want::default(), &watch).await.map(|files| files.list),
        Err(fault) => Err(fault),
    };
    ctx.check()?;
    let Ok(list) = list else { return Ok(read.clone()) };
    Ok(list.iter().map(|f| comparable_decoded(f.path)).filter(|path| read.contains(path)).collect())
}

fn risks(again: &Again) -> Vec<String> {
    let files = again.iter().map(|(_, path)| path).collect::<FxHashSet<_>>().len() as u64;
    let note = format!(
        "{} files stay away, as another commit had removed them before: their rows are in the table without them",
        count(files)
    );
    (files > 0).then_some(note).into_iter().collect()
}

/// A file's identity: its path and its deletion vector.
fn identity(file: &Map<String, Value>) -> (String, String) {
    let path = comparable(file.get("path").and_then(Value::as_str).unwrap_or_default());
    (path, file.get("deletionVector").filter(|v| !v.is_null()).map_or(String::new(), vector_id))
}

fn vector_id(vector: &Value) -> String {
    let text = |key: &str| vector.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let offset = vector.get("offset").and_then(Value::as_i64);
    let id = format!("{}{}", text("storageType"), text("pathOrInlineDv"));
    offset.map_or(id.clone(), |offset| format!("{id}@{offset}"))
}

type Files = Vec<Map<String, Value>>;

/// Files that all of them together removed (to be added again), and added (to be removed).
fn net(chosen: &[Rewritten], again: &Again) -> (Files, Files) {
    let mut removed: FxHashMap<(String, String), Map<String, Value>> = FxHashMap::default();
    let mut added: FxHashMap<(String, String), Map<String, Value>> = FxHashMap::default();
    for commit in chosen {
        for file in &commit.removes {
            let id = identity(file);
            let is_again = !again.is_empty() && again.contains(&(commit.version, id.0.clone()));
            if added.remove(&id).is_none() && !is_again {
                removed.insert(id, file.clone());
            }
        }
        for file in &commit.adds {
            if removed.remove(&identity(file)).is_none() {
                added.insert(identity(file), file.clone());
            }
        }
    }
    let sorted = |files: FxHashMap<(String, String), Map<String, Value>>| {
        let mut files: Vec<_> = files.into_iter().collect();
        files.sort_by(|a, b| a.0.cmp(&b.0));
        files.into_iter().map(|(_, file)| file).collect()
    };
    (sorted(removed), sorted(added))
}

/// Each output must be in the table as the rewrite left it.
async fn check_outputs(open: &OpenTable, outputs: &Files, watch: &Watch) -> Outcome<()> {
    let list = open.files(Want::default(), watch).await?.list;
    let active: FxHashMap<String, String> = list
        .iter()
        .map(|f| {
            let vector = f.deletion_vector.map_or(String::new(), |v| v.unique_id());
            (comparable_decoded(f.path), vector)
        })
        .collect();
    let mut changed = 0u64;
    let mut example = None;
    for file in outputs {
        let (path, vector) = identity(file);
        if active.get(&path) != Some(&vector) {
            changed += 1;
            example = example.or(Some(path));
        }
    }
    match example {
        None => Ok(()),
        Some(path) => Err(cannot(format!(
            "{} of the {} files that it wrote were changed or removed since, such as {path}",
            count(changed),
            count(outputs.len() as u64)
        ))),
    }
}

/// Each input must still be there; gives the files' times.
async fn check_inputs(ctx: &Context, inputs: &Files, watch: &Watch) -> Outcome<Vec<i64>> {
    let locator = Locator::new(&ctx.place);
    let heads = inputs.iter().map(|file| {
        let path = file.get("path").and_then(Value::as_str).unwrap_or_default();
        let path = decode_path(path).into_owned();
        let stated = file.get("size").and_then(Value::as_u64);
        let found = locator.locate(&path);
        async move {
            let (store, at) = found?;
            match store.head(&at).await {
                Ok(head) if stated.is_none_or(|size| size == head.size) => {
                    Ok(head.last_modified.timestamp_millis())
                }
                Ok(head) => Err(cannot(format!("{path} is of another size now ({} bytes)", head.size))),
                Err(StoreError::NotFound { .. }) => {
                    Err(cannot(format!("{path}, which it read, is gone: a vacuum has deleted it")))
                }
                Err(e) => Err(store_fault(&at, e)),
            }
        }
    });
    let heads: Vec<_> = heads.collect();
    let heads = futures::stream::iter(heads).buffered(AT_ONCE).try_collect();
    let times: Vec<i64> = store::cancellable(watch, heads).await??;
    let stated = inputs.iter().map(|f| f.get("size").and_then(Value::as_u64).is_some());
    if stated.clone().any(|s| !s) || inputs.iter().any(|f| !f.contains_key("partitionValues")) {
        return Err(cannot(
            "the log does not state the sizes and partition values of the files that it read".into(),
        ));
    }
    Ok(times)
}

fn store_fault(at: &object_store::path::Path, error: StoreError) -> Fault {
    store::fault(at, error)
}

fn cannot(why: String) -> Fault {
    Fault::refused("cannot-undo", "The rewrite cannot be taken back")
        .because(why)
        .hint("Nothing was changed. RESTORE can go back to a version whose files are all there, and drops what was committed since")
}

fn remove(file: &Map<String, Value>, now: i64) -> String {
    let mut out = Map::new();
    for key in ["path", "partitionValues", "size", "stats", "tags", "deletionVector"] {
        if let Some(value) = file.get(key).filter(|v| !v.is_null()) {
            out.insert(key.into(), value.clone());
        }
    }
    out.insert("deletionTimestamp".into(), now.into());
    out.insert("dataChange".into(), false.into());
    out.insert("extendedFileMetadata".into(), true.into());
    json!({ "remove": out }).to_string()
}

fn add(file: &Map<String, Value>, time: i64) -> String {
    let mut out = Map::new();
    for key in ["path", "partitionValues", "size", "stats", "tags", "deletionVector"] {
        if let Some(value) = file.get(key).filter(|v| !v.is_null()) {
            out.insert(key.into(), value.clone());
        }
    }
    out.insert("modificationTime".into(), time.into());
    out.insert("dataChange".into(), false.into());
    json!({ "add": out }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(version: u64, adds: &[&str], removes: &[&str]) -> Rewritten {
        let files = |paths: &[&str]| {
            paths.iter().map(|p| json!({ "path": p }).as_object().cloned().unwrap_or_default()).collect()
        };
        Rewritten { version, task: None, adds: files(adds), removes: files(removes) }
    }

    #[test]
    fn what_came_in_between_cancels_out() {
        let (back, gone) =
            net(&[commit(1, &["ab"], &["a", "b"]), commit(2, &["abc"], &["ab", "c"])], &Again::default());
        let paths = |files: &Files| files.iter().map(|f| identity(f).0).collect::<Vec<_>>();
        assert_eq!(paths(&back), ["a", "b", "c"]);
        assert_eq!(paths(&gone), ["abc"]);
    }

    #[test]
    fn what_was_removed_before_stays_away() {
        let second = commit(2, &["bc"], &["b", "c"]);
        let again: Again = [(2, "b".to_owned())].into_iter().collect();
        let (back, gone) = net(std::slice::from_ref(&second), &again);
        let paths = |files: &Files| files.iter().map(|f| identity(f).0).collect::<Vec<_>>();
        assert_eq!((paths(&back), paths(&gone)), (vec!["c".into()], vec!["bc".to_owned()]));
        // With the first taken back as well, all of them come again.
        let (back, _) = net(&[commit(1, &["ab"], &["a", "b"]), second], &again);
        assert_eq!(paths(&back), ["a", "b", "c"]);
    }
}
