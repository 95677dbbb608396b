//! How far a change is, on standard error: a bar where a person looks at it, else a plain line now
//! and then.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::model::change::TaskProgress;
use crate::model::text::clean;
use crate::model::units::{bytes, count};

/// Between two lines where no terminal is; short work says nothing there.
const PAUSE: Duration = Duration::from_secs(10);
/// Between two drawings of the bar.
const DRAW: Duration = Duration::from_millis(250);
const WIDTH: usize = 24;

/// Wipes the bar when it is dropped.
pub struct Line(Arc<Mutex<State>>);

struct State {
    started: Instant,
    next: Instant,
    shown: bool,
}

/// A callback for the change, and what ends its output.
pub fn attach() -> (Arc<dyn Fn(TaskProgress) + Send + Sync>, Line) {
    let is_terminal = io::stderr().is_terminal();
    let now = Instant::now();
    let first = now + if is_terminal { DRAW } else { PAUSE };
    let state = Arc::new(Mutex::new(State { started: now, next: first, shown: false }));
    let line = Line(Arc::clone(&state));
    let tell = move |progress: TaskProgress| {
        // Whoever finds it busy has nothing newer to tell.
        let Ok(mut state) = state.try_lock() else { return };
        let now = Instant::now();
        if now < state.next && progress.note.is_none() {
            return;
        }
        let text = line_of(&progress, now - state.started, is_terminal);
        let mut out = io::stderr().lock();
        // Progress that cannot be told is no reason to stop.
        if is_terminal {
            drop(write!(out, "\r\x1b[K{text}"));
            state.shown = true;
            state.next = now + DRAW;
        } else if now >= state.next {
            drop(writeln!(out, "{text}"));
            state.next = now + PAUSE;
        }
    };
    (Arc::new(tell), line)
}

impl Drop for Line {
    fn drop(&mut self) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.shown {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
    }
}

fn line_of(progress: &TaskProgress, elapsed: Duration, bar: bool) -> String {
    let share = progress
        .bytes_total
        .filter(|total| *total > 0)
        .map(|total| (progress.bytes_done as f64 / total as f64).min(1.0));
    let mut text = String::new();
    if let Some(share) = share.filter(|_| bar) {
        let full = (share * WIDTH as f64) as usize;
        text.push_str(&format!("[{}{}] ", "#".repeat(full), " ".repeat(WIDTH - full)));
    }
    text.push_str(progress.phase.word());
    if let Some(total) = progress.files_total {
        text.push_str(&format!(": {} of {} files", count(progress.files_done), count(total)));
    }
    if let Some(total) = progress.bytes_total {
        text.push_str(&format!(", {} of {}", bytes(progress.bytes_done), bytes(total)));
    }
    if let Some(total) = progress.batches_total.filter(|total| *total > 1) {
        text.push_str(&format!(", {} of {} batches committed", count(progress.batches_done), count(total)));
    }
    let seconds = elapsed.as_secs_f64();
    if let Some(share) = share.filter(|s| *s > 0.02 && *s < 1.0 && seconds > 2.0) {
        text.push_str(&format!(", ~{:.0} s left", seconds / share - seconds));
    }
    if let Some(note) = &progress.note {
        text.push_str(&format!("; {}", clean(note)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::change::Phase;

    #[test]
    fn a_line_has_what_is_known() {
        let progress = TaskProgress {
            phase: Phase::Rewriting,
            files_done: 3,
            files_total: Some(10),
            bytes_done: 1 << 20,
            bytes_total: Some(4 << 20),
            ..TaskProgress::default()
        };
        let line = line_of(&progress, Duration::from_secs(5), true);
        assert_eq!(
            line,
            "[######                  ] rewriting: 3 of 10 files, 1.00 MiB of 4.00 MiB, ~15 s left"
        );
        let plain = line_of(
            &TaskProgress { phase: Phase::Committing, ..TaskProgress::default() },
            Duration::ZERO,
            false,
        );
        assert_eq!(plain, "committing");
    }
}
