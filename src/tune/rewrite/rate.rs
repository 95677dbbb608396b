//! How fast rewriting was on this machine, for the next estimate.

use std::path::PathBuf;

use crate::model::plan::BYTES_OF_AN_OPENING;
use crate::tune::Context;

/// Work shorter than this tells little, bytes.
const LEAST: u64 = 8 << 20;

fn file(ctx: &Context) -> Option<PathBuf> {
    Some(ctx.data_folder.as_ref()?.join("rewrite-rate"))
}

/// Compressed bytes, read and written, of one thread a second, those that stand for the opening of files
/// counted in; none if nothing was measured yet.
pub fn read(ctx: &Context) -> Option<u64> {
    let text = std::fs::read_to_string(file(ctx)?).ok()?;
    text.trim().parse().ok().filter(|rate| *rate > 0)
}

/// Notes a measurement: `moved` bytes of so many files in so many seconds on so many threads.
pub fn note(ctx: &Context, moved: u64, files: u64, seconds: f64, threads: u64) {
    let moved = moved.saturating_add(files.saturating_mul(BYTES_OF_AN_OPENING));
    if moved < LEAST || seconds <= 0.0 {
        return;
    }
    let rate = (moved as f64 / seconds / threads.max(1) as f64) as u64;
    if let Some(file) = file(ctx) {
        // An estimate that cannot be kept is no reason to fail.
        drop(std::fs::write(file, format!("{rate}\n")));
    }
}
