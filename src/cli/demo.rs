//! `deltop demo`: makes the demo lakehouse.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::output::{self, Format, Sink, failed};
use super::text::{Column, table};
use crate::model::Outcome;
use crate::model::units::{bytes, count};
use crate::tune::demo::{Part, PartKind, make};

#[derive(Debug, Serialize)]
struct Answer<'a> {
    location: String,
    tables: &'a [Part],
}

/// Makes the demo and tells what it made.
pub fn run(dir: &Path, format: Format, out: &mut Sink) -> Outcome<()> {
    let parts = make(dir)?;
    let location = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    if format.is_text() {
        return write_text(out, dir, &location, &parts).map_err(failed);
    }
    output::object(out, format, &Answer { location: location.display().to_string(), tables: &parts })
}

fn write_text(out: &mut dyn Write, dir: &Path, location: &Path, parts: &[Part]) -> io::Result<()> {
    writeln!(out, "Made a demo lakehouse in {}\n", location.display())?;
    let columns = [
        Column::left("name"),
        Column::left("what"),
        Column::right("versions"),
        Column::right("files"),
        Column::right("bytes"),
        Column::right("rows"),
    ];
    let rows = parts.iter().map(|part| {
        let what = match part.kind {
            PartKind::Table => "Delta table",
            PartKind::Parquet => "plain parquet",
        };
        vec![
            part.name.into(),
            what.into(),
            part.version.map_or("-".into(), |v| count(v + 1)),
            count(part.files),
            bytes(part.bytes),
            count(part.rows),
        ]
    });
    table(out, &columns, rows)?;
    writeln!(out, "\nOpen it with: deltop {}", dir.display())
}
