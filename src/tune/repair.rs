//! Repairs double rewrites: a commit that removes the files with the doubled rows, and only them.

use std::collections::BTreeSet;
use std::time::Instant;

use futures::{StreamExt, TryStreamExt};
use object_store::{Error as StoreError, ObjectStoreExt};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::Context;
use super::commit::{Guards, Proposal, commit};
use crate::lake::log::key::{comparable, comparable_decoded};
use crate::lake::log::{OpenTable, Want, commit_name, num_records, parse_lines, store};
use crate::model::change::{Change, Done, Phase, PlanView, Report, TaskProgress, UndoReport};
use crate::model::double_rewrite::{self, Detector, REPAIR, StepKind, Told};
use crate::model::gate;
use crate::model::plan::repair::{Moved, Step, repair};
use crate::model::plan::shell_word;
use crate::model::table::AsOf;
use crate::model::units::count;
use crate::model::{Fault, Outcome};

/// Requests under way at once.
const AT_ONCE: usize = 16;

/// What runs.
pub struct Exact {
    proposal: Option<Proposal>,
    files: u64,
    bytes: u64,
}

/// A commit, as far as this matters.
struct Read {
    step: Step,
    /// The add actions as they stand, in the order of `step.added`.
    adds: Vec<Map<String, Value>>,
    told: Told,
}

/// Finds what was rewritten twice and works out which files hold it. Nothing is written.
///
/// # Errors
/// `cannot-repair`, with the reason; a feature that forbids it; those of reading.
pub async fn plan(ctx: &Context) -> Outcome<(PlanView, Exact)> {
    let watch = ctx.watch();
    let open = OpenTable::open(&ctx.place, AsOf::Latest, &watch).await?;
    gate::check(gate::Action::Repair, &open.table)?;
    let commits = commits(&open, ctx).await?;
    let second = doubled(&commits);
    let active: FxHashSet<(String, String)> = match second.is_empty() {
        true => FxHashSet::default(),
        false => {
            let list = open.files(Want::default(), &watch).await?.list;
            let key = |f: crate::model::files::FileRef<'_>| {
                (comparable_decoded(f.path), f.deletion_vector.map_or(String::new(), |v| v.unique_id()))
            };
            list.iter().map(key).collect()
        }
    };
    let steps: Vec<Step> = commits.iter().map(|c| c.step.clone()).collect();
    let targets = repair(&steps, &second, |f| active.contains(&(f.path.clone(), f.vector.clone())))?;
    let files: Vec<&Map<String, Value>> =
        targets.iter().filter_map(|(at, file)| commits.get(*at)?.adds.get(*file)).collect();
    let bytes = files.iter().filter_map(|f| f.get("size")?.as_u64()).sum();
    let rows = files.iter().try_fold(0, |sum: u64, f| Some(sum + moved(f)?.rows?));
    let proposal = (!files.is_empty()).then(|| proposal(&open, &second, &files, ctx.now()));
    let view = PlanView {
        change: Change::Repair,
        report: Report::Undo(UndoReport {
            operation: "repair",
            table: open.table.name.clone(),
            version: open.table.version,
            versions: second.into_iter().collect(),
            num_files_restored: 0,
            bytes_restored: 0,
            num_files_removed: files.len() as u64,
            bytes_removed: bytes,
            risks: risks(rows, files.len()),
            command: format!("deltop repair {}", shell_word(&ctx.place.display)),
        }),
        before: None,
        after: None,
        empty: files.is_empty(),
        destructive: false,
    };
    Ok((view, Exact { proposal, files: files.len() as u64, bytes }))
}

fn risks(rows: Option<u64>, files: usize) -> Vec<String> {
    match rows {
        _ if files == 0 => Vec::new(),
        Some(rows) => {
            vec![format!("the table will read {} rows less: those that are in it twice", count(rows))]
        }
        None => vec!["the table will read fewer rows: those that are in it twice are removed".into()],
    }
}

/// Commits the removal.
///
/// # Errors
/// Those of [`commit`].
pub async fn run(exact: Exact, ctx: &Context) -> Outcome<Done> {
    let begun = Instant::now();
    (ctx.progress)(TaskProgress { phase: Phase::Committing, ..TaskProgress::default() });
    let new_version = match exact.proposal {
        Some(proposal) => Some(commit(ctx, proposal).await?.version),
        None => None,
    };
    Ok(Done {
        new_version,
        num_files_added: 0,
        num_files_removed: exact.files,
        bytes_added: 0,
        bytes_removed: exact.bytes,
        rows_verified: None,
        seconds: begun.elapsed().as_secs_f64(),
        notes: Vec::new(),
    })
}

fn proposal(open: &OpenTable, second: &BTreeSet<u64>, files: &[&Map<String, Value>], now: i64) -> Proposal {
    let mut proposal = Proposal::on(open, REPAIR);
    let versions: Vec<u64> = second.iter().copied().collect();
    proposal.parameters.insert("versions".into(), json!(versions).to_string().into());
    proposal.metrics.insert("numRemovedFiles".into(), files.len().to_string().into());
    proposal.guards = Guards::of(files.iter().filter_map(|f| f.get("path")?.as_str()));
    proposal.actions = files.iter().map(|file| remove(file, now)).collect();
    proposal
}

/// Rows go, so data changes.
fn remove(file: &Map<String, Value>, now: i64) -> String {
    const KEPT: [&str; 8] = [
        "path",
        "partitionValues",
        "size",
        "stats",
        "tags",
        "deletionVector",
        "baseRowId",
        "defaultRowCommitVersion",
    ];
    let kept = KEPT.iter().filter_map(|key| Some((*key, file.get(*key).filter(|v| !v.is_null())?)));
    let mut out: Map<String, Value> = kept.map(|(key, value)| (key.to_owned(), value.clone())).collect();
    out.insert("deletionTimestamp".into(), now.into());
    out.insert("dataChange".into(), true.into());
    out.insert("extendedFileMetadata".into(), true.into());
    json!({ "remove": out }).to_string()
}

/// The commits that are left, oldest first, as far as they follow each other down from the newest.
async fn commits(open: &OpenTable, ctx: &Context) -> Outcome<Vec<Read>> {
    let newest = open.table.version;
    let oldest = open.table.log.first_commit.unwrap_or(newest);
    let reads = futures::stream::iter((oldest..=newest).rev()).map(|version| read(version, ctx));
    let mut reads = std::pin::pin!(reads.buffered(AT_ONCE));
    let mut out = Vec::new();
    while let Some(Some(commit)) = reads.try_next().await? {
        out.push(commit);
    }
    out.reverse();
    Ok(out)
}

/// None if the commit was cleaned up.
async fn read(version: u64, ctx: &Context) -> Outcome<Option<Read>> {
    let path = ctx.place.root.clone().join("_delta_log").join(commit_name(version));
    let get = async { ctx.place.store.get(&path).await?.bytes().await };
    let bytes = match store::cancellable(&ctx.watch(), get).await? {
        Ok(bytes) => bytes,
        Err(StoreError::NotFound { .. }) => return Ok(None),
        Err(e) => return Err(store::fault(&path, e)),
    };
    let (lines, bad) = parse_lines::<Map<String, Value>>(&bytes, &["{\"cdc\"", "{\"metaData\""]);
    if let Some(bad) = bad {
        return Err(Fault::read("bad-commit", format!("Version {version} cannot be read"))
            .because(format!("line {}: {}", bad.line, bad.why)));
    }
    let mut out = Read {
        step: Step { version, layout_only: true, ..Step::default() },
        adds: Vec::new(),
        told: Told::default(),
    };
    for mut line in lines {
        if let Some(info) = line.get("commitInfo") {
            let operation = info.get("operation").and_then(Value::as_str);
            let parameters = info.get("operationParameters").and_then(Value::as_object);
            out.told = Told::of(version, operation, parameters);
        }
        for (key, is_add) in [("remove", false), ("add", true)] {
            let Some(Value::Object(file)) = line.remove(key) else { continue };
            let Some(moved) = moved(&file) else { continue };
            out.step.layout_only &= file.get("dataChange").and_then(Value::as_bool) == Some(false);
            if is_add {
                out.step.added.push(moved);
                out.adds.push(file);
            } else {
                out.step.removed.push(moved);
            }
        }
    }
    Ok(Some(out))
}

/// The versions that removed files for the second time, with damage that still stands.
fn doubled(commits: &[Read]) -> BTreeSet<u64> {
    let mut detector = Detector::default();
    for commit in commits {
        let step = |kind| move |f: &'_ Moved| (f.path.clone(), kind, f.rows);
        let removed = commit.step.removed.iter().map(step(StepKind::Remove));
        let steps: Vec<_> = removed.chain(commit.step.added.iter().map(step(StepKind::Add))).collect();
        let steps =
            steps.iter().map(|(path, kind, rows)| double_rewrite::Step { path, kind: *kind, rows: *rows });
        detector.push(commit.step.version, commit.told.clone(), steps);
    }
    detector.finish().iter().map(|found| found.second_version).collect()
}

fn moved(file: &Map<String, Value>) -> Option<Moved> {
    let text = |of: &Map<String, Value>, key: &str| {
        of.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let vector = file.get("deletionVector").and_then(Value::as_object);
    let deleted = vector.and_then(|v| v.get("cardinality")?.as_u64()).unwrap_or(0);
    let rows = file.get("stats").and_then(Value::as_str).and_then(num_records);
    let id = vector.map(|v| {
        let id = text(v, "storageType") + &text(v, "pathOrInlineDv");
        v.get("offset").and_then(Value::as_i64).map_or(id.clone(), |offset| format!("{id}@{offset}"))
    });
    Some(Moved {
        path: comparable(file.get("path")?.as_str()?),
        vector: id.unwrap_or_default(),
        partition: file.get("partitionValues").and_then(Value::as_object).map(partition),
        rows: rows.map(|n| n.saturating_sub(deleted)),
    })
}

/// Values in the order of their names; an empty string is null.
fn partition(values: &Map<String, Value>) -> String {
    let mut pairs: Vec<(&String, Option<&str>)> =
        values.iter().map(|(name, v)| (name, v.as_str().filter(|v| !v.is_empty()))).collect();
    pairs.sort_unstable();
    json!(pairs).to_string()
}
