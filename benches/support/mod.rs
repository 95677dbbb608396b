//! What the benchmarks share. Each uses a part of it.
#![allow(dead_code)]

pub mod generate;
pub mod peer;
pub mod process;

use std::path::Path;
use std::time::Duration;

/// A time with three figures that count.
pub fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 0.1 => format!("{:.1} ms", s * 1000.0),
        s => format!("{s:.2} s"),
    }
}

/// The processor, its cores, and how busy the machine is before anything is measured.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    let model = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or("a processor");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    format!(
        "machine: {}, {cores} cores; load at the start {load}",
        model.trim_start_matches([':', '\t', ' '])
    )
}

/// The program that is measured: `DELTOP_BIN`, else the one that was built with the benchmark.
pub fn program() -> String {
    std::env::var("DELTOP_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_deltop").into())
}

/// A table beside the first one, of the same files (hard links): whatever is done to it, the files
/// of the first one stay as they are, since a Delta table's files are never written twice.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::hard_link(entry.path(), target)?;
        }
    }
    Ok(())
}
