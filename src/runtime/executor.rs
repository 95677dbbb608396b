//! The async runtime of headless commands.

use std::any::Any;
use std::future::Future;
use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;

use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

use super::signals;

/// Stack of a worker thread, bytes: plans of thousands of terms are walked by recursion. Only what
/// is used of it takes memory.
pub const WORKER_STACK: usize = 64 << 20;

/// Threads for what blocks, such as reading local files. More would not read faster, and each reserves
/// a stack: hundreds of them do not fit where address space is limited.
pub const BLOCKING_THREADS: usize = 48;

/// How long a cancelled command may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// How long a cancelled command may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// One that reads is dropped after a second.
    ASecond,
    /// One that changes a table ends by itself: it stops within a second, removes what it has
    /// staged, and waits for the outcome of a commit that was sent.
    ToTheEnd,
}

/// Runs a headless command to its end. Ctrl-C, SIGTERM and SIGHUP cancel its watch; a command that does
/// not end by itself then is dropped, and a second Ctrl-C ends the process at once.
pub fn block_on<T, F: Future<Output = Outcome<T>>>(
    patience: Patience,
    work: impl FnOnce(Watch) -> F,
) -> Outcome<T> {
    let no_runtime = |e| Fault::read("no-runtime", "Cannot start worker threads").because(e);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("deltop")
        .thread_stack_size(WORKER_STACK)
        .max_blocking_threads(BLOCKING_THREADS)
        .build()
        .map_err(no_runtime)?;
    signals::hear_the_first().map_err(no_runtime)?;
    // A panic becomes a fault, see below; its text on standard error would only be a second answer.
    std::panic::set_hook(Box::new(|info| tracing::error!("{info}")));
    if patience == Patience::ASecond {
        runtime.spawn(end_at_last());
    }
    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let outcome = runtime.block_on(async {
        let work = AssertUnwindSafe(work(watch))
            .catch_unwind()
            .map(|end| end.unwrap_or_else(|e| Err(broke(e.as_ref()))));
        tokio::pin!(work);
        tokio::select! {
            outcome = &mut work => return outcome,
            () = stop_signal() => cancel.cancel(),
        }
        if patience == Patience::ToTheEnd {
            return work.await;
        }
        tokio::time::timeout(GRACE, work).await.unwrap_or_else(|_| Err(Fault::cancelled()))
    });
    // What follows, such as a long output, hears no signal any more.
    signals::end_at_once();
    // Blocking reads that are still under way must not hold the process.
    runtime.shutdown_background();
    outcome
}

/// A bug, here or in a library: told like any other failure.
fn broke(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Fault::read("internal", "The command broke off")
        .because(text)
        .hint("This is a bug; please report it with the command and, if you can, the table's log")
}

/// Ends the process if the command is not over some time after it was cancelled: it may be busy in a
/// place that looks for no cancellation, such as the planning of a huge query, and changes nothing.
async fn end_at_last() {
    stop_signal().await;
    tokio::time::sleep(2 * GRACE).await;
    drop(writeln!(std::io::stderr(), "deltop: {}", Fault::cancelled().message));
    std::process::exit(i32::from(Fault::cancelled().exit_status()));
}

async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let heard = |wanted: bool, kind| async move {
            match wanted.then(|| signal(kind)) {
                Some(Ok(mut signal)) => drop(signal.recv().await),
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt => {},
            () = heard(true, SignalKind::terminate()) => {},
            () = heard(!signals::ignores_hangup(), SignalKind::hangup()) => {},
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}
