//! A session: the statement's way from text to a running query.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::common::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;
use futures::StreamExt;
use futures::stream::BoxStream;

use super::catalog::{Catalogs, Entry, Lakehouse};
use super::looks::Look;
use super::split::tokens;
use super::{blame, engine, fold, guard, labels};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::Outcome;
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
    pub async fn open(place: &Place, as_of: AsOf, _watch: &Watch) -> Outcome<SqlSession> {
        let entry = Entry::new(None, vec![place.name.clone(), "t".into()], place.clone());
        let lakehouse = Arc::new(Lakehouse::new(vec![entry], as_of));
        let context = engine::context(Arc::new(Catalogs(Arc::clone(&lakehouse))));
        let context = context.map_err(|e| blame::query(&lakehouse, &[], &e))?;
        Ok(SqlSession { context, lakehouse })
    }

    /// Runs one statement. Statements that change data are refused here.
    pub async fn run(&self, statement: &str) -> Outcome<SqlRun> {
        self.run_in(&self.context.state(), statement).await
    }

    async fn run_in(&self, state: &SessionState, statement: &str) -> Outcome<SqlRun> {
        let words = tokens(statement)?;
        guard::check_words(&words)?;
        if let Some(look) = Look::parse(&words) {
            return look.run(&self.lakehouse).await;
        }
        let as_written = parse(words.clone()).map_err(|e| blame::syntax(&words, &e))?;
        guard::check(&as_written)?;
        let folded = parse(fold::fold_tokens(&words)).map_err(|e| blame::syntax(&words, &e))?;

        let fault = |e: DataFusionError| blame::query(&self.lakehouse, &words, &e);
        let plan = state.statement_to_plan(folded).await.map_err(fault)?;
        let labels = self.labels(&plan, &as_written, &words);
        let schema = labels::relabel(plan.schema().as_arrow(), &labels);
        let batches = self.start(state, &plan, words).await?;
        let relabelled = Arc::clone(&schema);
        let batches = batches.map(move |batch| batch.map(|b| labels::relabel_batch(&b, &relabelled)));
        Ok(SqlRun { schema, batches: batches.boxed() })
    }

    /// The first rows of the table `t`. One file is read after another, so that the same rows come
    /// each time.
    pub async fn preview(&self, limit: usize) -> Outcome<SqlRun> {
        let mut state = self.context.state();
        state.config_mut().options_mut().execution.target_partitions = 1;
        self.run_in(&state, &format!("SELECT * FROM t LIMIT {limit}")).await
    }

    /// Optimises the plan, lists the files of its tables and starts it.
    async fn start(
        &self,
        state: &SessionState,
        plan: &LogicalPlan,
        words: Vec<TokenWithSpan>,
    ) -> Outcome<BoxStream<'static, Outcome<RecordBatch>>> {
        let fault = |e: DataFusionError| blame::query(&self.lakehouse, &words, &e);
        let physical = state.create_physical_plan(plan).await.map_err(fault)?;
        let stream = execute_stream(physical, state.task_ctx()).map_err(fault)?;
        let lakehouse = Arc::clone(&self.lakehouse);
        Ok(stream.map(move |b| b.map_err(|e| blame::query(&lakehouse, &words, &e))).boxed())
    }

    fn labels(&self, plan: &LogicalPlan, as_written: &Statement, words: &[TokenWithSpan]) -> Vec<String> {
        let folded: Vec<String> = plan.schema().fields().iter().map(|f| f.name().clone()).collect();
        if !matches!(as_written, Statement::Statement(_)) {
            return folded;
        }
        labels::labels(&folded, as_written, &self.lakehouse.spellings(), &labels::given(words))
    }
}

fn parse(words: Vec<TokenWithSpan>) -> Result<Statement, DataFusionError> {
    let mut parser = DFParserBuilder::new(words).with_dialect(&super::split::DIALECT).build()?;
    let statement = parser.parse_statement()?;
    parser.parser.expect_token(&datafusion::sql::sqlparser::tokenizer::Token::EOF)?;
    Ok(statement)
}
