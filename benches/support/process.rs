//! A program run from start to end: how long it took, and how much memory it had at most.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a run took.
#[derive(Debug, Clone)]
pub struct Run {
    pub time: Duration,
    /// Bytes of resident memory at most.
    pub peak: u64,
    /// Files that it counted, if it says so.
    pub count: Option<u64>,
}

impl Run {
    /// The faster one; the peak is the lower one of both.
    pub fn better(before: Option<Run>, now: Option<Run>) -> Option<Run> {
        match (before, now) {
            (Some(a), Some(b)) => {
                let peak = a.peak.min(b.peak);
                let faster = if a.time <= b.time { a } else { b };
                Some(Run { peak, ..faster })
            }
            (a, b) => a.or(b),
        }
    }
}

/// Runs a program; its whole life is measured.
pub fn run(program: &str, arguments: &[&str]) -> Option<Run> {
    let (time, peak, _) = measured(program, arguments)?;
    Some(Run { time, peak, count: None })
}

/// Runs a program that prints, on its last line, the seconds that its work took and a count.
pub fn timed(program: &str, arguments: &[&str]) -> Option<Run> {
    let (_, peak, output) = measured(program, arguments)?;
    let mut words = output.lines().last()?.split_whitespace();
    let time = Duration::try_from_secs_f64(words.next()?.parse().ok()?).ok()?;
    Some(Run { time, peak, count: words.next().and_then(|n| n.parse().ok()) })
}

fn measured(program: &str, arguments: &[&str]) -> Option<(Duration, u64, String)> {
    let start = Instant::now();
    let mut command = Command::new(program);
    let child = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(why) => {
            eprintln!("{program}: {why}");
            return None;
        }
    };
    let mut output = String::new();
    if let Some(stdout) = &mut child.stdout {
        std::io::Read::read_to_string(stdout, &mut output).ok()?;
    }
    let (status, peak) = wait(&child)?;
    if status != 0 {
        eprintln!("{program} ended with status {status}");
        return None;
    }
    Some((start.elapsed(), peak, output))
}

/// Waits for the child, as `wait` would, and asks for what it used.
fn wait(child: &std::process::Child) -> Option<(i32, u64)> {
    let pid = libc::pid_t::try_from(child.id()).ok()?;
    let mut status = 0;
    // SAFETY: `rusage` is plain data, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals that live through the call.
    let done = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
    // Kilobytes on Linux, bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    (done == pid).then(|| (status, usage.ru_maxrss.unsigned_abs() * unit))
}
