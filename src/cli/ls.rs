//! `deltop ls`: the tables in a folder or container.

use std::io::{self, Write};

use serde::Serialize;

use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, counted, table};
use crate::lake::discover::{look, not_a_table};
use crate::lake::versions::find_versions;
use crate::model::lakehouse::{Entry, EntryKind, Found};
use crate::model::{Fault, Outcome};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    name: &'a str,
    location: &'a str,
    /// `table` or `unidentified`.
    kind: &'static str,
    version: Option<u64>,
    /// What an unidentified folder holds, in words.
    holds: Option<&'a str>,
}

pub async fn run(call: &mut Call<'_>) -> Outcome<()> {
    let mut entries = match look(&call.place, call.watch).await? {
        Found::Folder(entries) => entries,
        Found::Table => vec![itself(call)],
        other => {
            let fault = not_a_table(&call.place, &other);
            let message = format!("There are no Delta tables at {}", call.place.display);
            return Err(Fault { message, ..fault });
        }
    };
    find_versions(&call.place, &mut entries, call.watch).await?;
    if call.format.is_text() {
        return write_text(call.out, &entries).map_err(failed);
    }
    output::array(call.out, call.format, entries.iter().map(answer))
}

/// The location itself, where it is a table.
fn itself(call: &Call<'_>) -> Entry {
    let kind = EntryKind::Table { version: None };
    Entry { name: call.place.name.clone(), location: call.place.display.clone(), kind }
}

fn answer(entry: &Entry) -> Answer<'_> {
    let (kind, version, holds) = match &entry.kind {
        EntryKind::Table { version } => ("table", *version, None),
        EntryKind::Unidentified { holds } => ("unidentified", None, Some(holds.as_str())),
    };
    Answer { name: &entry.name, location: &entry.location, kind, version, holds }
}

fn write_text(out: &mut dyn Write, entries: &[Entry]) -> io::Result<()> {
    let tables = entries.iter().filter(|e| matches!(e.kind, EntryKind::Table { .. })).count();
    let others = match entries.len() - tables {
        0 => String::new(),
        n => format!(", {n} unidentified"),
    };
    writeln!(out, "{}{others}\n", counted(tables as u64, "table"))?;
    let columns = [Column::left("name"), Column::right("version"), Column::left("holds")];
    let rows = entries.iter().map(|entry| match &entry.kind {
        EntryKind::Table { version } => {
            vec![entry.name.clone(), version.map_or("?".into(), |v| v.to_string()), "Delta table".into()]
        }
        EntryKind::Unidentified { holds } => vec![entry.name.clone(), String::new(), holds.clone()],
    });
    table(out, &columns, rows)
}
