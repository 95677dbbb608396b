//! Deleting: many at once, looked at again before each batch.

use futures::StreamExt;
use object_store::Error as StoreError;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use rustc_hash::FxHashSet;

use super::Exact;
use super::gather::Known;
use crate::lake::log::{commit_name, store};
use crate::lake::place::below;
use crate::model::Outcome;
use crate::model::change::{Phase, TaskProgress};
use crate::model::plan::vacuum::Doomed;
use crate::tune::Context;

/// Files of a batch: what an object store takes in one request.
const BATCH: usize = 1000;

/// What became of the files.
#[derive(Debug, Default)]
pub struct Deleted {
    pub files: u64,
    pub bytes: u64,
    /// Needed again, or removed again, since the plan was made.
    pub spared: u64,
    /// Files that could not be deleted, and why the first could not.
    pub failed: u64,
    pub why: String,
}

/// Deletes what the plan names, as far as the newest version still agrees; counts in `done`.
///
/// # Errors
/// Those of reading the log again; `cancelled`. What was deleted until then stays so.
pub async fn all(exact: &Exact, done: &mut Deleted, ctx: &Context) -> Outcome<()> {
    let mut agreed: Option<Agreed> = None;
    for batch in exact.plan.files.chunks(BATCH) {
        ctx.check()?;
        let stands = match agreed.take() {
            Some(old) if !has_moved_on(old.version, ctx).await? => old,
            _ => Agreed::with(exact, ctx).await?,
        };
        let (go, spare): (Vec<&Doomed>, Vec<&Doomed>) =
            batch.iter().partition(|file| stands.paths.contains(&file.path));
        done.spared += spare.len() as u64;
        agreed = Some(stands);
        some(&go, exact, done, ctx).await?;
    }
    Ok(())
}

/// What may go by a version of the table.
struct Agreed {
    version: u64,
    paths: FxHashSet<String>,
}

impl Agreed {
    async fn with(exact: &Exact, ctx: &Context) -> Outcome<Agreed> {
        let known = Known::newest(ctx).await?;
        // The clocks were compared before.
        let then = exact.planned_at;
        let plan = known.judge(&exact.ask, &exact.listing, then, Some(then))?;
        let paths = plan.files.into_iter().map(|file| file.path).collect();
        Ok(Agreed { version: known.table.table.version, paths })
    }
}

async fn has_moved_on(version: u64, ctx: &Context) -> Outcome<bool> {
    let next = ctx.place.root.clone().join("_delta_log").join(commit_name(version + 1));
    match store::cancellable(&ctx.watch(), ctx.place.store.head(&next)).await? {
        Ok(_) => Ok(true),
        Err(StoreError::NotFound { .. }) => Ok(false),
        Err(e) => Err(store::fault(&next, e)),
    }
}

async fn some(files: &[&Doomed], exact: &Exact, done: &mut Deleted, ctx: &Context) -> Outcome<()> {
    let at = |file: &&Doomed| below(&ctx.place.root, &file.path);
    let sizes: rustc_hash::FxHashMap<Path, u64> =
        files.iter().map(|f| (at(f), f.bytes.unwrap_or(0))).collect();
    let paths: Vec<Result<Path, StoreError>> = files.iter().map(|f| Ok(at(f))).collect();
    let mut deleting = ctx.place.store.delete_stream(futures::stream::iter(paths).boxed());
    while let Some(one) = store::cancellable(&ctx.watch(), deleting.next()).await? {
        match one {
            Ok(path) => {
                done.files += 1;
                done.bytes += sizes.get(&path).copied().unwrap_or(0);
            }
            // Somebody else was first.
            Err(StoreError::NotFound { .. }) => {}
            Err(e) => {
                if done.failed == 0 {
                    done.why = store::redact(&e.to_string());
                }
                done.failed += 1;
            }
        }
        (ctx.progress)(TaskProgress {
            phase: Phase::Deleting,
            files_done: done.files,
            files_total: Some(exact.plan.files.len() as u64),
            bytes_done: done.bytes,
            bytes_total: Some(exact.plan.bytes()),
            ..TaskProgress::default()
        });
    }
    Ok(())
}
