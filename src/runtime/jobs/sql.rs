//! One SQL statement, its rows in portions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use futures::StreamExt;

use crate::app::JobEvent;
use crate::app::msg::Ask;
use crate::lake::place::Place;
use crate::lake::sql::{self, AfterRun, Origin, SqlChange, SqlSession};
use crate::lake::watch::Watch;
use crate::model::grid::Grid;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

use super::Shared;
use super::report::Report;

/// Rows that are turned into text and handed out at a time.
const PORTION: usize = 256;

/// Between two looks at how many files were read.
const PROGRESS: Duration = Duration::from_millis(250);

/// Text of a result that the screen holds at most, bytes: wide rows end a result before the row
/// limit does.
const MOST_TEXT: usize = 64 << 20;

pub(super) struct Query {
    pub location: String,
    pub version: Option<u64>,
    pub text: String,
    pub ask: Ask,
    pub max_rows: usize,
}

pub(super) async fn run(query: Query, shared: &Shared, report: &Report, watch: &Watch) -> Outcome<JobEvent> {
    let started = Instant::now();
    let work = async {
        let session = session(&query.location, query.version, shared, watch).await?;
        if let Some(asked) = SqlSession::change(&query.text)? {
            return change(asked, &session, &query.location, shared, watch).await;
        }
        if query.ask != Ask::Rows {
            return explain(&session, &query, report, started).await;
        }
        let mut run = session.run(&query.text).await?;
        report.send(JobEvent::SqlColumns(sql::grid_columns(&run.schema))).await?;
        if let Some(plan) = run.plan.take() {
            report.send(JobEvent::SqlPlan(plan)).await?;
        }
        let mut sent = Sent { rows: 0, text: 0, max_rows: query.max_rows };
        let mut truncated = false;
        let mut clock = tokio::time::interval(PROGRESS);
        loop {
            let next = tokio::select! {
                next = run.batches.next() => next,
                _ = clock.tick() => {
                    run.after.as_ref().and_then(AfterRun::progress).into_iter().for_each(|p| watch.progress(p));
                    continue;
                }
            };
            let Some(batch) = next else { break };
            if !sent.batch(&batch?, report).await? {
                truncated = true;
                break;
            }
        }
        let end = ended(sent.rows, truncated, started);
        if let Some(after) = &run.after {
            report.send(JobEvent::SqlFacts(Arc::new(after.facts()))).await?;
        }
        Ok(end)
    };
    // Planning takes no watch; dropping it here aborts the query.
    tokio::select! {
        done = work => done,
        () = watch.cancel.cancelled() => Err(Fault::cancelled()),
    }
}

fn ended(rows: usize, truncated: bool, started: Instant) -> JobEvent {
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    JobEvent::SqlEnd { rows: rows as u64, truncated, millis }
}

/// How a query would run, or how it ran.
async fn explain(
    session: &SqlSession,
    query: &Query,
    report: &Report,
    started: Instant,
) -> Outcome<JobEvent> {
    let analyze = query.ask == Ask::Analyze;
    let plan = session.explain_at(&query.text, Origin::default(), analyze).await?;
    report.send(JobEvent::SqlPlan(plan)).await?;
    Ok(ended(0, false, started))
}

/// A statement that changes the table on the screen is planned there. Those of other tables are not:
/// what one confirms is what one sees.
async fn change(
    asked: SqlChange,
    session: &SqlSession,
    location: &str,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let place = session.table_of(&asked).await?;
    let own = Place::resolve(location, &shared.options, watch).await?;
    if place.url != own.url {
        let name = asked.table.join(".");
        return Err(Fault::refused("other-table", format!("{} of {name} is not planned here", asked.verb))
            .because(format!("The table on the screen is {}, and a change is planned on that", own.name))
            .hint(format!("Open {name} and run the statement there")));
    }
    Ok(JobEvent::SqlChange(Box::new(asked.change)))
}

/// The session of that version, kept from the last query on it.
pub(super) async fn session(
    location: &str,
    version: Option<u64>,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<Arc<SqlSession>> {
    if let Some(session) = version.and_then(|v| shared.tables.session(location, v)) {
        return Ok(session);
    }
    let place = Place::resolve(location, &shared.options, watch).await?;
    let as_of = version.map_or(AsOf::Latest, AsOf::Version);
    let session = Arc::new(SqlSession::with_limits(&place, as_of, shared.powers.sql, watch).await?);
    if let Some(version) = version {
        shared.tables.keep_session(location, version, &session);
    }
    Ok(session)
}

/// What the screen has got so far.
struct Sent {
    rows: usize,
    text: usize,
    max_rows: usize,
}

impl Sent {
    /// Hands out a batch's rows; false when there are more than the screen takes.
    async fn batch(&mut self, batch: &RecordBatch, report: &Report) -> Outcome<bool> {
        let mut at = 0;
        while at < batch.num_rows() {
            let room = self.max_rows - self.rows;
            if room == 0 || self.text > MOST_TEXT {
                return Ok(false);
            }
            let rows = PORTION.min(room).min(batch.num_rows() - at);
            let mut grid = Grid::default();
            sql::append_rows(&mut grid, &batch.slice(at, rows));
            at += rows;
            self.rows += rows;
            self.text += grid.rows.iter().flatten().flatten().map(String::len).sum::<usize>();
            report.send(JobEvent::SqlRows(grid.rows)).await?;
        }
        Ok(true)
    }
}
