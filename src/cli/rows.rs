//! Rows of queries on standard output: a table for people, CSV, JSON, or Parquet.

use std::io::{self, IsTerminal, Write};

use arrow::array::RecordBatch;
use futures::StreamExt;

use super::args::RowFormat;
use super::change;
use super::output::{ArrayWriter, Format, Sink, failed};
use super::parquet_rows;
use super::text::{Column, Layout};
use crate::lake::sql::{SqlRun, append_rows, csv_record, grid_columns, json_rows};
use crate::lake::watch::Watch;
use crate::model::change::{Done, PlanView};
use crate::model::grid::Grid;
use crate::model::text::clean;
use crate::model::{Fault, Outcome};

/// The form of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowForm {
    Text,
    Csv,
    Json(Format),
    Parquet,
}

impl RowForm {
    /// From the answer's form and `--format`.
    ///
    /// # Errors
    /// `usage` if the two are of different minds.
    pub fn of(format: Format, asked: Option<RowFormat>) -> Outcome<RowForm> {
        let form = match asked {
            None if format.is_text() => RowForm::Text,
            None => RowForm::Json(format),
            Some(RowFormat::Table) => RowForm::Text,
            Some(RowFormat::Csv) => RowForm::Csv,
            Some(RowFormat::Parquet) => RowForm::Parquet,
            Some(RowFormat::Json) => RowForm::Json(Format::Json),
            Some(RowFormat::Ndjson) => RowForm::Json(Format::Ndjson),
        };
        let other = !format.is_text() && form != RowForm::Json(format);
        if other {
            return Err(Fault::usage("usage", "--format and --json or --ndjson ask for different things")
                .hint("Use one of them"));
        }
        Ok(form)
    }
}

/// Writes the rows of one or several queries, each as they come; memory stays bounded.
///
/// Several results as JSON are one array of results, each of them an array of rows; as lines, as
/// text and as CSV they follow one another, with an empty line between two (lines excepted).
pub enum Rows<'a> {
    Text { out: &'a mut Sink, written: usize },
    Csv { out: &'a mut Sink, written: usize },
    Json { array: ArrayWriter<'a>, several: bool },
    Parquet { out: &'a mut Sink },
}

impl<'a> Rows<'a> {
    /// For so many results.
    ///
    /// # Errors
    /// `usage` for Parquet on a terminal, or for more than one result in a Parquet file.
    pub fn new(form: RowForm, results: usize, out: &'a mut Sink) -> Outcome<Self> {
        Ok(match form {
            RowForm::Text => Rows::Text { out, written: 0 },
            RowForm::Csv => Rows::Csv { out, written: 0 },
            RowForm::Json(format) => {
                Rows::Json { array: ArrayWriter::new(out, format), several: results > 1 }
            }
            RowForm::Parquet if results > 1 => {
                return Err(Fault::usage("usage", "A Parquet file takes one result")
                    .because(format!("there are {results} statements")));
            }
            RowForm::Parquet if io::stdout().is_terminal() => {
                return Err(Fault::usage("usage", "Parquet is not written to a terminal")
                    .hint("Send it to a file: deltop sql … --format parquet > rows.parquet"));
            }
            RowForm::Parquet => Rows::Parquet { out },
        })
    }

    pub async fn write(&mut self, run: SqlRun, watch: &Watch) -> Outcome<()> {
        match self {
            Rows::Text { out, written } => {
                between(*out, written)?;
                write_text(run, watch, *out).await
            }
            Rows::Csv { out, written } => {
                between(*out, written)?;
                write_csv(run, watch, *out).await
            }
            Rows::Json { array, several } => {
                if *several {
                    array.begin();
                }
                write_json(run, watch, array).await?;
                if *several {
                    array.finish();
                }
                Ok(())
            }
            Rows::Parquet { out } => parquet_rows::write(run, watch, *out).await,
        }
    }

    /// Writes the plan of a change, and what came of it: as text, or as an element of the array.
    ///
    /// # Errors
    /// `usage` for forms that hold rows only.
    pub fn write_change(&mut self, view: &PlanView, done: Option<&Done>, ascii: bool) -> Outcome<()> {
        match self {
            Rows::Text { out, written } => {
                between(*out, written)?;
                change::text::write(*out, view, done, ascii).map_err(failed)
            }
            Rows::Json { array, .. } => array.push(&change::json(&view.report, done)?),
            Rows::Csv { .. } | Rows::Parquet { .. } => Err(plans_are_no_rows()),
        }
    }

    /// Nothing more comes.
    pub fn end(self) -> Outcome<()> {
        match self {
            Rows::Json { array, .. } => array.end(),
            _ => Ok(()),
        }
    }

    /// Nothing more comes, since something failed. What was written so far stays a whole JSON value;
    /// if nothing was, the failure is the only one.
    pub fn broken_off(self, fault: Fault) -> Fault {
        if let Rows::Json { array, .. } = self
            && array.has_started()
        {
            // The failure that led here is the one to tell.
            drop(array.end());
        }
        fault
    }
}

/// The fault for a plan in a form that holds rows only.
pub fn plans_are_no_rows() -> Fault {
    Fault::usage("usage", "The plan of a change is text or JSON")
        .because("CSV and Parquet hold the rows of a query")
        .hint("Leave --format out, or use --format json")
}

/// An empty line between two results.
fn between(out: &mut Sink, written: &mut usize) -> Outcome<()> {
    *written += 1;
    if *written > 1 { writeln!(out).map_err(failed) } else { Ok(()) }
}

/// Waits for work that knows no cancelling of its own.
pub async fn cancellable<T>(watch: &Watch, work: impl Future<Output = T>) -> Outcome<T> {
    tokio::select! {
        done = work => Ok(done),
        () = watch.cancel.cancelled() => Err(Fault::cancelled()),
    }
}

async fn write_json(mut run: SqlRun, watch: &Watch, array: &mut ArrayWriter<'_>) -> Outcome<()> {
    while let Some(batch) = cancellable(watch, run.batches.next()).await? {
        json_rows(&batch?)?.iter().try_for_each(|row| array.push(row))?;
    }
    Ok(())
}

async fn write_csv(mut run: SqlRun, watch: &Watch, out: &mut Sink) -> Outcome<()> {
    let names: Vec<_> = run.schema.fields().iter().map(|f| Some(f.name().clone())).collect();
    out.write_all(csv_record(&names).as_bytes()).map_err(failed)?;
    while let Some(batch) = cancellable(watch, run.batches.next()).await? {
        let mut grid = Grid::default();
        append_rows(&mut grid, &batch?);
        let mut rows = grid.rows.iter();
        rows.try_for_each(|row| out.write_all(csv_record(row).as_bytes())).map_err(failed)?;
    }
    Ok(())
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
