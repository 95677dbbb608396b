//! Where no table could be opened: what is there instead, and what to do.

use std::io::ErrorKind;

use crate::lake::discover;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::Fault;
use crate::model::lakehouse::{Entry, EntryKind, Found};
use crate::model::units::bytes;

use super::text::counted;

/// The reader's fault, or a better one if a look at the location tells more.
pub async fn explain(place: &Place, fault: Fault, watch: &Watch) -> Fault {
    if fault.code != "not-a-table" {
        return fault;
    }
    if let Some(better) = local(place) {
        return better;
    }
    match discover::look(place, watch).await {
        Ok(found) => {
            let message = format!("{} is not a Delta table", place.display);
            describe(place, &found, message).unwrap_or(fault)
        }
        Err(_) => fault,
    }
}

/// For the lakehouse browser: the location holds no tables.
pub fn without_tables(place: &Place, found: &Found) -> Fault {
    describe(place, found, format!("There are no Delta tables at {}", place.display))
        .unwrap_or_else(|| Fault::read("not-a-table", format!("Cannot list {}", place.display)))
}

/// What a file system says of a local path.
fn local(place: &Place) -> Option<Fault> {
    let path = place.url.to_file_path().ok()?;
    let fault = |code, why: String, next: &str| {
        Some(Fault::read(code, format!("Cannot open {}", place.display)).because(why).hint(next))
    };
    match std::fs::metadata(&path).map(|m| m.is_dir()) {
        Ok(false) if path.extension().is_none_or(|e| e != "parquet") => {
            fault("not-a-table", "It is a file; a Delta table is a folder".into(), "Name the table's folder")
        }
        Ok(false) => None,
        Ok(true) => match std::fs::read_dir(&path) {
            Err(e) => fault("permission-denied", e.to_string(), "Ask for the right to list the folder"),
            Ok(_) => None,
        },
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let parent = path.parent().map(|p| p.display().to_string()).unwrap_or_default();
            let next = format!("Check the spelling; deltop ls {parent} shows what is there");
            fault("not-found", "There is nothing at this path".into(), &next)
        }
        Err(e) => fault("permission-denied", e.to_string(), "Ask for the right to enter the folder"),
    }
}

/// None where the look tells nothing new.
fn describe(place: &Place, found: &Found, message: String) -> Option<Fault> {
    let (cause, hint) = match found {
        Found::Table => return None,
        Found::Folder(entries) => {
            let tables: Vec<&Entry> =
                entries.iter().filter(|e| matches!(e.kind, EntryKind::Table { .. })).collect();
            let first = tables.first()?;
            let names: Vec<&str> = tables.iter().take(4).map(|t| t.name.as_str()).collect();
            let more = if tables.len() > names.len() { ", …" } else { "" };
            let tables = counted(tables.len() as u64, "table");
            let folder = place.display.trim_end_matches('/');
            (
                format!("It is a folder with {tables}: {}{more}", names.join(", ")),
                format!("Name one of them, such as {folder}/{}", first.name),
            )
        }
        Found::ParquetFolder { files, bytes: size } => {
            let files = counted(*files, "file");
            (
                format!("It is a folder of plain parquet ({files}, {}) without a _delta_log", bytes(*size)),
                "A conversion in place (convert) makes it a table; this version cannot convert yet".into(),
            )
        }
        Found::ParquetFile { bytes: size } => {
            (format!("It is a single parquet file ({})", bytes(*size)), "Name the folder of a table".into())
        }
        Found::Other { holds } => (
            format!("There is no _delta_log; it holds {holds}"),
            "Name the folder that holds _delta_log, or a folder of such folders".into(),
        ),
    };
    Some(Fault::read("not-a-table", message).because(cause).hint(hint))
}
