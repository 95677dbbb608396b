//! Which tables a session knows, by which names, and each table once it was asked for.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::TableType;
use futures::FutureExt;

use super::blame;
use super::engine::{CATALOG, SCHEMA};
use super::fold::{Spellings, fold};
use super::folded::Folded;
use super::load;
use crate::lake::log::OpenTable;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

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
    async fn open(&self, as_of: AsOf) -> Outcome<&OpenTable> {
        if let Some(open) = self.opened.get() {
            return Ok(open);
        }
        let open = OpenTable::open(&self.place, as_of, &Watch::default()).boxed().await?;
        Ok(self.opened.get_or_init(|| open))
    }

    async fn load(&self, as_of: AsOf) -> Outcome<Arc<Folded>> {
        let open = self.open(as_of).await?;
        let failed = self.failed.load(Ordering::Relaxed);
        let cell = if failed { &self.mended } else { &self.loaded };
        if let Some(table) = cell.get() {
            return Ok(Arc::clone(table));
        }
        let provider = if failed { load::mended(open).await? } else { load::provider(open).await? };
        Ok(Arc::clone(cell.get_or_init(|| Arc::new(Folded::new(provider)))))
    }

    fn answers_to(&self, folded: &str) -> bool {
        self.names.iter().any(|name| fold(name) == folded)
    }

    fn in_schema(&self, folded: &str) -> bool {
        self.schema.as_ref().is_some_and(|s| fold(s) == folded)
    }

    /// `dbo.sales`
    fn full_name(&self) -> String {
        let name = self.names.first().map_or("", String::as_str);
        self.schema.as_ref().map_or_else(|| name.to_owned(), |s| format!("{s}.{name}"))
    }
}

/// All tables of a session.
#[derive(Debug)]
pub(super) struct Lakehouse {
    entries: Vec<Entry>,
    as_of: AsOf,
    /// Names that were looked up and not found, newest last.
    missed: Mutex<Vec<String>>,
}

impl Lakehouse {
    pub(super) fn new(entries: Vec<Entry>, as_of: AsOf) -> Self {
        Lakehouse { entries, as_of, missed: Mutex::default() }
    }

    /// The tables of a schema; all of them if no table has such a schema.
    pub(super) fn entries(&self, schema: &str) -> impl Iterator<Item = &Entry> {
        let folded = fold(schema);
        let known = self.entries.iter().any(|e| e.in_schema(&folded));
        self.entries.iter().filter(move |e| !known || e.in_schema(&folded))
    }

    fn find(&self, schema: &str, name: &str) -> Outcome<Option<&Entry>> {
        let folded = fold(name);
        let mut found = self.entries(schema).filter(|e| e.answers_to(&folded));
        let Some(first) = found.next() else {
            self.missed.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
            return Ok(None);
        };
        let Some(second) = found.next() else { return Ok(Some(first)) };
        Err(Fault::usage("ambiguous-table", format!("More than one table is called \"{name}\""))
            .hint(format!("Write {} or {}", first.full_name(), second.full_name())))
    }

    /// Loads a table on first use.
    pub(super) async fn table(&self, schema: &str, name: &str) -> Outcome<Option<Arc<Folded>>> {
        let entry = match self.find(schema, name)? {
            Some(entry) => entry,
            None => match self.by_given_name(name).await? {
                Some(entry) => entry,
                None => return Ok(None),
            },
        };
        entry.load(self.as_of).await.map(Some)
    }

    /// A single table also has the name in its metadata, which only its log tells.
    async fn by_given_name(&self, name: &str) -> Outcome<Option<&Entry>> {
        let [entry] = &self.entries[..] else { return Ok(None) };
        let open = entry.open(self.as_of).await?;
        Ok(open.table.metadata.name.as_ref().is_some_and(|n| fold(n) == fold(name)).then_some(entry))
    }

    /// Has the tables that are in use read by a mended log from now on; false if they are already.
    pub(super) fn mend(&self) -> bool {
        let in_use = self.entries.iter().filter(|e| e.loaded.get().is_some());
        in_use.filter(|e| !e.failed.swap(true, Ordering::Relaxed)).count() > 0
    }

    /// As [`Lakehouse::table`], but a name that is not there is a fault.
    pub(super) async fn known_table(&self, schema: &str, name: &str) -> Outcome<Arc<Folded>> {
        let found = self.table(schema, name).await?;
        found.ok_or_else(|| blame::unknown_table(self, name, name, ""))
    }

    /// The spellings of the columns of all tables that were loaded.
    pub(super) fn spellings(&self) -> Spellings {
        let loaded = self.entries.iter().filter_map(|e| e.loaded.get());
        loaded.flat_map(|t| t.spellings().iter().map(|(k, v)| (k.clone(), v.clone()))).collect()
    }

    /// A folded column name in the spelling of its table.
    pub(super) fn respell(&self, folded: &str) -> String {
        let mut loaded = self.entries.iter().filter_map(|e| e.loaded.get());
        loaded.find_map(|t| t.spellings().get(folded)).map_or_else(|| folded.to_owned(), String::clone)
    }

    /// The name that was looked up last and not found.
    pub(super) fn last_missed(&self) -> Option<String> {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }

    /// All names by which tables are found.
    pub(super) fn names(&self) -> Vec<String> {
        self.entries.iter().flat_map(|e| e.names.iter().cloned()).collect()
    }

    /// The object-store paths of the tables' roots.
    pub(super) fn roots(&self) -> impl Iterator<Item = &object_store::path::Path> {
        self.entries.iter().map(|e| &e.place.root)
    }

    fn schemas(&self) -> Vec<String> {
        let mut out: Vec<String> = self.entries.iter().filter_map(|e| e.schema.clone()).collect();
        out.sort();
        out.dedup();
        if out.is_empty() {
            out.push(SCHEMA.into());
        }
        out
    }
}

/// The engine's view of a [`Lakehouse`]: any catalog and schema name leads to it.
#[derive(Debug)]
pub(super) struct Catalogs(pub(super) Arc<Lakehouse>);

impl CatalogProviderList for Catalogs {
    fn register_catalog(&self, _: String, _: Arc<dyn CatalogProvider>) -> Option<Arc<dyn CatalogProvider>> {
        None
    }

    fn catalog_names(&self) -> Vec<String> {
        vec![CATALOG.into()]
    }

    fn catalog(&self, _name: &str) -> Option<Arc<dyn CatalogProvider>> {
        Some(Arc::new(Catalog(Arc::clone(&self.0))))
    }
}

#[derive(Debug)]
struct Catalog(Arc<Lakehouse>);

impl CatalogProvider for Catalog {
    fn schema_names(&self) -> Vec<String> {
        self.0.schemas()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        Some(Arc::new(SchemaTables { lakehouse: Arc::clone(&self.0), schema: name.to_owned() }))
    }
}

#[derive(Debug)]
struct SchemaTables {
    lakehouse: Arc<Lakehouse>,
    schema: String,
}

#[async_trait]
impl SchemaProvider for SchemaTables {
    fn table_names(&self) -> Vec<String> {
        self.lakehouse.entries(&self.schema).filter_map(|e| e.names.first().cloned()).collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let found = self.lakehouse.table(&self.schema, name).await;
        let found = found.map_err(|fault| DataFusionError::External(Box::new(fault)))?;
        Ok(found.map(|t| t as Arc<dyn TableProvider>))
    }

    /// Known without loading the table, so that a list of tables reads none.
    async fn table_type(&self, name: &str) -> Result<Option<TableType>> {
        let found = self.lakehouse.find(&self.schema, name);
        let found = found.map_err(|fault| DataFusionError::External(Box::new(fault)))?;
        Ok(found.map(|_| TableType::Base))
    }

    fn table_exist(&self, name: &str) -> bool {
        matches!(self.lakehouse.find(&self.schema, name), Ok(Some(_)))
    }
}
