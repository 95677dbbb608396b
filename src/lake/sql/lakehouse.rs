//! Which tables a session knows, and by which names.

use std::sync::{Arc, Mutex, PoisonError};

use super::engine::SCHEMA;
use super::entry::Entry;
use super::fold::{Spellings, fold};
use super::folded::Folded;
use super::{beside, blame};
use crate::lake::place::Place;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// All tables of a session.
#[derive(Debug)]
pub(super) struct Lakehouse {
    entries: Vec<Arc<Entry>>,
    /// Whether the location is a table itself.
    single: bool,
    /// Tables beside a single one, as statements named them.
    beside: Mutex<Vec<Arc<Entry>>>,
    as_of: AsOf,
    /// Names that were looked up and not found, newest last.
    missed: Mutex<Vec<String>>,
}

impl Lakehouse {
    /// The tables below a location.
    pub(super) fn folder(entries: Vec<Entry>, as_of: AsOf) -> Self {
        let entries = entries.into_iter().map(Arc::new).collect();
        Lakehouse { entries, single: false, beside: Mutex::default(), as_of, missed: Mutex::default() }
    }

    /// The table at a location, also named `t`.
    pub(super) fn single(place: &Place, as_of: AsOf) -> Self {
        let entry = Entry::new(None, vec![place.name.clone(), "t".into()], place.clone());
        Lakehouse { single: true, ..Lakehouse::folder(vec![entry], as_of) }
    }

    /// The tables of a schema; all of them if no table has such a schema.
    pub(super) fn entries(&self, schema: &str) -> impl Iterator<Item = &Arc<Entry>> {
        let folded = fold(schema);
        let known = self.entries.iter().any(|e| e.in_schema(&folded));
        self.entries.iter().filter(move |e| !known || e.in_schema(&folded))
    }

    pub(super) fn find(&self, schema: &str, name: &str) -> Outcome<Option<&Arc<Entry>>> {
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
        match self.find(schema, name)? {
            Some(entry) => entry.load(self.as_of).await.map(Some),
            None => match &self.entries[..] {
                [entry] if self.single => self.around(entry, name).await,
                _ => Ok(None),
            },
        }
    }

    /// What a session on a single table finds besides: that table by the name in its metadata, which
    /// only its log tells, and the tables beside it.
    async fn around(&self, entry: &Entry, name: &str) -> Outcome<Option<Arc<Folded>>> {
        let folded = fold(name);
        // A table that cannot be opened has its say when it is asked for itself.
        let given = entry.open(self.as_of).await.ok().and_then(|open| open.table.metadata.name.clone());
        if given.is_some_and(|n| fold(&n) == folded) {
            return entry.load(self.as_of).await.map(Some);
        }
        let known = self.beside().into_iter().find(|e| e.answers_to(&folded));
        let found = match known {
            Some(entry) => entry,
            None => match beside::find(&entry.place, &folded).await {
                Some(place) => Arc::new(Entry::new(None, vec![place.name.clone()], place)),
                None => return Ok(None),
            },
        };
        // A version number means the opened table's; a time means the same for all.
        let as_of = if matches!(self.as_of, AsOf::Version(_)) { AsOf::Latest } else { self.as_of };
        let loaded = found.load(as_of).await?;
        let mut beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if !beside.iter().any(|e| e.answers_to(&folded)) {
            beside.push(found);
        }
        Ok(Some(loaded))
    }

    fn beside(&self) -> Vec<Arc<Entry>> {
        self.beside.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All tables that are known so far.
    fn all(&self) -> Vec<Arc<Entry>> {
        self.entries.iter().cloned().chain(self.beside()).collect()
    }

    /// Has the tables that were read be read by a mended log from now on; false if they all are.
    pub(super) fn mend(&self) -> bool {
        self.all().iter().filter(|e| e.mend()).count() > 0
    }

    /// As [`Lakehouse::table`], but a name that is not there is a fault.
    pub(super) async fn known_table(&self, schema: &str, name: &str) -> Outcome<Arc<Folded>> {
        let found = self.table(schema, name).await?;
        found.ok_or_else(|| blame::unknown_table(self, name, name, ""))
    }

    /// The spellings of the columns of all tables that were read.
    pub(super) fn spellings(&self) -> Spellings {
        let all = self.all();
        let read = all.iter().filter_map(|e| e.loaded());
        read.flat_map(|t| t.spellings().iter().map(|(k, v)| (k.clone(), v.clone()))).collect()
    }

    /// A folded column name in the spelling of its table.
    pub(super) fn respell(&self, folded: &str) -> String {
        let all = self.all();
        let found = all.iter().filter_map(|e| e.loaded()).find_map(|t| t.spellings().get(folded));
        found.map_or_else(|| folded.to_owned(), String::clone)
    }

    /// The name that was looked up last and not found.
    pub(super) fn last_missed(&self) -> Option<String> {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }

    /// All names by which tables are found.
    pub(super) fn names(&self) -> Vec<String> {
        self.all().iter().flat_map(|e| e.names.clone()).collect()
    }

    /// The object-store paths of the tables' roots.
    pub(super) fn roots(&self) -> Vec<object_store::path::Path> {
        self.all().iter().map(|e| e.place.root.clone()).collect()
    }

    /// The tables' folders; [`SCHEMA`] if they have none.
    pub(super) fn schemas(&self) -> Vec<String> {
        let mut out: Vec<String> = self.entries.iter().filter_map(|e| e.schema.clone()).collect();
        out.sort();
        out.dedup();
        if out.is_empty() {
            out.push(SCHEMA.into());
        }
        out
    }
}
