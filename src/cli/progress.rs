//! How far a long read has got, on standard error, and only where a person looks at it.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::lake::watch::Watch;
use crate::model::progress::Progress;
use crate::model::text::clean;
use crate::model::units::count;

/// Short work says nothing.
const QUIET: Duration = Duration::from_millis(700);
const PAUSE: Duration = Duration::from_millis(250);

/// A progress line; it is wiped, and no other comes, when this is dropped.
pub struct ProgressLine(Arc<Mutex<State>>);

#[derive(Clone, Copy)]
enum State {
    /// Nothing was shown yet, or something was; the next line may come at this instant.
    Waiting {
        shown: bool,
        next: Instant,
    },
    Ended,
}

/// Makes the watch report to standard error if that is a terminal.
pub fn attach(watch: Watch) -> (Watch, ProgressLine) {
    let state = Arc::new(Mutex::new(State::Waiting { shown: false, next: Instant::now() + QUIET }));
    let line = ProgressLine(Arc::clone(&state));
    if !io::stderr().is_terminal() {
        return (watch, line);
    }
    let watch = watch.on_progress(move |progress| {
        // Whoever finds it busy has nothing newer to tell.
        let Ok(mut state) = state.try_lock() else { return };
        let now = Instant::now();
        if matches!(*state, State::Waiting { next, .. } if now >= next) {
            *state = State::Waiting { shown: true, next: now + PAUSE };
            // Progress that cannot be told is no reason to stop.
            drop(write!(io::stderr().lock(), "\r\x1b[K{}", line_of(&progress)));
        }
    });
    (watch, line)
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Waiting { shown: true, .. }) {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
        *state = State::Ended;
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
