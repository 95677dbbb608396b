//! Rows of a query on standard output: a table for people, or JSON.

use std::io::{self, Write};

use arrow::array::RecordBatch;
use futures::StreamExt;

use super::output::{ArrayWriter, Format, Sink, failed};
use super::text::{Column, Layout};
use crate::lake::sql::{SqlRun, append_rows, grid_columns, json_rows};
use crate::lake::watch::Watch;
use crate::model::grid::Grid;
use crate::model::text::clean;
use crate::model::{Fault, Outcome};

/// Writes all rows of a run as they come; memory stays bounded.
pub async fn write(run: SqlRun, format: Format, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    if format.is_text() {
        write_text(run, watch, out).await
    } else {
        write_json(run, format, watch, out).await
    }
}

/// Waits for work that knows no cancelling of its own.
pub async fn cancellable<T>(watch: &Watch, work: impl Future<Output = T>) -> Outcome<T> {
    tokio::select! {
        done = work => Ok(done),
        () = watch.cancel.cancelled() => Err(Fault::cancelled()),
    }
}

async fn write_json(mut run: SqlRun, format: Format, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    let mut array = ArrayWriter::new(out, format);
    while let Some(batch) = cancellable(watch, run.batches.next()).await? {
        match batch.and_then(|batch| json_rows(&batch)) {
            Ok(rows) => rows.iter().try_for_each(|row| array.push(row))?,
            // What was written so far stays a whole JSON value.
            Err(fault) if !array.has_started() => return Err(fault),
            Err(fault) => return array.end().and(Err(fault)),
        }
    }
    array.end()
}

async fn write_text(mut run: SqlRun, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    let grid = Grid { columns: grid_columns(&run.schema), rows: Vec::new() };
    let mut sheet = Sheet { grid, layout: None };
    while let Some(batch) = cancellable(watch, run.batches.next()).await? {
        match batch {
            Ok(batch) => sheet.push(&batch, out).map_err(failed)?,
            Err(fault) => return sheet.flush(out).map_err(failed).and(Err(fault)),
        }
    }
    sheet.flush(out).map_err(failed)
}

/// Rows that set the widths of a text table's columns; later ones follow them.
const SAMPLE: usize = 1000;

struct Sheet {
    /// With the rows that were not written yet.
    grid: Grid,
    /// None until the head was written.
    layout: Option<Layout>,
}

impl Sheet {
    fn push(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> io::Result<()> {
        append_rows(&mut self.grid, batch);
        if self.grid.rows.len() >= SAMPLE || self.layout.is_some() { self.flush(out) } else { Ok(()) }
    }

    /// Whether this is the answer to `EXPLAIN`.
    fn is_plan(&self) -> bool {
        let mut names = self.grid.columns.iter().map(|c| c.name.as_str());
        (names.next(), names.next(), names.next()) == (Some("plan_type"), Some("plan"), None)
    }

    /// Writes the rows that are held; before the first ones the names and types.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.grid.rows);
        if self.is_plan() {
            return rows.iter().try_for_each(|row| plan(row, out));
        }
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let layout = match &mut self.layout {
            Some(layout) => layout,
            none => none.insert(head(&self.grid, &rows, out)?),
        };
        rows.iter().try_for_each(|row| layout.line(out, row))
    }
}

/// Writes names and types; gives a layout that fits them and the rows.
fn head(grid: &Grid, rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<Layout> {
    let column = |c: &crate::model::grid::GridColumn| match c.numeric {
        true => Column::right(&c.name),
        false => Column::left(&c.name),
    };
    let mut layout = Layout::new(grid.columns.iter().map(column).collect());
    let types: Vec<String> = grid.columns.iter().map(|c| c.data_type.clone()).collect();
    layout.fit(&types);
    rows.iter().for_each(|row| layout.fit(row));
    for line in [layout.titles(), types, layout.rule()] {
        layout.line(out, &line)?;
    }
    Ok(layout)
}

/// A query plan, of several lines.
fn plan(row: &[Option<String>], out: &mut dyn Write) -> io::Result<()> {
    let mut cells = row.iter().flatten();
    if let Some(kind) = cells.next() {
        writeln!(out, "{}", clean(kind))?;
    }
    let mut lines = cells.flat_map(|cell| cell.lines());
    lines.try_for_each(|line| writeln!(out, "  {}", clean(line)))
}

/// NULL is a word without quotes; the text `NULL` has them, and so has the empty text.
fn shown(cell: &Option<String>) -> String {
    match cell.as_deref() {
        None => "NULL".into(),
        Some("") => "''".into(),
        Some("NULL") => "'NULL'".into(),
        Some(text) => text.to_owned(),
    }
}
