//! Rows of a query on standard output: a table for people, or JSON.

use std::io::{self, Write};

use futures::StreamExt;
use unicode_width::UnicodeWidthStr;

use crate::lake::sql::{SqlRun, append_rows, grid_columns, json_rows};
use crate::lake::watch::Watch;
use crate::model::grid::Grid;
use crate::model::text::clean;
use crate::model::{Fault, Outcome};

/// How rows are written; a table for people if neither is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowFormat {
    /// An array of row objects, on one line.
    pub json: bool,
    /// A row object a line.
    pub ndjson: bool,
}

/// Whether the reader of the output still listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pipe {
    Open,
    Closed,
}

/// Writes all rows of a run as they come; memory stays bounded.
pub(super) async fn write(
    mut run: SqlRun,
    format: RowFormat,
    watch: &Watch,
    out: &mut dyn Write,
) -> Outcome<Pipe> {
    let mut sheet = Sheet::new(Grid { columns: grid_columns(&run.schema), rows: Vec::new() }, format);
    loop {
        let next = tokio::select! {
            next = run.batches.next() => next,
            () = watch.cancel.cancelled() => return Err(Fault::cancelled()),
        };
        let written = match next {
            Some(Ok(batch)) if format.json || format.ndjson => {
                let rows = json_rows(&batch)?;
                rows.iter().try_for_each(|row| sheet.json_row(row, out))
            }
            Some(Ok(batch)) => {
                append_rows(&mut sheet.grid, &batch);
                sheet.flush_if_many(out)
            }
            Some(Err(fault)) => {
                // What was written so far stays a whole JSON value.
                return sheet.abort(out).map_or_else(|e| pipe(Err(e)), |()| Err(fault));
            }
            None => return pipe(sheet.finish(out)),
        };
        if pipe(written)? == Pipe::Closed {
            return Ok(Pipe::Closed);
        }
    }
}

/// A closed pipe (`… | head`) is no failure.
pub(super) fn pipe(written: io::Result<()>) -> Outcome<Pipe> {
    match written {
        Ok(()) => Ok(Pipe::Open),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(Pipe::Closed),
        Err(e) => Err(Fault::read("no-output", "Cannot write the output").because(e)),
    }
}

/// Rows that set the widths of a text table's columns; later ones follow them.
const SAMPLE: usize = 1000;
/// Widest column that is padded to; longer cells are whole, and push the next ones.
const WIDEST: usize = 80;

struct Sheet {
    format: RowFormat,
    grid: Grid,
    /// None until the head was written.
    widths: Option<Vec<usize>>,
    rows: u64,
}

impl Sheet {
    fn new(grid: Grid, format: RowFormat) -> Self {
        Sheet { format, grid, widths: None, rows: 0 }
    }

    fn json_row(
        &mut self,
        row: &serde_json::Map<String, serde_json::Value>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.format.ndjson {
            out.write_all(if self.rows == 0 { b"[" } else { b"," })?;
        }
        self.rows += 1;
        serde_json::to_writer(&mut *out, row)?;
        if self.format.ndjson { out.write_all(b"\n") } else { Ok(()) }
    }

    /// Whether this is the answer to `EXPLAIN`.
    fn is_plan(&self) -> bool {
        let mut names = self.grid.columns.iter().map(|c| c.name.as_str());
        (names.next(), names.next(), names.next()) == (Some("plan_type"), Some("plan"), None)
    }

    fn flush_if_many(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.grid.rows.len() >= SAMPLE || self.widths.is_some() { self.flush(out) } else { Ok(()) }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            RowFormat { ndjson: true, .. } => {}
            RowFormat { json: true, .. } => {
                out.write_all(if self.rows == 0 { b"[]\n" } else { b"]\n" })?;
            }
            _ => self.flush(out)?,
        }
        out.flush()
    }

    fn abort(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.rows == 0 && self.grid.rows.is_empty() { Ok(()) } else { self.finish(out) }
    }

    /// Writes the rows that are held; before the first ones the names and types.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.grid.rows);
        if self.is_plan() {
            return rows.iter().try_for_each(|row| plan(row, out));
        }
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let names: Vec<String> = self.grid.columns.iter().map(|c| clean(&c.name).into_owned()).collect();
        let types: Vec<String> = self.grid.columns.iter().map(|c| clean(&c.data_type).into_owned()).collect();
        let first = self.widths.is_none();
        let widths = self.widths.get_or_insert_with(|| {
            let all = [&names, &types].into_iter().chain(rows.iter());
            let mut widths = vec![0; names.len()];
            for (width, cell) in
                all.flat_map(|row| row.iter().enumerate()).map(|(at, cell)| (at, cell.width()))
            {
                if let Some(widest) = widths.get_mut(width) {
                    *widest = cell.min(WIDEST).max(*widest);
                }
            }
            widths
        });
        let right: Vec<bool> = self.grid.columns.iter().map(|c| c.numeric).collect();
        if first {
            line(out, &names, widths, &right)?;
            line(out, &types, widths, &right)?;
            let rule: Vec<String> = widths.iter().map(|w| "-".repeat(*w)).collect();
            line(out, &rule, widths, &right)?;
        }
        rows.iter().try_for_each(|row| line(out, row, widths, &right))
    }
}

/// A query plan, of several lines.
fn plan(row: &[Option<String>], out: &mut dyn Write) -> io::Result<()> {
    let mut cells = row.iter().flatten();
    if let Some(kind) = cells.next() {
        writeln!(out, "{}", clean(kind))?;
    }
    let lines = cells.flat_map(|cell| cell.lines());
    lines.into_iter().try_for_each(|line| writeln!(out, "  {}", clean(line)))
}

/// NULL is a word without quotes; the text `NULL` has them, and so has the empty text.
fn shown(cell: &Option<String>) -> String {
    match cell.as_deref() {
        None => "NULL".into(),
        Some("") => "''".into(),
        Some("NULL") => "'NULL'".into(),
        Some(text) => clean(text).into_owned(),
    }
}

fn line(out: &mut dyn Write, cells: &[String], widths: &[usize], right: &[bool]) -> io::Result<()> {
    let mut text = String::new();
    for ((cell, width), right) in cells.iter().zip(widths).zip(right) {
        let space = " ".repeat(width.saturating_sub(cell.width()));
        if *right {
            text.push_str(&space);
        }
        text.push_str(cell);
        if !right {
            text.push_str(&space);
        }
        text.push_str("  ");
    }
    writeln!(out, "{}", text.trim_end())
}
