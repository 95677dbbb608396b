//! Signals as inputs of the event loop, and the last resort: a second one ends the process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures::stream::{self, BoxStream, StreamExt};

use super::input::Input;

/// Whether the next SIGINT, SIGTERM or SIGHUP ends the process at once. None: they do as by default.
static AT_ONCE: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on the first SIGINT, SIGTERM or SIGHUP is a wish that the program hears and follows in its
/// own way; the second ends the process at once, in case it hangs.
#[cfg(unix)]
pub(super) fn hear_the_first() -> io::Result<()> {
    if let Some(at_once) = AT_ONCE.get() {
        at_once.store(false, Ordering::SeqCst);
        return Ok(());
    }
    let at_once = Arc::new(AtomicBool::new(false));
    let hangs_up = (!ignores_hangup()).then_some(libc::SIGHUP);
    for signal in [libc::SIGINT, libc::SIGTERM].into_iter().chain(hangs_up) {
        // In this order: the one that sets the flag does not see it set.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, at_once.clone())?;
        signal_hook::flag::register(signal, at_once.clone())?;
    }
    // Another thread cannot have come between: only the main thread runs commands.
    AT_ONCE.get_or_init(|| at_once);
    Ok(())
}

/// Whether whoever started the program wants it to live on without its terminal, as `nohup` does.
#[cfg(unix)]
pub(super) fn ignores_hangup() -> bool {
    static AT_START: OnceLock<bool> = OnceLock::new();
    *AT_START.get_or_init(|| {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action the call only fills the struct.
        let done = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: the call has filled it.
        done == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    })
}

#[cfg(not(unix))]
pub(super) fn hear_the_first() -> io::Result<()> {
    Ok(())
}

/// From now on SIGINT, SIGTERM and SIGHUP end the process at once: nobody is left who hears them.
pub(super) fn end_at_once() {
    if let Some(at_once) = AT_ONCE.get() {
        at_once.store(true, Ordering::SeqCst);
    }
}

/// SIGTERM, SIGHUP, SIGINT and SIGQUIT end the program with 128 plus their number; SIGTSTP and
/// SIGCONT, sent by others, give the terminal back and take it again. Must be called within the loop's runtime.
#[cfg(unix)]
pub(super) fn signals() -> io::Result<BoxStream<'static, Input>> {
    use tokio::signal::unix::{SignalKind, signal};

    hear_the_first()?;
    let status = |signal: i32| (128 + signal) as u8;
    let inputs = [
        (libc::SIGTERM, Input::End(status(libc::SIGTERM))),
        (libc::SIGHUP, Input::End(status(libc::SIGHUP))),
        (libc::SIGINT, Input::End(status(libc::SIGINT))),
        (libc::SIGQUIT, Input::End(status(libc::SIGQUIT))),
        (libc::SIGTSTP, Input::Suspend),
        (libc::SIGCONT, Input::Continued),
    ];
    let mut streams = Vec::with_capacity(inputs.len());
    for (number, input) in inputs {
        let source = signal(SignalKind::from_raw(number))?;
        streams.push(
            stream::unfold((source, input), |(mut source, input)| async {
                source.recv().await?;
                Some((input.clone(), (source, input)))
            })
            .boxed(),
        );
    }
    Ok(stream::select_all(streams).boxed())
}

#[cfg(not(unix))]
pub(super) fn signals() -> io::Result<BoxStream<'static, Input>> {
    Ok(stream::pending().boxed())
}
