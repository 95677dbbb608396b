//! The terminal is given back on every way out: quit, error, panic, signal, suspension.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, queue};

/// Whether the terminal is ours. One per process, as the terminal is.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Presses, releases and the wheel, in the SGR form. crossterm's own command would also ask for
/// each movement, which is a stream of bytes over SSH that nobody needs here.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Holds the terminal; gives it back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Raw mode, alternate screen, bracketed paste, no cursor.
    pub fn take() -> io::Result<Guard> {
        take()?;
        Ok(Guard(()))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

pub(super) fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = Vec::new();
    queue!(out, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    write(&out)
}

/// Undoes [`Guard::take`]; does nothing if that was done already. Failures are passed over: there
/// is nobody left to tell.
pub(super) fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = Vec::new();
    let queued: io::Result<()> = (|| {
        queue!(out, EndSynchronizedUpdate)?;
        out.write_all(MOUSE_OFF.as_bytes())?;
        queue!(out, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show)
    })();
    drop(queued.and_then(|()| write(&out)));
    drop(disable_raw_mode());
}

/// Whether the terminal shall report clicks and the wheel.
pub(super) fn capture_mouse(on: bool) -> io::Result<()> {
    write(if on { MOUSE_ON } else { MOUSE_OFF }.as_bytes())
}

/// Writes to the terminal in one go.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// From now on a panic goes to the log; one on this thread also gives the terminal back first,
/// so that its message can be read. Panics of other threads belong to jobs, which report them.
pub fn install_panic_hook(log: Option<PathBuf>) {
    let screen = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        let backtrace = std::backtrace::Backtrace::force_capture();
        tracing::error!("{info}\n{backtrace}");
        if std::thread::current().id() != screen {
            return;
        }
        give_back();
        let text = info.to_string();
        let mut err = io::stderr().lock();
        // Nothing can be done if even this cannot be written.
        drop(writeln!(
            err,
            "deltop stopped on an internal error: {}",
            crate::model::text::clean_lines(&text)
        ));
        if let Some(log) = &log {
            drop(writeln!(err, "The log holds the details: {}", log.display()));
        }
    }));
}
