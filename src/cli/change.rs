//! Changes of a table: the plan is printed and that is all, unless `--yes` says to run it.

use std::io::{self, Write};

use serde_json::Value;

use super::call::Call;
use super::output::{self, failed};
use super::text::{counted, pairs};
use super::vacuum;
use crate::model::change::{Change, Done, Phase, PlanView, Report, TaskProgress, UndoReport};
use crate::model::progress::Progress;
use crate::model::table::AsOf;
use crate::model::text::clean;
use crate::model::units::{bytes, duration};
use crate::model::{Fault, Outcome};
use crate::tune::{self, Context};

/// Plans a change and prints the plan, or runs it and prints what came of it if `yes`.
///
/// # Errors
/// `usage` with `--as-of`; `read-only` for `--yes` without `--allow-writes`; those of the change.
pub async fn run(call: &mut Call<'_>, change: Change, yes: bool) -> Outcome<()> {
    if call.as_of != AsOf::Latest {
        return Err(Fault::usage("usage", "A change takes no --as-of")
            .because("Only the newest version can be changed"));
    }
    let ctx = context(call);
    if yes {
        ctx.may_write()?;
    }
    let planned = tune::plan(&change, &ctx).await?;
    let view = planned.view.clone();
    if !yes {
        return match call.format.is_text() {
            true => write_plan(call.out, &view, &call.place.display).map_err(failed),
            false => output::object(call.out, call.format, &view.report),
        };
    }
    let done = tune::run(planned, &ctx).await?;
    match call.format.is_text() {
        true => write_done(call.out, &view, &done).map_err(failed),
        false => output::object(call.out, call.format, &merged(&view.report, &done)?),
    }
}

fn context(call: &Call<'_>) -> Context {
    let watch = call.watch.clone();
    Context {
        allow_writes: call.allow_writes,
        cancel: call.watch.cancel.clone(),
        progress: std::sync::Arc::new(move |task| watch.progress(progress_of(&task))),
        ..Context::new(call.place.clone())
    }
}

fn progress_of(task: &TaskProgress) -> Progress {
    let phase = match task.phase {
        Phase::Waiting => "waiting",
        Phase::Planning => "planning",
        Phase::Rewriting => "rewriting",
        Phase::Verifying => "reading back",
        Phase::Committing => "committing",
        Phase::Deleting => "deleting",
        Phase::CleaningUp => "cleaning up",
    };
    Progress::new(phase, task.files_done, task.files_total, "files")
}

/// The plan, followed by the result: the contract's JSON of a change that ran.
fn merged(report: &Report, done: &Done) -> Outcome<Value> {
    let value = |v: serde_json::Result<Value>| v.map_err(|e| failed(e.into()));
    let mut all = value(serde_json::to_value(report))?;
    if let (Value::Object(all), Value::Object(done)) = (&mut all, value(serde_json::to_value(done))?) {
        all.extend(done);
    }
    Ok(all)
}

fn write_plan(out: &mut dyn Write, view: &PlanView, location: &str) -> io::Result<()> {
    let command = match &view.report {
        Report::Vacuum(report) => {
            vacuum::write_plan(out, report)?;
            vacuum::command(&view.change, location)
        }
        Report::Rewrite(report) => report.command.clone(),
        Report::Undo(report) => {
            write_inverse(out, report)?;
            report.command.clone()
        }
    };
    match view.empty {
        true => writeln!(out, "\nThere is nothing to do: nothing was changed."),
        false => {
            writeln!(out, "\nNothing was changed. To run it:\n  {} --yes --allow-writes", clean(&command))
        }
    }
}

/// The plan of an undo or a repair.
fn write_inverse(out: &mut dyn Write, report: &UndoReport) -> io::Result<()> {
    let versions: Vec<String> = report.versions.iter().map(|v| format!("v{v}")).collect();
    let lines = [
        ("Table", format!("{}   v{}", report.table, report.version)),
        ("Takes back", if versions.is_empty() { "nothing".into() } else { versions.join(", ") }),
        ("Restores", sum(report.num_files_restored, report.bytes_restored)),
        ("Removes", sum(report.num_files_removed, report.bytes_removed)),
    ];
    pairs(out, &lines)?;
    report.risks.iter().try_for_each(|risk| writeln!(out, "Note: {}", clean(risk)))
}

fn sum(files: u64, size: u64) -> String {
    format!("{}, {}", counted(files, "file"), bytes(size))
}

fn write_done(out: &mut dyn Write, view: &PlanView, done: &Done) -> io::Result<()> {
    if done.new_version.is_none() {
        return writeln!(out, "There was nothing to do.");
    }
    let what = match &view.report {
        Report::Vacuum(_) => {
            format!("Deleted {}, {}", counted(done.num_files_removed, "file"), bytes(done.bytes_removed))
        }
        Report::Rewrite(_) | Report::Undo(_) => format!(
            "Added {}, {}; removed {}, {}",
            counted(done.num_files_added, "file"),
            bytes(done.bytes_added),
            counted(done.num_files_removed, "file"),
            bytes(done.bytes_removed)
        ),
    };
    let version = done.new_version.map_or(String::new(), |v| format!("; version {v}"));
    writeln!(out, "{what} in {}{version}", duration((done.seconds * 1000.0) as u64))?;
    if let Some(rows) = done.rows_verified {
        writeln!(out, "{} read back and found equal", counted(rows, "row"))?;
    }
    for note in &done.notes {
        writeln!(out, "note: {}", clean(note))?;
    }
    Ok(())
}
