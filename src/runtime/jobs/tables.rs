//! Tables that were opened, so that their files, commits and queries need not list the log again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::lake::log::OpenTable;
use crate::lake::place::{Place, StorageOptions};
use crate::lake::sql::SqlSession;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::table::AsOf;

/// Tables kept; the screen shows one, or two that are compared.
const KEPT: usize = 4;

/// The last tables opened, newest last, by location and version.
#[derive(Default)]
pub(super) struct Tables(Mutex<Vec<Entry>>);

struct Entry {
    location: String,
    version: u64,
    table: OpenTable,
    /// The session over this version, once a query ran.
    sql: Option<Arc<SqlSession>>,
}

impl Tables {
    /// Opens the table anew.
    pub async fn open(
        &self,
        location: &str,
        as_of: AsOf,
        options: &StorageOptions,
        watch: &Watch,
    ) -> Outcome<OpenTable> {
        let table = OpenTable::open(&Place::parse(location, options)?, as_of, watch).await?;
        self.keep(location, &table);
        Ok(table)
    }

    /// The table at that version; opened only if it was not kept.
    pub async fn at(
        &self,
        location: &str,
        version: u64,
        options: &StorageOptions,
        watch: &Watch,
    ) -> Outcome<OpenTable> {
        match self.with(location, version, |entry| entry.table.clone()) {
            Some(table) => Ok(table),
            None => self.open(location, AsOf::Version(version), options, watch).await,
        }
    }

    /// The SQL session kept for that version.
    pub fn session(&self, location: &str, version: u64) -> Option<Arc<SqlSession>> {
        self.with(location, version, |entry| entry.sql.clone())?
    }

    pub fn keep_session(&self, location: &str, version: u64, session: &Arc<SqlSession>) {
        self.with(location, version, |entry| entry.sql = Some(session.clone()));
    }

    fn keep(&self, location: &str, table: &OpenTable) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let version = table.table.version;
        entries.retain(|e| e.location != location || e.version != version);
        if entries.len() >= KEPT {
            entries.remove(0);
        }
        entries.push(Entry { location: location.to_owned(), version, table: table.clone(), sql: None });
    }

    fn with<T>(&self, location: &str, version: u64, f: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter_mut().find(|e| e.location == location && e.version == version).map(f)
    }
}
