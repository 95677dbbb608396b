//! A session: the statement's way from text to a running query.

use std::sync::Arc;
use std::time::Instant;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::DataFusionError;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};
use futures::StreamExt;
use futures::stream::BoxStream;

use super::catalog::Catalogs;
use super::change::{self, SqlChange};
use super::engine::{Limits, Shared};
use super::entry::Entry;
use super::explain::{self, AfterRun, Mode};
use super::lakehouse::Lakehouse;
use super::look::Look;
use super::pump::{Deadline, pumped};
use super::split::{Origin, tokens};
use super::travel::{self, When};
use super::{blame, engine, fold, guard, labels, look, refused, relation, spark, twice, yielding};
use crate::lake::discover::{self, not_a_table};
use crate::lake::evidence::Footers;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::lakehouse::{EntryKind, Found};
use crate::model::query_plan::QueryPlan;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// A session over one table (named `t` and by its own name) or a lakehouse folder (all its tables by name).
#[derive(Clone)]
pub struct SqlSession {
    context: SessionContext,
    lakehouse: Arc<Lakehouse>,
    limits: Limits,
}

/// A statement that runs: its columns, then its rows as they come. Dropping it aborts the query.
pub struct SqlRun {
    pub schema: SchemaRef,
    pub batches: BoxStream<'static, Outcome<RecordBatch>>,
    /// The answer to `EXPLAIN` as what it is; its rows say the same.
    pub plan: Option<Arc<QueryPlan>>,
    /// What it cost, to be asked after the rows; none for what is answered without the engine.
    pub after: Option<AfterRun>,
}

impl SqlSession {
    /// Registers the tables; loads none of them yet.
    pub async fn open(place: &Place, as_of: AsOf, watch: &Watch) -> Outcome<SqlSession> {
        SqlSession::with_limits(place, as_of, Limits::default(), watch).await
    }

    /// As [`SqlSession::open`], with limits for each statement.
    pub async fn with_limits(
        place: &Place,
        as_of: AsOf,
        limits: Limits,
        watch: &Watch,
    ) -> Outcome<SqlSession> {
        let no_engine = |e: DataFusionError| {
            Fault::read("query-failed", "The query engine cannot start").because(e.strip_backtrace())
        };
        let shared = Shared::new(limits).map_err(no_engine)?;
        let found = discover::look(place, watch).await?;
        let lakehouse = Arc::new(lakehouse(place, found, as_of, shared.clone())?);
        let context =
            engine::context(Arc::new(Catalogs(Arc::clone(&lakehouse))), &shared).map_err(no_engine)?;
        Ok(SqlSession { context, lakehouse, limits })
    }

    /// Runs one statement. Statements that change data are refused here.
    pub async fn run(&self, statement: &str) -> Outcome<SqlRun> {
        self.run_at(statement, Origin::default()).await
    }

    /// As [`SqlSession::run`]; the places in faults count from the start of the text that the
    /// statement was taken from.
    pub async fn run_at(&self, statement: &str, origin: Origin) -> Outcome<SqlRun> {
        let words = origin.shift(tokens(statement)?);
        self.run_in(&self.context.state(), words, None).await
    }

    /// The plan of a query: how it would run, or with `analyze` how it ran. Other statements have
    /// none.
    pub async fn explain_at(
        &self,
        statement: &str,
        origin: Origin,
        analyze: bool,
    ) -> Outcome<Arc<QueryPlan>> {
        let words = origin.shift(tokens(statement)?);
        let mode = if analyze { Mode::Analyze } else { Mode::Explain };
        let run = self.run_in(&self.context.state(), words, Some(mode)).await?;
        let none =
            || Fault::usage("unsupported-sql", "Only queries have a plan").hint("SELECT …, WITH …, VALUES …");
        run.plan.ok_or_else(none)
    }

    /// The plan of a query for the rows of the table `t` for which a condition holds, and what the
    /// statistics in the footers of its files leave of these. Places in faults are those in the condition.
    pub async fn explain_condition(&self, condition: &str, footers: Footers) -> Outcome<Arc<QueryPlan>> {
        let around = |text: &str| -> Outcome<Vec<TokenWithSpan>> {
            // Without places of their own: those are of the condition alone.
            Ok(tokens(text)?.into_iter().map(|t| TokenWithSpan::wrap(t.token)).collect())
        };
        let mut words = around("SELECT * FROM t WHERE (")?;
        words.extend(tokens(condition)?);
        words.extend(around(")")?);
        words.retain(|t| t.token != Token::EOF);
        // What is read is settled by then: how it would be shared out costs time for each file.
        let state = self.context.state();
        let rules = state.physical_optimizers().iter().filter(|rule| rule.name().contains("FilterPushdown"));
        let rules = rules.cloned().collect();
        let mut state = SessionStateBuilder::new_from_existing(state.clone())
            .with_physical_optimizer_rules(rules)
            .build();
        state.config_mut().options_mut().execution.target_partitions = 1;
        let run = self.run_in(&state, words, Some(Mode::Footers(footers))).await?;
        run.plan.ok_or_else(|| Fault::usage("unsupported-sql", "Only queries have a plan"))
    }

    /// The change that a statement asks for, for the change engine; none if it is no such
    /// statement. `OPTIMIZE`, `REORG … APPLY (PURGE)` and `VACUUM` are.
    pub fn change(statement: &str) -> Outcome<Option<SqlChange>> {
        SqlSession::change_at(statement, Origin::default())
    }

    /// As [`SqlSession::change`]; the places in faults count from the start of the text that the
    /// statement was taken from.
    pub fn change_at(statement: &str, origin: Origin) -> Outcome<Option<SqlChange>> {
        change::parse(&without_end(origin.shift(tokens(statement)?)))
    }

    pub(super) fn lakehouse(&self) -> &Arc<Lakehouse> {
        &self.lakehouse
    }

    /// Where the table of a change is.
    pub async fn table_of(&self, change: &SqlChange) -> Outcome<Place> {
        let (schema, table) = match &change.table[..] {
            [.., schema, table] => (schema.as_str(), table.as_str()),
            [table] => (engine::SCHEMA, table.as_str()),
            [] => (engine::SCHEMA, ""),
        };
        self.lakehouse.known_entry(schema, table).await.map(|entry| entry.place.clone())
    }

    pub(super) async fn run_in(
        &self,
        state: &SessionState,
        words: Vec<TokenWithSpan>,
        asked: Option<Mode>,
    ) -> Outcome<SqlRun> {
        let words = explain::without_detail(travel::join(without_end(words)));
        let words = relation::with_options(&spark::worded(words))?;
        if let Some(query) = look::described_query(&words) {
            let run = Box::pin(self.run_in(state, query.to_vec(), Some(Mode::Run))).await?;
            return look::columns_of(&run.schema);
        }
        if let Some(look) = Look::parse(&words)? {
            return look.run(&self.lakehouse).await;
        }
        if let Some(change) = change::parse(&words)? {
            return Err(guard::read_only(change.verb));
        }
        if let Some(run) = refused::answer(self, state, &words).await? {
            return Ok(run);
        }
        let deadline = Deadline::within(self.limits.time);
        let words = deadline.hold(self.at_versions(state, words)).await??;
        let as_written = parse(words.clone()).map_err(|e| blame::syntax(&words, &e))?;
        guard::check(&as_written)?;
        let mut folded = parse(fold::fold_tokens(&words)).map_err(|e| blame::syntax(&words, &e))?;
        twice::name_apart(&mut folded);
        relation::prepare(&mut folded);
        spark::translate(&mut folded);
        let (mode, folded) = explain::mode(folded);
        let query = Query { session: self, words, as_written, deadline };
        match asked.unwrap_or(mode) {
            Mode::Run => query.run(state, folded).await,
            mode => query.explain(state, folded, mode).await,
        }
    }

    /// The statement with all clauses of time travel as stamps on names.
    async fn at_versions(
        &self,
        state: &SessionState,
        mut words: Vec<TokenWithSpan>,
    ) -> Outcome<Vec<TokenWithSpan>> {
        while let Some(clause) = travel::find(&words)? {
            let as_of = match &clause.when {
                When::At(as_of) => *as_of,
                When::Computed(expression) => AsOf::Time(self.instant(state, expression).await?),
            };
            words = travel::stamp(&words, &clause, as_of);
        }
        Ok(words)
    }

    /// An expression's moment.
    async fn instant(&self, state: &SessionState, expression: &[TokenWithSpan]) -> Outcome<i64> {
        let text: String = expression.iter().map(|t| t.token.to_string()).collect();
        let select = tokens(&format!(
            "SELECT CAST(round(date_part('epoch', CAST(({text}) AS TIMESTAMP)) * 1000) AS BIGINT)"
        ))?;
        let mut run = Box::pin(self.run_in(state, select, Some(Mode::Run))).await?;
        let batch = run.batches.next().await.transpose()?;
        let millis = batch.as_ref().and_then(|b| {
            let column = b.columns().first()?.as_any().downcast_ref::<arrow::array::Int64Array>()?;
            column.iter().next().flatten()
        });
        millis.ok_or_else(|| {
            Fault::usage("invalid-sql", format!("\"{text}\" after TIMESTAMP AS OF is no moment"))
                .hint("TIMESTAMP AS OF '2026-05-27 10:00:00', or an expression such as current_timestamp() - INTERVAL 1 HOUR")
        })
    }

    /// Plans, which reads the tables' logs, and lists their files.
    async fn plan(
        &self,
        state: &SessionState,
        statement: Statement,
    ) -> Result<(LogicalPlan, Arc<dyn ExecutionPlan>), DataFusionError> {
        let plan = state.statement_to_plan(statement).await?;
        let physical = yielding::yielding(state.create_physical_plan(&plan).await?)?;
        Ok((plan, physical))
    }

    /// The first rows of the table `t`. One file is read after another, so that the same rows come
    /// each time.
    pub async fn preview(&self, limit: usize) -> Outcome<SqlRun> {
        let mut state = self.context.state();
        state.config_mut().options_mut().execution.target_partitions = 1;
        self.run_in(&state, tokens(&format!("SELECT * FROM t LIMIT {limit}"))?, None).await
    }

    fn labels(&self, plan: &LogicalPlan, as_written: &Statement, words: &[TokenWithSpan]) -> Vec<String> {
        let folded: Vec<String> = plan.schema().fields().iter().map(|f| f.name().clone()).collect();
        if !matches!(as_written, Statement::Statement(_)) {
            return folded;
        }
        labels::labels(&folded, as_written, &self.lakehouse.spellings(), &labels::given(words))
    }
}

/// A statement on its way.
struct Query<'a> {
    session: &'a SqlSession,
    words: Vec<TokenWithSpan>,
    as_written: Statement,
    deadline: Deadline,
}

impl Query<'_> {
    /// The plan, with a log written anew where the engine stumbles over the table's.
    async fn planned(
        &self,
        state: &SessionState,
        statement: Statement,
        again: impl FnOnce(),
    ) -> Outcome<(LogicalPlan, Arc<dyn ExecutionPlan>)> {
        let session = self.session;
        let work = async {
            let mut statement = statement;
            let mut plan = session.plan(state, statement.clone()).await;
            // A name of the list used in the list: once for each, and no more than so many.
            let mut names = 0..16;
            while let Err(e) = &plan
                && names.next().is_some()
                && let Some(name) = blame::missing_column(e)
                && spark::resolve(&mut statement, &name)
            {
                plan = session.plan(state, statement.clone()).await;
            }
            // A log that the engine stumbles over shows when the files are listed: once more, mended.
            match plan {
                Err(e) if blame::is_log(&e) && session.lakehouse.mend() => {
                    again();
                    session.plan(state, statement).await
                }
                other => other,
            }
        };
        self.deadline.hold(work).await?.map_err(|e| self.fault(&e))
    }

    fn fault(&self, error: &DataFusionError) -> Fault {
        blame::query(&self.session.lakehouse, &self.words, error)
    }

    async fn run(self, state: &SessionState, statement: Statement) -> Outcome<SqlRun> {
        let (state, log) = explain::counted(state);
        let (plan, physical) = self.planned(&state, statement, || log.clear()).await?;
        let stream = execute_stream(Arc::clone(&physical), state.task_ctx()).map_err(|e| self.fault(&e))?;
        let labels = self.session.labels(&plan, &self.as_written, &self.words);
        let schema = labels::relabel(plan.schema().as_arrow(), &labels);
        let (lakehouse, relabelled) = (Arc::clone(&self.session.lakehouse), Arc::clone(&schema));
        let after = AfterRun::new(&lakehouse, log, physical);
        let Query { words, deadline, .. } = self;
        let batches = stream.map(move |batch| match batch {
            Ok(batch) => Ok(labels::relabel_batch(&batch, &relabelled)),
            Err(e) => Err(blame::query(&lakehouse, &words, &e)),
        });
        Ok(SqlRun { schema, batches: pumped(batches.boxed(), deadline), plan: None, after: Some(after) })
    }

    async fn explain(self, state: &SessionState, statement: Statement, mode: Mode) -> Outcome<SqlRun> {
        let (state, log) = explain::observed(state);
        let (plan, physical) = self.planned(&state, statement, || log.clear()).await?;
        let mut ran = None;
        if mode == Mode::Analyze {
            let started = Instant::now();
            let stream =
                execute_stream(Arc::clone(&physical), state.task_ctx()).map_err(|e| self.fault(&e))?;
            let (lakehouse, words) = (Arc::clone(&self.session.lakehouse), self.words.clone());
            let rows = stream.map(move |batch| batch.map_err(|e| blame::query(&lakehouse, &words, &e)));
            let mut rows = pumped(rows.boxed(), self.deadline);
            let mut count = 0;
            while let Some(batch) = rows.next().await {
                count += batch?.num_rows() as u64;
            }
            let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            ran = Some((millis, count));
        }
        let footers = match mode {
            Mode::Footers(asked) => asked,
            _ => Footers::None,
        };
        let told = explain::told(&state, &self.session.lakehouse, &log, &physical, ran, footers).await?;
        plan_rows(told, &plan.display_indent().to_string())
    }
}

/// A plan as rows, in the engine's form.
fn plan_rows(plan: QueryPlan, logical: &str) -> Outcome<SqlRun> {
    let kinds = ["reads", "physical_plan", "logical_plan"];
    let texts = [plan.reads().join("\n"), plan.tree().join("\n"), logical.to_owned()];
    let column =
        |texts: Vec<String>| Arc::new(arrow::array::StringArray::from(texts)) as Arc<dyn arrow::array::Array>;
    let fields = ["plan_type", "plan"].map(|name| Field::new(name, DataType::Utf8, false));
    let schema = Arc::new(Schema::new(fields.to_vec()));
    let columns = vec![column(kinds.map(str::to_owned).to_vec()), column(texts.to_vec())];
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
    let batch = batch.map_err(|e| Fault::read("query-failed", "The plan cannot be shown").because(e))?;
    let batches = futures::stream::iter([Ok(batch)]).boxed();
    Ok(SqlRun { schema, batches, plan: Some(Arc::new(plan)), after: None })
}

/// The tables at a location, by their names.
fn lakehouse(place: &Place, found: Found, as_of: AsOf, shared: Shared) -> Outcome<Lakehouse> {
    match found {
        Found::Table => Ok(Lakehouse::single(place, as_of, shared)),
        Found::Folder(entries) => {
            let tables = entries.into_iter().filter(|e| matches!(e.kind, EntryKind::Table { .. }));
            let tables = tables.map(|e| below(place, &e.name, as_of)).collect();
            Ok(Lakehouse::folder(place, tables, as_of, shared))
        }
        other => Err(not_a_table(place, &other)),
    }
}

fn below(place: &Place, path: &str, as_of: AsOf) -> Entry {
    let (schema, name) = match path.rsplit_once('/') {
        Some((schema, name)) => (Some(schema.to_owned()), name),
        None => (None, path),
    };
    Entry::new(schema, vec![name.to_owned()], place.child(path), as_of)
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
