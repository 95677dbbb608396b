//! `EXPLAIN` made visible: the files that a query reads and why, and its plan as a tree, both taken
//! from the plan that really runs.

mod after;
mod condition;
mod funnel;
mod groups;
mod partitions;
mod scans;
mod tree;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::execution::SessionState;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use super::lakehouse::Lakehouse;
use crate::lake::evidence::Footers;
use crate::model::Outcome;
use crate::model::query_plan::QueryPlan;

pub use after::AfterRun;
pub(super) use scans::{ScanLog, reader};

/// What is asked of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Run,
    Explain,
    /// Explains it, and looks into footers of its files.
    Footers(Footers),
    /// Runs it too.
    Analyze,
}

/// What a statement asks for, and the statement that it asks about. The engine's own forms
/// (`VERBOSE`, `FORMAT …`) stay the engine's.
pub(super) fn mode(statement: Statement) -> (Mode, Statement) {
    match statement {
        Statement::Explain(explain) if !explain.options.verbose && explain.options.format.is_none() => {
            let mode = if explain.options.analyze { Mode::Analyze } else { Mode::Explain };
            (mode, *explain.statement)
        }
        other => (Mode::Run, other),
    }
}

/// Without Spark's words for how much to tell: all of it is told.
pub(super) fn without_detail(mut words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut c = Cursor::new(&words);
    let wordy = c.eat(&["EXPLAIN"])
        && ["EXTENDED", "FORMATTED", "COST", "CODEGEN"].iter().any(|word| c.sees(&[word]));
    if wordy {
        let at = words.len() - c.rest().len();
        if let Some(word) = words.get_mut(at) {
            word.token = Token::Whitespace(datafusion::sql::sqlparser::tokenizer::Whitespace::Space);
        }
    }
    words
}

/// The state with a log of what is scanned.
pub(super) fn observed(state: &SessionState) -> (SessionState, Arc<ScanLog>) {
    with_log(state, ScanLog::default())
}

/// The same for a query that is only run.
pub(super) fn counted(state: &SessionState) -> (SessionState, Arc<ScanLog>) {
    with_log(state, ScanLog::counting())
}

fn with_log(state: &SessionState, log: ScanLog) -> (SessionState, Arc<ScanLog>) {
    let log = Arc::new(log);
    let mut state = state.clone();
    let config = state.config().clone().with_extension(Arc::clone(&log));
    *state.config_mut() = config;
    (state, log)
}

/// Names the scan at the first reader of its files that has none yet.
fn mark_reader(
    physical: &Arc<dyn ExecutionPlan>,
    record: &scans::Record,
    scan: usize,
    nodes: &mut [crate::model::query_plan::Node],
) {
    let readers = scans::readers_of(physical, record);
    let free = readers.into_iter().find(|at| nodes.get(*at).is_some_and(|node| node.scan.is_none()));
    if let Some(node) = free.and_then(|at| nodes.get_mut(at)) {
        node.scan = Some(scan);
    }
}

/// The plan as it is told. `physical` has run if `ran` gives time and rows. `footers`: those of
/// its files to look into.
pub(super) async fn told(
    state: &SessionState,
    lakehouse: &Lakehouse,
    log: &ScanLog,
    physical: &Arc<dyn ExecutionPlan>,
    ran: Option<(u64, u64)>,
    footers: Footers,
) -> Outcome<QueryPlan> {
    let groups = match footers {
        Footers::None => HashMap::new(),
        asked => groups::look(state, physical, asked).await,
    };
    let mut plan = QueryPlan {
        scans: Vec::new(),
        nodes: tree::nodes(physical, ran.is_some()),
        millis: ran.map(|(millis, _)| millis),
        rows: ran.map(|(_, rows)| rows),
    };
    for record in log.records() {
        mark_reader(physical, &record, plan.scans.len(), &mut plan.nodes);
        plan.scans.push(funnel::scan(state, lakehouse, &record, physical, &groups, ran.is_some()).await?);
    }
    plan.mark_slow();
    Ok(plan)
}
