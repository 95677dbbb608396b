//! A session: the statement's way from text to a running query.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::common::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};
use futures::StreamExt;
use futures::stream::BoxStream;

use super::catalog::Catalogs;
use super::entry::Entry;
use super::lakehouse::Lakehouse;
use super::looks::Look;
use super::split::tokens;
use super::{blame, engine, fold, guard, labels, twice};
use crate::lake::discover::{self, not_a_table};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::lakehouse::{EntryKind, Found};
use crate::model::table::AsOf;

/// A session over one table (named `t` and by its own name) or a lakehouse folder (all its tables by name).
#[derive(Clone)]
pub struct SqlSession {
    context: SessionContext,
    lakehouse: Arc<Lakehouse>,
}

/// A statement that runs: its columns, then its rows as they come. Dropping it aborts the query.
pub struct SqlRun {
    pub schema: SchemaRef,
    pub batches: BoxStream<'static, Outcome<RecordBatch>>,
}

impl SqlSession {
    /// Registers the tables; loads none of them yet.
    pub async fn open(place: &Place, as_of: AsOf, watch: &Watch) -> Outcome<SqlSession> {
        let lakehouse = Arc::new(lakehouse(place, discover::look(place, watch).await?, as_of)?);
        let context = engine::context(Arc::new(Catalogs(Arc::clone(&lakehouse))));
        let context = context.map_err(|e| blame::query(&lakehouse, &[], &e))?;
        Ok(SqlSession { context, lakehouse })
    }

    /// Runs one statement. Statements that change data are refused here.
    pub async fn run(&self, statement: &str) -> Outcome<SqlRun> {
        self.run_in(&self.context.state(), statement).await
    }

    async fn run_in(&self, state: &SessionState, statement: &str) -> Outcome<SqlRun> {
        let words = without_end(tokens(statement)?);
        guard::check_words(&words)?;
        if let Some(look) = Look::parse(&words) {
            return look.run(&self.lakehouse).await;
        }
        let as_written = parse(words.clone()).map_err(|e| blame::syntax(&words, &e))?;
        guard::check(&as_written)?;
        let mut folded = parse(fold::fold_tokens(&words)).map_err(|e| blame::syntax(&words, &e))?;
        twice::name_apart(&mut folded);

        let plan = self.plan(state, folded.clone()).await;
        // A log that the engine stumbles over shows when the files are listed: once more, mended.
        let planned = match plan {
            Err(e) if blame::is_log(&e) && self.lakehouse.mend() => self.plan(state, folded).await,
            other => other,
        };
        let fault = |e: DataFusionError| blame::query(&self.lakehouse, &words, &e);
        let (plan, physical) = planned.map_err(fault)?;
        let stream = execute_stream(physical, state.task_ctx()).map_err(fault)?;
        let labels = self.labels(&plan, &as_written, &words);
        let schema = labels::relabel(plan.schema().as_arrow(), &labels);
        let (lakehouse, relabelled) = (Arc::clone(&self.lakehouse), Arc::clone(&schema));
        let batches = stream.map(move |batch| match batch {
            Ok(batch) => Ok(labels::relabel_batch(&batch, &relabelled)),
            Err(e) => Err(blame::query(&lakehouse, &words, &e)),
        });
        Ok(SqlRun { schema, batches: batches.boxed() })
    }

    /// Plans, which reads the tables' logs, and lists their files.
    async fn plan(
        &self,
        state: &SessionState,
        statement: Statement,
    ) -> Result<(LogicalPlan, Arc<dyn ExecutionPlan>), DataFusionError> {
        let plan = state.statement_to_plan(statement).await?;
        let physical = state.create_physical_plan(&plan).await?;
        Ok((plan, physical))
    }

    /// The first rows of the table `t`. One file is read after another, so that the same rows come
    /// each time.
    pub async fn preview(&self, limit: usize) -> Outcome<SqlRun> {
        let mut state = self.context.state();
        state.config_mut().options_mut().execution.target_partitions = 1;
        self.run_in(&state, &format!("SELECT * FROM t LIMIT {limit}")).await
    }

    fn labels(&self, plan: &LogicalPlan, as_written: &Statement, words: &[TokenWithSpan]) -> Vec<String> {
        let folded: Vec<String> = plan.schema().fields().iter().map(|f| f.name().clone()).collect();
        if !matches!(as_written, Statement::Statement(_)) {
            return folded;
        }
        labels::labels(&folded, as_written, &self.lakehouse.spellings(), &labels::given(words))
    }
}

/// The tables at a location, by their names.
fn lakehouse(place: &Place, found: Found, as_of: AsOf) -> Outcome<Lakehouse> {
    match found {
        Found::Table => Ok(Lakehouse::single(place, as_of)),
        Found::Folder(entries) => {
            let tables = entries.into_iter().filter(|e| matches!(e.kind, EntryKind::Table { .. }));
            Ok(Lakehouse::folder(tables.map(|e| below(place, &e.name)).collect(), as_of))
        }
        other => Err(not_a_table(place, &other)),
    }
}

fn below(place: &Place, path: &str) -> Entry {
    let (schema, name) = match path.rsplit_once('/') {
        Some((schema, name)) => (Some(schema.to_owned()), name),
        None => (None, path),
    };
    Entry::new(schema, vec![name.to_owned()], place.child(path))
}

/// Without the `;` at the end.
fn without_end(mut words: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let idle = |t: &TokenWithSpan| matches!(t.token, Token::Whitespace(_) | Token::EOF | Token::SemiColon);
    while words.last().is_some_and(idle) {
        words.pop();
    }
    words
}

fn parse(words: Vec<TokenWithSpan>) -> Result<Statement, DataFusionError> {
    let mut parser = DFParserBuilder::new(words).with_dialect(&super::split::DIALECT).build()?;
    let statement = parser.parse_statement()?;
    parser.parser.expect_token(&Token::EOF)?;
    Ok(statement)
}
