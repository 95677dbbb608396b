//! A query's rows through a task of its own: whoever waits for them can turn away at once, also
//! while the query computes without a pause.

use std::time::Duration;

use arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::model::{Fault, FaultKind, Outcome};

/// Batches that wait to be taken at most.
const AHEAD: usize = 2;

/// When a statement has to be done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Option<Instant>,
    allowed: Duration,
}

impl Deadline {
    /// From now on; none: never.
    pub(super) fn within(time: Option<Duration>) -> Self {
        Deadline { at: time.map(|t| Instant::now() + t), allowed: time.unwrap_or_default() }
    }

    /// The work, unless the time is up before.
    pub(super) async fn hold<T>(self, work: impl Future<Output = T>) -> Outcome<T> {
        match self.at {
            None => Ok(work.await),
            Some(at) => timeout_at(at, work).await.map_err(|_| {
                Fault::new(
                    FaultKind::Read,
                    "timeout",
                    format!("The statement took longer than {} s", self.allowed.as_secs_f64()),
                )
                .because("The setting sql.timeout ends it")
                .hint(
                    "Read less (a condition on a partition column, fewer columns), or set sql.timeout higher",
                )
            }),
        }
    }
}

/// The stream, driven by a task. Dropping it ends the task.
pub(super) fn pumped(
    mut from: BoxStream<'static, Outcome<RecordBatch>>,
    deadline: Deadline,
) -> BoxStream<'static, Outcome<RecordBatch>> {
    let (send, receive) = mpsc::channel(AHEAD);
    let task = SpawnedTask::spawn(async move {
        while let Some(batch) = from.next().await {
            if send.send(batch).await.is_err() {
                return;
            }
        }
    });
    let next = move |(mut receive, task): (mpsc::Receiver<Outcome<RecordBatch>>, SpawnedTask<()>)| async move {
        match deadline.hold(receive.recv()).await {
            Ok(Some(batch)) => Some((batch, Some((receive, task)))),
            // A task that broke off left its channel: that is no end.
            Ok(None) => match task.join().await {
                Ok(()) => None,
                Err(e) => Some((Err(broke(&e)), None)),
            },
            Err(fault) => Some((Err(fault), None)),
        }
    };
    futures::stream::unfold(Some((receive, task)), move |state| {
        let step = state.map(next);
        async move {
            match step {
                Some(step) => step.await,
                None => None,
            }
        }
    })
    .boxed()
}

fn broke(error: &tokio::task::JoinError) -> Fault {
    Fault::read("internal", "The query broke off")
        .because(error)
        .hint("This is a bug; please report it with the statement")
}
