//! One piece of work, whatever happens to it.

use std::any::Any;
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::JobEvent;
use crate::model::{Fault, FaultKind, Outcome};

/// Runs the work to its closing event. Cancelled, it may take `grace` to end by itself before it is
/// dropped.
pub(super) async fn run(
    work: impl Future<Output = Outcome<JobEvent>> + Send + 'static,
    cancel: CancellationToken,
    grace: Duration,
) -> JobEvent {
    let mut work = tokio::spawn(work);
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = cancel.cancelled() => match timeout(grace, &mut work).await {
            Ok(ended) => ended,
            Err(_) => {
                work.abort();
                return JobEvent::Failed(Fault::cancelled());
            }
        }
    };
    match ended {
        Ok(Ok(event)) => event,
        Ok(Err(fault)) => JobEvent::Failed(fault),
        Err(error) if error.is_panic() => JobEvent::Failed(
            Fault::new(FaultKind::Read, "internal-error", "An internal error ended this task")
                .because(panic_text(error.into_panic().as_ref()))
                .hint("The log file holds the details"),
        ),
        Err(_) => JobEvent::Failed(Fault::cancelled()),
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(1);

    fn fault(event: JobEvent) -> Fault {
        match event {
            JobEvent::Failed(fault) => fault,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn answers_faults_and_panics_are_closing_events() {
        let answer = run(async { Ok(JobEvent::CommitsEnd(None)) }, CancellationToken::new(), GRACE).await;
        assert!(matches!(answer, JobEvent::CommitsEnd(None)));
        let missing = async { Err(Fault::read("missing", "Not there")) };
        assert_eq!(fault(run(missing, CancellationToken::new(), GRACE).await).code, "missing");
        let panicked = fault(run(async { panic!("at {}", 7) }, CancellationToken::new(), GRACE).await);
        assert_eq!((panicked.code, panicked.cause.as_str()), ("internal-error", "at 7"));
    }

    #[tokio::test]
    async fn a_job_that_does_not_obey_is_dropped() {
        let (held, dropped) = tokio::sync::oneshot::channel::<()>();
        let work = async move {
            let _held = held;
            std::future::pending().await
        };
        let cancel = CancellationToken::new();
        cancel.cancel();
        assert_eq!(fault(run(work, cancel, GRACE).await).code, "cancelled");
        assert!(dropped.await.is_err(), "what the work held is released");
    }

    #[tokio::test]
    async fn a_cancelled_job_may_still_answer_in_time() {
        let cancel = CancellationToken::new();
        let seen = cancel.clone();
        let work = async move {
            seen.cancelled().await;
            Ok(JobEvent::CommitsEnd(None))
        };
        cancel.cancel();
        assert!(matches!(run(work, cancel, GRACE).await, JobEvent::CommitsEnd(None)));
    }
}
