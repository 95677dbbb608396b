//! `deltop prune`: which files a condition leaves to be read, and why each one stays or goes.

use std::io::{self, Write};

use super::args::PruneArgs;
use super::call::Call;
use super::output::{self, failed};
use super::text::{Column, table};
use crate::lake::evidence::Footers;
use crate::lake::prune::prune;
use crate::lake::sql::SqlSession;
use crate::model::Outcome;
use crate::model::prune::PruneReport;
use crate::model::query_plan::Share;
use crate::model::table::AsOf;
use crate::model::units::{bytes, count, percent};

pub async fn run(call: &mut Call<'_>, args: &PruneArgs) -> Outcome<()> {
    let open = call.table().await?;
    // The very version that was opened.
    let version = AsOf::Version(open.table.version);
    let session = SqlSession::open(&call.place, version, call.watch).await?;
    let report = prune(&open, &session, &args.predicate, Footers::asked(args.footers), call.watch).await?;
    if call.format.is_text() {
        return write_text(call.out, &report, args.limit).map_err(failed);
    }
    output::object(call.out, call.format, &report)
}

fn write_text(out: &mut dyn Write, report: &PruneReport, limit: usize) -> io::Result<()> {
    let all = Share { files: report.total_files, bytes: report.total_bytes };
    let stages = [
        ("all files", all),
        ("after partitions", report.after_partitions),
        ("after statistics", report.after_statistics),
    ];
    let columns = [Column::left(""), Column::right("files"), Column::right("bytes"), Column::right("share")];
    // Figures of some files are none of the table: then only the sentence below tells.
    let whole = report.after_row_groups.filter(|left| left.num_footers > 0 && !left.is_partial());
    let last = whole.map(|left| ("after row groups", Share { files: left.files, bytes: left.bytes }));
    let rows = stages.into_iter().chain(last).map(|(name, share)| {
        vec![name.into(), count(share.files), bytes(share.bytes), percent(share.bytes, all.bytes)]
    });
    table(out, &columns, rows)?;
    let said = match report.after_row_groups {
        None => "Footers were not looked at (--footers).".to_owned(),
        Some(left) if left.of_files == 0 => String::new(),
        Some(left) if left.num_footers == 0 => {
            "No footer can be read: which row groups are read is unknown.".into()
        }
        Some(left) => format!("Row groups that are read: {}.", left.sentence()),
    };
    if !said.is_empty() {
        writeln!(out, "\n{said}")?;
    }
    writeln!(out)?;
    // Those that are read first; within, the order of the log.
    let (kept, dropped): (Vec<_>, Vec<_>) = report.files.iter().partition(|f| f.kept);
    let shown = kept.into_iter().chain(dropped).take(limit);
    let columns =
        [Column::left("fate"), Column::right("bytes"), Column::left("reason"), Column::left("path")];
    let rows = shown.map(|f| {
        let fate = if f.kept { "KEPT" } else { "DROPPED" };
        vec![fate.into(), bytes(f.bytes), f.reason.clone(), f.path.clone()]
    });
    table(out, &columns, rows)?;
    match report.files.len().saturating_sub(limit) {
        0 => Ok(()),
        more => writeln!(out, "… and {} more (--limit N)", count(more as u64)),
    }
}
