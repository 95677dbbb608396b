//! A table of a session: its names, and what was read of it once it was asked for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures::FutureExt;

use super::fold::fold;
use super::folded::Folded;
use super::load;
use crate::lake::log::OpenTable;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::table::AsOf;

/// A table by its names; read when a statement first names it.
pub(super) struct Entry {
    /// The folder between the lakehouse and the table, such as `dbo`.
    pub(super) schema: Option<String>,
    /// Names to find it by; the first is the one that is shown.
    pub(super) names: Vec<String>,
    pub(super) place: Place,
    opened: OnceLock<OpenTable>,
    loaded: OnceLock<Arc<Folded>>,
    /// The same by a mended log, once the first has failed in a query.
    mended: OnceLock<Arc<Folded>>,
    failed: AtomicBool,
}

/// By name alone: a place can hold credentials.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.full_name())
    }
}

impl Entry {
    pub(super) fn new(schema: Option<String>, names: Vec<String>, place: Place) -> Self {
        Entry {
            schema,
            names,
            place,
            opened: OnceLock::new(),
            loaded: OnceLock::new(),
            mended: OnceLock::new(),
            failed: AtomicBool::new(false),
        }
    }

    /// Its version, protocol and metadata; read on first use.
    ///
    /// Two statements at once may both read it; the first to end stays.
    pub(super) async fn open(&self, as_of: AsOf) -> Outcome<&OpenTable> {
        if let Some(open) = self.opened.get() {
            return Ok(open);
        }
        let open = OpenTable::open(&self.place, as_of, &Watch::default()).boxed().await?;
        Ok(self.opened.get_or_init(|| open))
    }

    pub(super) async fn load(&self, as_of: AsOf) -> Outcome<Arc<Folded>> {
        let open = self.open(as_of).await?;
        let failed = self.failed.load(Ordering::Relaxed);
        let cell = if failed { &self.mended } else { &self.loaded };
        if let Some(table) = cell.get() {
            return Ok(Arc::clone(table));
        }
        let provider = if failed { load::mended(open).await? } else { load::provider(open).await? };
        Ok(Arc::clone(cell.get_or_init(|| Arc::new(Folded::new(provider)))))
    }

    pub(super) fn answers_to(&self, folded: &str) -> bool {
        self.names.iter().any(|name| fold(name) == folded)
    }

    pub(super) fn in_schema(&self, folded: &str) -> bool {
        self.schema.as_ref().is_some_and(|s| fold(s) == folded)
    }

    /// The table under folded names, if it was read.
    pub(super) fn loaded(&self) -> Option<&Arc<Folded>> {
        self.loaded.get()
    }

    /// Has it read by a mended log from now on; false if it is already, or was not read.
    pub(super) fn mend(&self) -> bool {
        self.loaded.get().is_some() && !self.failed.swap(true, Ordering::Relaxed)
    }

    /// `dbo.sales`
    pub(super) fn full_name(&self) -> String {
        let name = self.names.first().map_or("", String::as_str);
        self.schema.as_ref().map_or_else(|| name.to_owned(), |s| format!("{s}.{name}"))
    }
}
