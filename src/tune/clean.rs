//! Staged files that a crashed change has left behind: listed, and removed where the log proves that
//! no version refers to them and their owner is gone (safety contract, point 7).

use object_store::{Error as StoreError, ObjectStoreExt};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::Context;
use super::journal::{Left, of_table, table_key};
use crate::lake::footer::Locator;
use crate::lake::log::key::{comparable, comparable_decoded};
use crate::lake::log::{OpenTable, commit_name, parse_lines, store};
use crate::model::Outcome;
use crate::model::table::AsOf;

/// What is to be done with a staged file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// No version refers to it, and its owner is gone.
    Remove,
    /// A version refers to it: it is part of the table's history.
    Committed,
    /// The change that staged it still runs, or nobody can tell.
    InUse,
    /// Commits that could refer to it are not in the log any more, or the table is another one.
    InDoubt,
}

/// A staged file that is still there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedFile {
    /// In the table, decoded.
    pub path: String,
    pub size_in_bytes: u64,
    pub fate: Fate,
}

/// What was found: the files, and the journals that name them.
pub struct Leftovers {
    pub files: Vec<StagedFile>,
    journals: Vec<(Left, bool)>,
}

#[derive(Deserialize)]
struct Line {
    add: Option<Added>,
}

#[derive(Deserialize)]
struct Added {
    path: String,
}

/// Looks through the journals about the table. Nothing is changed.
pub async fn look(ctx: &Context) -> Outcome<Leftovers> {
    let watch = ctx.watch();
    let mut out = Leftovers { files: Vec::new(), journals: Vec::new() };
    let Some(folder) = &ctx.data_folder else { return Ok(out) };
    let left = of_table(folder, &table_key(&ctx.place));
    if left.is_empty() {
        return Ok(out);
    }
    let open = OpenTable::open(&ctx.place, AsOf::Latest, &watch).await?;
    let locator = Locator::new(&ctx.place);
    for journal in left {
        let known = if journal.in_use || journal.header.table_id != open.table.metadata.id {
            None
        } else {
            referred_since(ctx, &open, journal.header.version).await?
        };
        let mut all_settled = known.is_some();
        for path in &journal.staged {
            let (store, at) = locator.locate(path)?;
            let size = match store::cancellable(&watch, store.head(&at)).await? {
                Ok(meta) => meta.size,
                Err(StoreError::NotFound { .. }) => continue,
                Err(e) => return Err(store::fault(&at, e)),
            };
            let fate = match &known {
                _ if journal.in_use => Fate::InUse,
                None => Fate::InDoubt,
                Some(known) if known.contains(&comparable_decoded(path)) => Fate::Committed,
                Some(_) => Fate::Remove,
            };
            all_settled &= matches!(fate, Fate::Remove | Fate::Committed);
            out.files.push(StagedFile { path: path.clone(), size_in_bytes: size, fate });
        }
        out.journals.push((journal, all_settled));
    }
    Ok(out)
}

/// Removes what may go; gives the files removed.
///
/// # Errors
/// `read-only` unless writes are permitted; those of the store.
pub async fn remove(leftovers: Leftovers, ctx: &Context) -> Outcome<Vec<StagedFile>> {
    ctx.may_write()?;
    let locator = Locator::new(&ctx.place);
    let mut removed = Vec::new();
    for file in leftovers.files.into_iter().filter(|f| f.fate == Fate::Remove) {
        ctx.check()?;
        let (store, at) = locator.locate(&file.path)?;
        match store.delete(&at).await {
            Ok(()) | Err(StoreError::NotFound { .. }) => removed.push(file),
            Err(e) => return Err(store::fault(&at, e)),
        }
    }
    for (journal, settled) in leftovers.journals {
        if settled {
            journal.close();
        }
    }
    Ok(removed)
}

/// Paths that commits after the version added; none if one of these commits is not there.
async fn referred_since(ctx: &Context, open: &OpenTable, version: u64) -> Outcome<Option<FxHashSet<String>>> {
    let mut out = FxHashSet::default();
    for version in version + 1..=open.table.version {
        let path = ctx.place.root.clone().join("_delta_log").join(commit_name(version));
        let read = async { ctx.place.store.get(&path).await?.bytes().await };
        let bytes = match store::cancellable(&ctx.watch(), read).await? {
            Ok(bytes) => bytes,
            Err(StoreError::NotFound { .. }) => return Ok(None),
            Err(e) => return Err(store::fault(&path, e)),
        };
        let (lines, bad) = parse_lines::<Line>(&bytes, &["{\"commitInfo\"", "{\"remove\""]);
        if bad.is_some() {
            return Ok(None);
        }
        out.extend(lines.into_iter().filter_map(|l| l.add).map(|a| comparable(&a.path)));
    }
    Ok(Some(out))
}
