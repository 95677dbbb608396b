//! How far a long read has got, on standard error, and only where a person looks at it.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::lake::watch::Watch;
use crate::model::progress::Progress;
use crate::model::text::clean;
use crate::model::units::count;

/// Short work says nothing.
const QUIET: Duration = Duration::from_millis(700);
const PAUSE: Duration = Duration::from_millis(250);

/// A progress line; it is wiped when this is dropped.
pub struct ProgressLine(Arc<AtomicBool>);

/// Makes the watch report to standard error if that is a terminal.
pub fn attach(watch: Watch) -> (Watch, ProgressLine) {
    let shown = Arc::new(AtomicBool::new(false));
    let line = ProgressLine(Arc::clone(&shown));
    if !io::stderr().is_terminal() {
        return (watch, line);
    }
    let next = Mutex::new(Instant::now() + QUIET);
    let watch = watch.on_progress(move |progress| {
        let Ok(mut next) = next.try_lock() else { return };
        let now = Instant::now();
        if now >= *next {
            *next = now + PAUSE;
            shown.store(true, Ordering::Relaxed);
            // Progress that cannot be told is no reason to stop.
            drop(write!(io::stderr().lock(), "\r\x1b[K{}", line_of(&progress)));
        }
    });
    (watch, line)
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.0.load(Ordering::Relaxed) {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
    }
}

fn line_of(progress: &Progress) -> String {
    let done = match progress.total {
        Some(total) => format!("{} of {} {}", count(progress.done), count(total), progress.unit),
        None => format!("{} {}", count(progress.done), progress.unit),
    };
    let phase: String = clean(&progress.phase).chars().take(50).collect();
    format!("{phase}: {done}")
}
