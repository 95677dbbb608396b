//! Signals as inputs of the event loop.

use std::io;

use futures::stream::{self, BoxStream, StreamExt};

use super::input::Input;

/// SIGTERM, SIGHUP, SIGINT and SIGQUIT end the program with 128 plus their number; SIGTSTP and
/// SIGCONT, sent by others, give the terminal back and take it again.
///
/// A second SIGTERM ends the process at once, in case the loop hangs on a terminal that takes no
/// more bytes. Must be called within the loop's runtime.
#[cfg(unix)]
pub(super) fn signals() -> io::Result<BoxStream<'static, Input>> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use tokio::signal::unix::{SignalKind, signal};

    let asked = Arc::new(AtomicBool::new(false));
    let status = |signal: i32| (128 + signal) as u8;
    signal_hook::flag::register_conditional_shutdown(libc::SIGTERM, 128 + libc::SIGTERM, asked.clone())?;
    signal_hook::flag::register(libc::SIGTERM, asked)?;

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
