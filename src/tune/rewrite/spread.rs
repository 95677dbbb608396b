//! Blocking work on several threads: the first failure ends all of it, and nothing is left running
//! when it returns.

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio_util::sync::CancellationToken;

use crate::model::{Fault, Outcome};

/// Work for one thread.
pub type Work<T> = Box<dyn FnOnce() -> Outcome<T> + Send>;

/// Runs all of it, `at_once` at a time; results in the order of the work. `stop` is cancelled at
/// the first failure, so that the rest can end early.
pub async fn spread<T: Send + 'static>(
    work: Vec<Work<T>>,
    at_once: usize,
    stop: &CancellationToken,
) -> Outcome<Vec<T>> {
    let mut results: Vec<Option<T>> = work.iter().map(|_| None).collect();
    let mut waiting = work.into_iter().enumerate();
    let mut running = FuturesUnordered::new();
    let mut failure: Option<Fault> = None;
    loop {
        while running.len() < at_once.max(1)
            && failure.is_none()
            && let Some((at, work)) = waiting.next()
        {
            let task = tokio::task::spawn_blocking(work);
            running.push(async move { (at, task.await) });
        }
        let Some((at, done)) = running.next().await else { break };
        let done = done.unwrap_or_else(|e| {
            Err(Fault::new(crate::model::FaultKind::Change, "internal", "A rewriting thread broke off")
                .because(e))
        });
        match done {
            Ok(value) => results[at] = Some(value),
            Err(fault) => {
                stop.cancel();
                // Those that were told to stop have nothing to say.
                failure = match failure {
                    Some(first) if first.code != "cancelled" => Some(first),
                    _ => Some(fault),
                };
            }
        }
    }
    match failure {
        Some(fault) => Err(fault),
        None => Ok(results.into_iter().flatten().collect()),
    }
}
