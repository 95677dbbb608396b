//! `EXPLAIN` made visible: the files that a query reads and why, and its plan as a tree, both taken
//! from the plan that really runs.

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

pub(super) use scans::ScanLog;

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
    let log = Arc::new(ScanLog::default());
    let mut state = state.clone();
    let config = state.config().clone().with_extension(Arc::clone(&log));
    *state.config_mut() = config;
    (state, log)
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
        plan.scans.push(funnel::scan(state, lakehouse, &record, physical, &groups, ran.is_some()).await?);
    }
    plan.mark_slow();
    Ok(plan)
}
