//! Tables that were opened, so that their files, commits and queries need not list the log again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::lake::log::{Files, OpenTable};
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
    /// Its files, if they were the last ones read of this location.
    files: Option<Files>,
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
        let place = Place::resolve(location, options, watch).await?;
        let table = OpenTable::open(&place, as_of, watch).await?;
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

    /// Keeps the files of a version, for those who follow the table.
    pub fn keep_files(&self, location: &str, version: u64, files: Files) {
        let mut entries = self.lock();
        for entry in entries.iter_mut().filter(|e| e.location == location) {
            entry.files = (entry.version == version).then(|| files.clone());
        }
    }

    /// The files kept for that version.
    pub fn files(&self, location: &str, version: u64) -> Option<Files> {
        self.with(location, version, |entry| entry.files.clone())?
    }

    /// The SQL session kept for that version.
    pub fn session(&self, location: &str, version: u64) -> Option<Arc<SqlSession>> {
        self.with(location, version, |entry| entry.sql.clone())?
    }

    pub fn keep_session(&self, location: &str, version: u64, session: &Arc<SqlSession>) {
        self.with(location, version, |entry| entry.sql = Some(session.clone()));
    }

    /// Keeps a table that was opened.
    pub fn keep(&self, location: &str, table: &OpenTable) {
        let mut entries = self.lock();
        let version = table.table.version;
        entries.retain(|e| e.location != location || e.version != version);
        if entries.len() >= KEPT {
            entries.remove(0);
        }
        entries.push(Entry {
            location: location.to_owned(),
            version,
            table: table.clone(),
            files: None,
            sql: None,
        });
    }

    fn with<T>(&self, location: &str, version: u64, f: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        let mut entries = self.lock();
        entries.iter_mut().find(|e| e.location == location && e.version == version).map(f)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
