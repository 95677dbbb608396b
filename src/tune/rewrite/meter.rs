//! How far a rewrite is, told now and then.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::model::change::{Phase, TaskProgress};
use crate::tune::Context;

const PAUSE: Duration = Duration::from_millis(100);

/// Counts from many threads.
pub struct Meter {
    ctx: Context,
    totals: TaskProgress,
    files: AtomicU64,
    bytes: AtomicU64,
    batches: AtomicU64,
    phase: Mutex<(Phase, Instant)>,
}

impl Meter {
    /// Totals are those of input files, over all batches.
    pub fn new(ctx: &Context, files: u64, bytes: u64, batches: u64) -> Meter {
        let totals = TaskProgress {
            files_total: Some(files),
            bytes_total: Some(bytes),
            batches_total: Some(batches),
            ..TaskProgress::default()
        };
        Meter {
            ctx: ctx.clone(),
            totals,
            files: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            batches: AtomicU64::new(0),
            phase: Mutex::new((Phase::Planning, Instant::now())),
        }
    }

    pub fn phase(&self, phase: Phase) {
        self.tell(Some(phase), None);
    }

    pub fn note(&self, note: String) {
        self.tell(None, Some(note));
    }

    /// Some bytes of input files were read.
    pub fn bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.tell(None, None);
    }

    pub fn file(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    pub fn batch(&self) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.tell(None, None);
    }

    fn tell(&self, phase: Option<Phase>, note: Option<String>) {
        // Whoever finds it busy has nothing newer to tell, unless it must be heard.
        let mut state = match self.phase.try_lock() {
            Ok(state) => state,
            Err(_) if phase.is_none() && note.is_none() => return,
            Err(_) => self.phase.lock().unwrap_or_else(std::sync::PoisonError::into_inner),
        };
        let now = Instant::now();
        if phase.is_none() && note.is_none() && now < state.1 {
            return;
        }
        *state = (phase.unwrap_or(state.0), now + PAUSE);
        let now = |count: &AtomicU64, total: Option<u64>| {
            count.load(Ordering::Relaxed).min(total.unwrap_or(u64::MAX))
        };
        (self.ctx.progress)(TaskProgress {
            phase: state.0,
            files_done: now(&self.files, self.totals.files_total),
            bytes_done: now(&self.bytes, self.totals.bytes_total),
            batches_done: now(&self.batches, self.totals.batches_total),
            note,
            ..self.totals.clone()
        });
    }
}
