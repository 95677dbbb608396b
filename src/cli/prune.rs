//! `deltop prune`: which files a condition leaves to be read, and why each one stays or goes.

use std::io::{self, Write};

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::args::PruneArgs;
use super::call::Call;
use super::output::{self, failed};
use super::rows::cancellable;
use super::text::{Column, table};
use crate::lake::evidence::{Columns, What, gather};
use crate::lake::log::OpenTable;
use crate::lake::sql::{Origin, SqlSession};
use crate::model::prune::{PruneReport, named_columns, prune_report};
use crate::model::query_plan::Share;
use crate::model::stats::wanted_columns;
use crate::model::table::AsOf;
use crate::model::units::{bytes, count, percent};
use crate::model::{Fault, FaultKind, Outcome};

pub async fn run(call: &mut Call<'_>, args: &PruneArgs) -> Outcome<()> {
    if !is_one_condition(&args.predicate) {
        return Err(invalid("Its parentheses do not match, or it is more than one"));
    }
    let open = call.table().await?;
    let metadata = &open.table.metadata;
    let names: Vec<String> = wanted_columns(metadata).into_iter().map(|c| c.name).collect();
    let all = names.iter().chain(&metadata.partition_columns).map(String::as_str);
    let columns = named_columns(&args.predicate, all);
    let session = SqlSession::open(&call.place, open_at(&open), call.watch).await?;
    // On a line of its own, a comment at the condition's end ends there.
    let query = format!("SELECT * FROM t WHERE (\n{}\n)", args.predicate);
    let plan = cancellable(call.watch, session.explain_at(&query, Origin::default(), false)).await?;
    let plan = plan.map_err(as_predicate)?;
    if plan.scans.len() > 1 {
        return Err(invalid("It reads more than the one table").hint("deltop sql --explain takes any query"));
    }
    let what = What { columns: Columns::Named(columns.clone()), ..What::default() };
    let found = gather(&open, &what, call.watch).await?;
    let report = prune_report(plan.scans.first(), &found, &columns);
    if call.format.is_text() {
        return write_text(call.out, &report, args.limit).map_err(failed);
    }
    output::object(call.out, call.format, &report)
}

/// Whether the text stays within the parentheses that are put around it. What is no SQL at all is left
/// to the engine, which tells more.
fn is_one_condition(text: &str) -> bool {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    let mut depth = 0usize;
    for token in tokens {
        match token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => return false,
            Token::RParen => depth -= 1,
            Token::SemiColon => return false,
            _ => {}
        }
    }
    depth == 0
}

/// The very version that was opened.
fn open_at(open: &OpenTable) -> AsOf {
    AsOf::Version(open.table.version)
}

fn invalid(cause: &str) -> Fault {
    Fault::usage("invalid-predicate", "The condition cannot be used").because(cause)
}

/// What is wrong with the query is wrong with the condition.
fn as_predicate(fault: Fault) -> Fault {
    if fault.kind != FaultKind::Usage {
        return fault;
    }
    let cause = [fault.message.as_str(), fault.cause.as_str()].into_iter().filter(|t| !t.is_empty());
    let cause = cause.collect::<Vec<_>>().join(": ");
    invalid(&cause).hint(fault.hint)
}

fn write_text(out: &mut dyn Write, report: &PruneReport, limit: usize) -> io::Result<()> {
    let all = Share { files: report.total_files, bytes: report.total_bytes };
    let stages = [
        ("all files", all),
        ("after partitions", report.after_partitions),
        ("after statistics", report.after_statistics),
    ];
    let columns = [Column::left(""), Column::right("files"), Column::right("bytes"), Column::right("share")];
    let rows = stages.iter().map(|(name, share)| {
        vec![(*name).into(), count(share.files), bytes(share.bytes), percent(share.bytes, all.bytes)]
    });
    table(out, &columns, rows)?;
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
