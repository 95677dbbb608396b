//! Which tables a session knows, and by which names.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;

use super::engine::{SCHEMA, Shared};
use super::entry::Entry;
use super::file_format::{FileKind, split};
use super::fold::{Spellings, fold};
use super::folded::Folded;
use super::travel::unstamped;
use super::{beside, blame, path};
use crate::lake::place::Place;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// All tables of a session.
pub(super) struct Lakehouse {
    entries: Vec<Arc<Entry>>,
    /// The location.
    place: Place,
    /// Whether the location is a table itself.
    single: bool,
    /// Tables that statements named besides: beside a single one, at a path, at another version.
    more: Mutex<Vec<Arc<Entry>>>,
    as_of: AsOf,
    /// Names that were looked up and not found, newest last.
    missed: Mutex<Vec<String>>,
    shared: Shared,
}

/// By the tables' names alone: places can hold credentials.
impl fmt::Debug for Lakehouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lakehouse").field(&self.names()).finish()
    }
}

impl Lakehouse {
    /// The tables below a location.
    pub(super) fn folder(place: &Place, entries: Vec<Entry>, as_of: AsOf, shared: Shared) -> Self {
        Lakehouse {
            entries: entries.into_iter().map(Arc::new).collect(),
            place: place.clone(),
            single: false,
            more: Mutex::default(),
            as_of,
            missed: Mutex::default(),
            shared,
        }
    }

    /// The table at a location, also named `t`.
    pub(super) fn single(place: &Place, as_of: AsOf, shared: Shared) -> Self {
        let entry = Entry::new(None, vec![place.name.clone(), "t".into()], place.clone(), as_of);
        Lakehouse { single: true, ..Lakehouse::folder(place, vec![entry], as_of, shared) }
    }

    /// The tables of a schema; all of them if no table has such a schema.
    pub(super) fn entries(&self, schema: &str) -> impl Iterator<Item = &Arc<Entry>> {
        let folded = fold(schema);
        let known = self.has_schema(&folded);
        self.entries.iter().filter(move |e| !known || e.in_schema(&folded))
    }

    fn has_schema(&self, folded: &str) -> bool {
        self.entries.iter().any(|e| e.in_schema(folded))
    }

    /// A table of the location by its name.
    pub(super) fn find(&self, schema: &str, name: &str) -> Outcome<Option<&Arc<Entry>>> {
        let folded = fold(name);
        let mut found = self.entries(schema).filter(|e| e.answers_to(&folded));
        let Some(first) = found.next() else { return Ok(None) };
        let Some(second) = found.next() else { return Ok(Some(first)) };
        Err(Fault::usage("ambiguous-table", format!("More than one table is called \"{name}\""))
            .hint(format!("Write {} or {}", first.full_name(), second.full_name())))
    }

    /// Loads a table on first use.
    pub(super) async fn table(&self, schema: &str, name: &str) -> Outcome<Option<Arc<Folded>>> {
        match self.entry(schema, name).await? {
            Some(entry) => entry.load(&self.shared).await.map(Some),
            None => Ok(None),
        }
    }

    /// The table that a name means, however it is named.
    pub(super) async fn entry(&self, schema: &str, name: &str) -> Outcome<Option<Arc<Entry>>> {
        if let Some(kind) = FileKind::parse(schema)
            && !self.has_schema(&fold(schema))
            && (kind != FileKind::Delta || name.contains('/') || self.find(schema, name)?.is_none())
        {
            return self.at_path(kind, name).await.map(Some);
        }
        if let Some(entry) = self.plain(schema, name).await? {
            return Ok(Some(entry));
        }
        if let Some(entry) = self.kept(&registered(name)) {
            return Ok(Some(entry));
        }
        if let Some((base, as_of)) = unstamped(name)
            && let Some(entry) = self.plain(schema, base).await?
        {
            let asked = format!("{}.{}", fold(schema), fold(name));
            return Ok(Some(self.keep(entry.at(name.to_owned(), as_of), &asked)));
        }
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).push(name.to_owned());
        Ok(None)
    }

    async fn plain(&self, schema: &str, name: &str) -> Outcome<Option<Arc<Entry>>> {
        match self.find(schema, name)? {
            Some(entry) => Ok(Some(Arc::clone(entry))),
            None => match &self.entries[..] {
                [entry] if self.single => Ok(self.around(entry, schema, name).await),
                _ => Ok(None),
            },
        }
    }

    /// What a session on a single table finds besides: that table by the name in its metadata, which
    /// only its log tells, and the tables beside it.
    async fn around(&self, entry: &Arc<Entry>, schema: &str, name: &str) -> Option<Arc<Entry>> {
        let folded = fold(name);
        // A table that cannot be opened has its say when it is asked for itself.
        let given = entry.open().await.ok().and_then(|open| open.table.metadata.name.clone());
        if given.is_some_and(|n| fold(&n) == folded) {
            return Some(Arc::clone(entry));
        }
        let schema = (schema != SCHEMA).then(|| fold(schema));
        let asked = schema.as_ref().map_or_else(|| folded.clone(), |s| format!("{s}.{folded}"));
        if let Some(known) = self.kept(&asked) {
            return Some(known);
        }
        let place = beside::find(&entry.place, schema.as_deref(), &folded).boxed().await?;
        // A version number means the opened table's; a time means the same for all.
        let as_of = if matches!(self.as_of, AsOf::Version(_)) { AsOf::Latest } else { self.as_of };
        Some(self.keep(Entry::new(None, vec![place.name.clone()], place, as_of), &asked))
    }

    /// ``delta.`path` ``, ``csv.`path` `` and the like.
    async fn at_path(&self, kind: FileKind, name: &str) -> Outcome<Arc<Entry>> {
        let asked = format!("{kind:?} {name}");
        if let Some(known) = self.kept(&asked) {
            return Ok(known);
        }
        let (path, options) = split(name)?;
        let entry = if kind == FileKind::Delta {
            let (path, as_of) = match (path::find(&self.place, path).boxed().await, unstamped(path)) {
                (Err(_), Some((path, as_of))) => (path, as_of),
                _ => (path, AsOf::Latest),
            };
            let place = path::find(&self.place, path).boxed().await?;
            Entry::new(None, vec![place.name.clone()], place, as_of)
        } else {
            let place = path::find(&self.place, path).boxed().await?;
            Entry::files(place.name.clone(), place, kind, options)
        };
        Ok(self.keep(entry, &asked))
    }

    fn kept(&self, asked: &str) -> Option<Arc<Entry>> {
        let more = self.more.lock().unwrap_or_else(PoisonError::into_inner);
        more.iter().find(|e| e.names.iter().any(|n| n == asked)).cloned()
    }

    /// Keeps a table to be found by what a statement asked for.
    fn keep(&self, mut entry: Entry, asked: &str) -> Arc<Entry> {
        if let Some(known) = self.kept(asked) {
            return known;
        }
        entry.names.push(asked.to_owned());
        let entry = Arc::new(entry);
        self.more.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&entry));
        entry
    }

    /// Has a table elsewhere be found by a name from now on.
    pub(super) fn register(&self, name: &str, place: Place) {
        self.keep(Entry::new(None, vec![name.to_owned()], place, AsOf::Latest), &registered(name));
    }

    /// The location.
    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// The table that was read under a number.
    pub(super) fn by_number(&self, number: u64) -> Option<Arc<Entry>> {
        self.all().into_iter().find(|e| e.has_number(number))
    }

    /// All tables that are known so far.
    fn all(&self) -> Vec<Arc<Entry>> {
        let more = self.more.lock().unwrap_or_else(PoisonError::into_inner);
        self.entries.iter().chain(more.iter()).cloned().collect()
    }

    /// Has the tables that were read be read by a mended log from now on; false if they all are.
    pub(super) fn mend(&self) -> bool {
        self.all().iter().filter(|e| e.mend()).count() > 0
    }

    /// As [`Lakehouse::table`], but a name that is not there is a fault.
    pub(super) async fn known_table(&self, schema: &str, name: &str) -> Outcome<Arc<Folded>> {
        self.known_entry(schema, name).await?.load(&self.shared).await
    }

    /// As [`Lakehouse::entry`], but a name that is not there is a fault.
    pub(super) async fn known_entry(&self, schema: &str, name: &str) -> Outcome<Arc<Entry>> {
        let found = self.entry(schema, name).await?;
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
        let own = self.entries.iter().flat_map(|e| e.names.clone());
        own.chain(self.more().iter().filter_map(|e| e.names.first().cloned())).collect()
    }

    fn more(&self) -> Vec<Arc<Entry>> {
        self.more.lock().unwrap_or_else(PoisonError::into_inner).clone()
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

/// What a table is kept under that a statement gave a name.
fn registered(name: &str) -> String {
    format!("named {}", fold(name))
}
