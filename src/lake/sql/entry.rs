//! A table of a session: its names, and what was read of it once it was asked for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures::FutureExt;

use super::engine::Shared;
use super::file_format::{FileKind, FileOptions};
use super::fold::fold;
use super::folded::Folded;
use super::{file_table, load};
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
    as_of: AsOf,
    /// Files without a log, and what they are; none for a Delta table.
    files: Option<(FileKind, FileOptions)>,
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
    pub(super) fn new(schema: Option<String>, names: Vec<String>, place: Place, as_of: AsOf) -> Self {
        Entry {
            schema,
            names,
            place,
            as_of,
            files: None,
            opened: OnceLock::new(),
            loaded: OnceLock::new(),
            mended: OnceLock::new(),
            failed: AtomicBool::new(false),
        }
    }

    /// Files without a log.
    pub(super) fn files(name: String, place: Place, kind: FileKind, options: FileOptions) -> Self {
        Entry { files: Some((kind, options)), ..Entry::new(None, vec![name], place, AsOf::Latest) }
    }

    /// Its version, protocol and metadata; read on first use.
    ///
    /// Two statements at once may both read it; the first to end stays.
    pub(super) async fn open(&self) -> Outcome<&OpenTable> {
        if let Some(open) = self.opened.get() {
            return Ok(open);
        }
        let open = OpenTable::open(&self.place, self.as_of, &Watch::default()).boxed().await?;
        Ok(self.opened.get_or_init(|| open))
    }

    pub(super) async fn load(&self, shared: &Shared) -> Outcome<Arc<Folded>> {
        let failed = self.failed.load(Ordering::Relaxed);
        let cell = if failed { &self.mended } else { &self.loaded };
        if let Some(table) = cell.get() {
            return Ok(Arc::clone(table));
        }
        let provider = match &self.files {
            Some((kind, options)) => {
                file_table::provider(&self.place, *kind, options, shared).boxed().await?
            }
            None if failed => load::mended(self.open().await?).await?,
            None => load::provider(self.open().await?).await?,
        };
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

    pub(super) fn has_number(&self, number: u64) -> bool {
        let read = [&self.loaded, &self.mended];
        read.iter().filter_map(|cell| cell.get()).any(|table| table.number() == number)
    }

    /// Whether the table of this number was given to the engine by a mended log.
    pub(super) fn is_mended(&self, number: u64) -> bool {
        self.mended.get().is_some_and(|table| table.number() == number)
    }

    /// Has it read by a mended log from now on; false if it is already, was not read, or has none.
    pub(super) fn mend(&self) -> bool {
        self.files.is_none() && self.loaded.get().is_some() && !self.failed.swap(true, Ordering::Relaxed)
    }

    /// The same table at another version.
    pub(super) fn at(&self, name: String, as_of: AsOf) -> Entry {
        Entry::new(self.schema.clone(), vec![name], self.place.clone(), as_of)
    }

    /// Whether there is a log.
    pub(super) fn is_delta(&self) -> bool {
        self.files.is_none()
    }

    /// `dbo.sales`
    pub(super) fn full_name(&self) -> String {
        let name = self.names.first().map_or("", String::as_str);
        self.schema.as_ref().map_or_else(|| name.to_owned(), |s| format!("{s}.{name}"))
    }
}
