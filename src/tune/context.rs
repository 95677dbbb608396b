//! What a change runs with: where, how much it may use, whom it tells, when it stops.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::change::TaskProgress;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};

/// Passed through a whole change. Cloned freely.
#[derive(Clone)]
pub struct Context {
    pub place: Place,
    /// Without it, planning works and running is refused.
    pub allow_writes: bool,
    /// Bytes that rewriting may hold in memory.
    pub memory: u64,
    /// Rewriting threads.
    pub threads: usize,
    /// Bytes of input files after which finished work is committed; a group is never split.
    pub batch_bytes: u64,
    /// Once cancelled, the change ends within a second; a commit that was sent is waited for.
    pub cancel: CancellationToken,
    pub progress: Arc<dyn Fn(TaskProgress) + Send + Sync>,
    /// The program's own data folder, where the journal lies; none: no journal is kept.
    pub data_folder: Option<PathBuf>,
    /// Milliseconds since 1970.
    pub clock: Arc<dyn Fn() -> Millis + Send + Sync>,
}

/// Bytes of input files per commit unless asked otherwise.
pub const BATCH_BYTES: u64 = 16 << 30;

impl Context {
    /// A context with this machine's figures: a quarter of its memory, all its cores.
    pub fn new(place: Place) -> Self {
        Context {
            place,
            allow_writes: false,
            memory: default_memory(),
            threads: std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            batch_bytes: BATCH_BYTES,
            cancel: CancellationToken::new(),
            progress: Arc::new(|_| {}),
            data_folder: None,
            clock: Arc::new(|| chrono::Utc::now().timestamp_millis()),
        }
    }

    /// The watch for reads of this change.
    pub fn watch(&self) -> Watch {
        Watch::new(self.cancel.clone())
    }

    pub fn now(&self) -> Millis {
        (self.clock)()
    }

    /// Ends the work if it was cancelled.
    pub fn check(&self) -> Outcome<()> {
        if self.cancel.is_cancelled() { Err(Fault::cancelled()) } else { Ok(()) }
    }

    /// Refuses to write where that was not permitted (safety contract, point 1).
    pub fn may_write(&self) -> Outcome<()> {
        if self.allow_writes {
            return Ok(());
        }
        Err(Fault::refused("read-only", format!("{} is opened read-only", self.place.display))
            .because("deltop changes nothing unless that is permitted")
            .hint("Add --allow-writes"))
    }
}

/// A quarter of the machine's memory, bytes; 1 GiB where it cannot be told.
pub fn default_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kib = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.map_or(1 << 30, |kib| (kib << 10) / 4)
}
