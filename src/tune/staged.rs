//! Files that are written but not committed yet: noted in the journal before they are begun, and
//! removed if they are not to stay.

use std::sync::{Mutex, PoisonError};

use futures::StreamExt;
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt};

use super::Context;
use super::journal::{Header, Journal, table_key};
use crate::lake::footer::Locator;
use crate::lake::log::OpenTable;
use crate::model::{Fault, FaultKind, Outcome};

/// Deletes under way at once.
const AT_ONCE: usize = 16;

/// The staged files of one change.
pub struct Staged {
    ctx: Context,
    journal: Mutex<Option<Journal>>,
    /// Not committed yet: paths in the table, decoded.
    open: Mutex<Vec<String>>,
}

impl Staged {
    /// Fault `no-journal` if the journal cannot be written: nothing is staged without one.
    pub fn start(ctx: &Context, table: &OpenTable, task: &str) -> Outcome<Staged> {
        let header = Header {
            table: table_key(&ctx.place),
            table_id: table.table.metadata.id.clone(),
            version: table.table.version,
            task: task.to_owned(),
        };
        let journal = ctx.data_folder.as_deref().map(|folder| Journal::start(folder, &header)).transpose();
        let journal = journal.map_err(|e| no_journal(&e))?;
        Ok(Staged { ctx: ctx.clone(), journal: Mutex::new(journal), open: Mutex::default() })
    }

    /// Notes files that are about to be written; gives their places in the store.
    pub fn begin(&self, paths: &[String]) -> Outcome<Vec<Path>> {
        let locator = Locator::new(&self.ctx.place);
        let places = paths.iter().map(|p| locator.locate(p).map(|(_, at)| at));
        let places: Vec<Path> = places.collect::<Outcome<_>>()?;
        if let Some(journal) = &mut *lock(&self.journal) {
            journal.stage(paths).map_err(|e| no_journal(&e))?;
        }
        lock(&self.open).extend_from_slice(paths);
        Ok(places)
    }

    /// All files so far are committed.
    pub fn committed(&self) {
        lock(&self.open).clear();
    }

    /// Removes the files that are not committed; gives those that could not be removed.
    pub async fn discard(&self) -> Vec<String> {
        let open = std::mem::take(&mut *lock(&self.open));
        let locator = Locator::new(&self.ctx.place);
        let removals = futures::stream::iter(open).map(|path| {
            let found = locator.locate(&path);
            async move {
                let gone = match found {
                    Ok((store, at)) => match store.delete(&at).await {
                        Ok(()) | Err(StoreError::NotFound { .. }) => true,
                        // Where nothing can be deleted, it may be that nothing was written either.
                        Err(_) => matches!(store.head(&at).await, Err(StoreError::NotFound { .. })),
                    },
                    Err(_) => false,
                };
                (!gone).then_some(path)
            }
        });
        let left: Vec<String> =
            removals.buffer_unordered(AT_ONCE).filter_map(|p| async { p }).collect().await;
        lock(&self.open).extend(left.iter().cloned());
        left
    }

    /// Ends the journal, unless files are left that nobody knows the fate of.
    pub fn end(&self) {
        if lock(&self.open).is_empty()
            && let Some(journal) = lock(&self.journal).take()
        {
            journal.close();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_journal(error: &std::io::Error) -> Fault {
    Fault::new(FaultKind::Change, "no-journal", "The journal of staged files cannot be written")
        .because(error)
        .hint("Check deltop's data folder (XDG_DATA_HOME), its rights and its space")
}
