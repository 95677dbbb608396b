//! Which files a condition leaves to be read: the engine plans a query with it, and its choice is put
//! in words.

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use super::evidence::{Columns, Footers, What, gather};
use super::log::OpenTable;
use super::sql::SqlSession;
use super::watch::Watch;
use crate::model::prune::{PruneReport, named_columns, prune_report};
use crate::model::stats::wanted_columns;
use crate::model::{Fault, FaultKind, Outcome};

/// `session` is one over the very version of the table; `predicate` an SQL condition on its columns;
/// `footers`: of the files that statistics leave, those whose row groups are looked at too.
///
/// # Errors
/// `invalid-predicate` (usage) if it is no such condition; those of reading the log.
pub async fn prune(
    table: &OpenTable,
    session: &SqlSession,
    predicate: &str,
    footers: Footers,
    watch: &Watch,
) -> Outcome<PruneReport> {
    if !is_one_condition(predicate) {
        return Err(invalid("Its parentheses do not match, or it is more than one"));
    }
    let metadata = &table.table.metadata;
    let names: Vec<String> = wanted_columns(metadata).into_iter().map(|c| c.name).collect();
    let all = names.iter().chain(&metadata.partition_columns).map(String::as_str);
    let columns = named_columns(predicate, all);
    let plan = tokio::select! {
        plan = session.explain_condition(predicate, footers) => plan.map_err(as_predicate)?,
        () = watch.cancel.cancelled() => return Err(Fault::cancelled()),
    };
    if plan.scans.len() > 1 {
        return Err(invalid("It reads more than the one table").hint("deltop sql --explain takes any query"));
    }
    let what = What { columns: Columns::Named(columns.clone()), ..What::default() };
    let found = gather(table, &what, watch).await?;
    // With too many files left, none was looked at.
    let left = plan.scans.first().map_or(0, |s| s.files.iter().filter(|f| f.kept).count());
    let asked = footers != Footers::None && (left == 0 || footers.of(left) > 0);
    Ok(prune_report(plan.scans.first(), &found, &columns, asked))
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
