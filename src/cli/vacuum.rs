//! `deltop vacuum`: deletes files that no version in use needs.

use std::io::{self, Write};

use super::args::VacuumArgs;
use super::call::Call;
use super::change;
use super::text::{Column, counted, table};
use crate::model::Outcome;
use crate::model::change::{Change, Vacuum};
use crate::model::plan::vacuum::{Mode, VacuumReport};
use crate::model::units::{bytes, count};

pub async fn run(call: &mut Call<'_>, args: &VacuumArgs) -> Outcome<()> {
    let ask = Vacuum {
        mode: if args.full { Mode::Full } else { Mode::Lite },
        retain_hours: args.retain,
        below_safe_retention: args.below_safe_retention,
        include_never_referenced: args.include_never_referenced,
    };
    let ctx = change::context(call);
    change::run(call, &Change::Vacuum(ask), ctx, args.yes).await
}

pub fn write_plan(out: &mut dyn Write, report: &VacuumReport) -> io::Result<()> {
    let mode = match report.mode {
        Mode::Lite => "lite: what the log names as removed",
        Mode::Full => "full: also unused files that a listing finds",
    };
    writeln!(out, "Vacuum   {mode}   retention {} h", count(report.retention_hours))?;
    writeln!(out, "{}, {} would be deleted", counted(report.num_files, "file"), bytes(report.bytes))?;
    let version = |v: Option<u64>| v.map_or("unknown".into(), |v| format!("v{v}"));
    let (before, after) = (version(report.oldest_version_before), version(report.oldest_version_after));
    writeln!(out, "Oldest version that can be read: {before} now, {after} afterwards")?;
    if !report.partitions.is_empty() {
        writeln!(out)?;
        let rows = report.partitions.iter().map(|p| {
            let folder = if p.path.is_empty() { "(the table's own folder)" } else { &p.path };
            vec![folder.to_owned(), count(p.num_files), bytes(p.bytes)]
        });
        table(out, &[Column::left("Folder"), Column::right("Files"), Column::right("Size")], rows)?;
    }
    let never = &report.never_referenced;
    if never.num_files > 0 {
        let size = bytes(never.bytes);
        let files = counted(never.num_files, "file");
        writeln!(
            out,
            "\n{files}, {size} that no commit refers to (--include-never-referenced deletes them)"
        )?;
    }
    let kept = report.kept_in_words();
    if !kept.is_empty() {
        writeln!(out, "Kept: {kept}")?;
    }
    Ok(())
}
