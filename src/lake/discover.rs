//! What a location is: a table, a folder of tables, parquet files, or nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use futures::{StreamExt, TryStreamExt};
use object_store::path::{Path, PathPart};
use object_store::{ListResult, ObjectMeta};

use super::log::store;
use super::place::{Place, below};
use super::watch::Watch;
use crate::model::lakehouse::{Entry, EntryKind, Found};
use crate::model::progress::Progress;
use crate::model::units::{self, count};
use crate::model::{Fault, FaultKind, Outcome};

/// Folders listed at once.
const AT_ONCE: usize = 16;
/// Folders of a plain parquet folder that are looked into; beyond it, counts say "at least" by
/// being what was seen.
const MOST_FOLDERS: usize = 4096;

/// Looks at the location without loading anything: one listing, and one a sub-folder.
///
/// Faults: `not-found`, those of the store.
pub async fn look(place: &Place, watch: &Watch) -> Outcome<Found> {
    let top = listed(place, &place.root, watch).await?;
    if top.objects.is_empty() && top.common_prefixes.is_empty() {
        return nothing_listed(place, watch).await;
    }
    let top = Folder::new(top);
    if top.is_table {
        return Ok(Found::Table);
    }
    let entries = entries(place, &top, watch).await?;
    let is_plain = top.parquet.0 > 0 || top.folders.iter().any(|f| is_partition(f));
    if is_plain && !entries.iter().any(|e| matches!(e.kind, EntryKind::Table { .. })) {
        let (files, bytes) = parquet_below(place, &top, watch).await?;
        if files > 0 {
            return Ok(Found::ParquetFolder { files, bytes });
        }
    }
    let worth = |e: &Entry| match &e.kind {
        EntryKind::Table { .. } => true,
        EntryKind::Unidentified { holds } => holds.contains("parquet"),
    };
    if entries.iter().any(worth) {
        Ok(Found::Folder(entries))
    } else {
        Ok(Found::Other { holds: top.holds() })
    }
}

/// An object of that very name, or nothing at all.
async fn nothing_listed(place: &Place, watch: &Watch) -> Outcome<Found> {
    if !place.root.as_ref().is_empty() {
        match store::size(&place.store, &place.root, watch).await {
            Ok(bytes) if place.name.to_ascii_lowercase().ends_with(".parquet") => {
                return Ok(Found::ParquetFile { bytes });
            }
            Ok(_) => return Ok(Found::Other { holds: "one file".into() }),
            Err(fault) if fault.code != "not-found" && !place.is_local() => return Err(fault),
            Err(_) => {}
        }
    }
    // An object store has no empty folders; a file system has, and its place was found to exist.
    if place.is_local() {
        return Ok(Found::Other { holds: "nothing".into() });
    }
    Err(Fault::read("not-found", format!("{} does not exist", place.display))
        .because("the store has no object below it")
        .hint("Check the spelling of the bucket or container and the path"))
}

/// The fault of a location that was to be a table and is none.
pub fn not_a_table(place: &Place, found: &Found) -> Fault {
    let fault = Fault::read("not-a-table", format!("{} is not a Delta table", place.display));
    let shown = &place.display;
    match found {
        Found::ParquetFolder { files, bytes } => fault
            .because(format!(
                "it is a plain parquet folder ({}, {}) without a _delta_log",
                plural(*files, "file"),
                units::bytes(*bytes)
            ))
            .hint("Another engine can make it a table in place: CONVERT TO DELTA in Spark, convert_to_deltalake in Python"),
        Found::ParquetFile { bytes } => fault
            .because(format!("it is a single parquet file ({})", units::bytes(*bytes)))
            .hint(format!("`deltop footer {shown}` shows its inside")),
        Found::Folder(entries) => {
            let tables = entries.iter().filter(|e| matches!(e.kind, EntryKind::Table { .. })).count();
            let example = entries.iter().find(|e| matches!(e.kind, EntryKind::Table { .. }));
            let fault =
                fault.because(format!("it is a folder with {} below it", plural(tables as u64, "table")));
            match example {
                Some(entry) => fault.hint(format!("Name one of them, such as {}", entry.location)),
                None => fault.hint(format!("`deltop {shown}` lists what it holds")),
            }
        }
        Found::Other { holds } => fault
            .because(format!("it has no _delta_log; it holds {holds}"))
            .hint("Check the path: a table is a folder with a _delta_log in it"),
        // Only asked for what is none.
        Found::Table => fault,
    }
}

/// What one listing tells of a folder.
#[derive(Default)]
struct Folder {
    is_table: bool,
    /// Names of sub-folders that may hold data.
    folders: Vec<String>,
    /// Files and bytes.
    parquet: (u64, u64),
    /// Other files by their extension.
    others: BTreeMap<String, u64>,
    /// Why it could not be listed.
    problem: Option<String>,
}

impl Folder {
    fn unreadable(fault: &Fault) -> Folder {
        let problem = match fault.code {
            "permission-denied" => "cannot be looked into: no permission".into(),
            _ => format!("cannot be looked into: {}", fault.cause),
        };
        Folder { problem: Some(problem), ..Folder::default() }
    }

    fn new(found: ListResult) -> Folder {
        let mut folder = Folder::default();
        for prefix in &found.common_prefixes {
            let name = prefix.filename().unwrap_or_default();
            folder.is_table |= name == "_delta_log";
            // Spark and its kin hide names with `_` and `.`, but not partitions of a column `_x`.
            if !name.is_empty() && (!name.starts_with(['_', '.']) || is_partition(name)) {
                folder.folders.push(name.to_owned());
            }
        }
        for object in &found.objects {
            let name = object.location.filename().unwrap_or_default();
            if name.starts_with(['_', '.']) {
                continue;
            }
            match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()) {
                Some(extension) if extension == "parquet" => {
                    folder.parquet.0 += 1;
                    folder.parquet.1 += object.size;
                }
                Some(extension) => *folder.others.entry(extension).or_default() += 1,
                None => *folder.others.entry(String::new()).or_default() += 1,
            }
        }
        folder
    }

    /// In words, such as `12 parquet files, 1 csv file, 2 folders`.
    fn holds(&self) -> String {
        if let Some(problem) = &self.problem {
            return problem.clone();
        }
        let mut parts = Vec::new();
        if self.parquet.0 > 0 {
            parts.push(plural(self.parquet.0, "parquet file"));
        }
        parts.extend(self.others.iter().take(3).map(|(extension, n)| match extension.as_str() {
            "" => plural(*n, "file"),
            extension => plural(*n, &format!("{extension} file")),
        }));
        let more: u64 = self.others.values().skip(3).sum();
        if more > 0 {
            parts.push(format!("{} other", plural(more, "file")));
        }
        if !self.folders.is_empty() {
            parts.push(plural(self.folders.len() as u64, "folder"));
        }
        if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
    }
}

fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A hive-style partition folder, `column=value`.
fn is_partition(name: &str) -> bool {
    name.split_once('=').is_some_and(|(column, _)| !column.is_empty())
}

async fn list(place: &Place, path: &Path, watch: &Watch) -> Outcome<Folder> {
    Ok(Folder::new(listed(place, path, watch).await?))
}

/// A folder's listing. On a local disk, a name that object stores do not take (a control character,
/// invalid UTF-8) spoils the whole listing; the other names are then listed without it.
async fn listed(place: &Place, path: &Path, watch: &Watch) -> Outcome<ListResult> {
    let fault = match store::list(&place.store, path, watch).await {
        Ok(found) => return Ok(found),
        Err(fault) => fault,
    };
    let folder = place.url.to_file_path().ok().filter(|_| place.is_local() && fault.code == "unreadable");
    let below = path
        .prefix_match(&place.root)
        .map(|parts| parts.fold(PathBuf::new(), |p, part| p.join(part.as_ref())));
    let Some((folder, below)) = folder.zip(below) else { return Err(fault) };
    let at = path.clone();
    store::blocking(move || local_names(&folder.join(below), &at)).await?.map_err(|e| fault.because(e))
}

/// What [`listed`] gives, read from the file system itself.
fn local_names(folder: &std::path::Path, path: &Path) -> std::io::Result<ListResult> {
    let mut found = ListResult { common_prefixes: Vec::new(), objects: Vec::new() };
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(part) = name.to_str().and_then(|n| PathPart::parse(n).ok()) else { continue };
        let location = path.clone().join(part);
        // Follows links, as the store's own listing does; a dead one is left out.
        let Ok(metadata) = std::fs::metadata(entry.path()) else { continue };
        if metadata.is_dir() {
            found.common_prefixes.push(location);
        } else {
            let last_modified = metadata.modified().map_or(chrono::DateTime::UNIX_EPOCH, Into::into);
            let size = metadata.len();
            found.objects.push(ObjectMeta { location, last_modified, size, e_tag: None, version: None });
        }
    }
    Ok(found)
}

/// Parquet files and their bytes in the folder and its sub-folders.
async fn parquet_below(place: &Place, top: &Folder, watch: &Watch) -> Outcome<(u64, u64)> {
    let (mut files, mut bytes) = top.parquet;
    let mut level: Vec<Path> = top.folders.iter().map(|f| below(&place.root, f)).collect();
    let mut seen = 0;
    while !level.is_empty() && seen < MOST_FOLDERS {
        level.truncate(MOST_FOLDERS - seen);
        seen += level.len();
        let listings = futures::stream::iter(level).map(|path| {
            let (place, watch) = (place.clone(), watch.clone());
            async move { Ok::<_, Fault>((list(&place, &path, &watch).await?, path)) }
        });
        let found: Vec<_> = listings.buffered(AT_ONCE).try_collect().await?;
        level = Vec::new();
        for (folder, path) in found.into_iter().filter(|(f, _)| !f.is_table) {
            files += folder.parquet.0;
            bytes += folder.parquet.1;
            level.extend(folder.folders.iter().map(|f| below(&path, f)));
        }
        watch.progress(Progress::new("looking at folders", seen as u64, None, "folders"));
    }
    Ok((files, bytes))
}

/// The sub-folders that are no partitions, and one level of schemas below.
async fn entries(place: &Place, top: &Folder, watch: &Watch) -> Outcome<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut schemas = Vec::new();
    let names = top.folders.iter().filter(|f| !is_partition(f)).cloned().collect();
    for (name, folder) in list_all(place, names, watch).await? {
        let plain = folder.is_table || folder.parquet.0 > 0 || folder.folders.iter().any(|f| is_partition(f));
        if plain || folder.folders.is_empty() {
            entries.push(entry(place, name, &folder));
        } else {
            schemas.push((name, folder));
        }
    }
    let below = |(name, folder): &(String, Folder)| {
        folder.folders.iter().map(|f| format!("{name}/{f}")).collect::<Vec<_>>()
    };
    let children = list_all(place, schemas.iter().flat_map(below).collect(), watch).await?;
    for (schema, folder) in schemas {
        let prefix = format!("{schema}/");
        let own = || children.iter().filter(|(name, _)| name.starts_with(&prefix));
        if own().any(|(_, child)| child.is_table) {
            entries.extend(own().map(|(name, child)| entry(place, name.clone(), child)));
        } else {
            entries.push(entry(place, schema, &folder));
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

async fn list_all(place: &Place, names: Vec<String>, watch: &Watch) -> Outcome<Vec<(String, Folder)>> {
    let total = names.len() as u64;
    let listings = futures::stream::iter(names).map(|name| {
        let (place, watch) = (place.clone(), watch.clone());
        async move {
            match list(&place, &below(&place.root, &name), &watch).await {
                Ok(folder) => Ok((name, folder)),
                Err(fault) if fault.kind == FaultKind::Cancelled => Err(fault),
                // One folder that may not be read does not hide the others.
                Err(fault) => Ok((name, Folder::unreadable(&fault))),
            }
        }
    });
    let mut out = Vec::new();
    let mut listings = listings.buffered(AT_ONCE);
    while let Some(found) = listings.try_next().await? {
        out.push(found);
        watch.progress(Progress::new("looking at folders", out.len() as u64, Some(total), "folders"));
    }
    Ok(out)
}

fn entry(place: &Place, name: String, folder: &Folder) -> Entry {
    let kind = if folder.is_table {
        EntryKind::Table { version: None }
    } else if folder.parquet.0 == 0 && folder.folders.iter().any(|f| is_partition(f)) {
        EntryKind::Unidentified { holds: "parquet in partition folders".into() }
    } else {
        EntryKind::Unidentified { holds: folder.holds() }
    };
    let location = place.child(&name).display;
    Entry { name, location, kind }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[tokio::test]
    async fn a_name_that_stores_do_not_take_hides_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        for table in ["good", "bad inside"] {
            fs::create_dir_all(dir.path().join(table).join("_delta_log")).unwrap();
        }
        for odd in [&b"h\x1b[41m\n"[..], b"\xff\xfe"] {
            let name = std::ffi::OsStr::from_bytes(odd);
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::create_dir(dir.path().join("bad inside").join(name)).unwrap();
        }
        let place = Place::parse(&dir.path().display().to_string(), &Vec::new()).unwrap();
        let Found::Folder(entries) = look(&place, &Watch::default()).await.unwrap() else {
            panic!("a folder of tables");
        };
        let kinds: Vec<_> = entries.iter().map(|e| (e.name.as_str(), &e.kind)).collect();
        let table = EntryKind::Table { version: None };
        assert_eq!(kinds, [("bad inside", &table), ("good", &table)]);
    }
}
