//! The async runtime of headless commands.

use std::future::Future;
use std::time::Duration;

use crate::lake::watch::Watch;
use crate::model::{Fault, Outcome};

use super::signals;

/// How long a cancelled command may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a headless command to its end. Ctrl-C and SIGTERM cancel its watch; a command that does
/// not end by itself then is dropped, and a second Ctrl-C ends the process at once.
pub fn block_on<T, F: Future<Output = Outcome<T>>>(work: impl FnOnce(Watch) -> F) -> Outcome<T> {
    let no_runtime = |e| Fault::read("no-runtime", "Cannot start worker threads").because(e);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("deltop")
        .build()
        .map_err(no_runtime)?;
    signals::hear_the_first().map_err(no_runtime)?;
    let watch = Watch::default();
    let cancel = watch.cancel.clone();
    let outcome = runtime.block_on(async {
        let work = work(watch);
        tokio::pin!(work);
        tokio::select! {
            outcome = &mut work => return outcome,
            () = stop_signal() => cancel.cancel(),
        }
        tokio::time::timeout(GRACE, work).await.unwrap_or_else(|_| Err(Fault::cancelled()))
    });
    // What follows, such as a long output, hears no signal any more.
    signals::end_at_once();
    // Blocking reads that are still under way must not hold the process.
    runtime.shutdown_background();
    outcome
}

async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}
