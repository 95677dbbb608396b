//! How fast and how lean tables are rewritten, side by side with python `deltalake`, which verifies
//! nothing. Each run is of a fresh table of the same files.
//!
//! ```sh
//! cargo bench --bench change                       # 400 files, 20 million rows in 20 partitions
//! cargo bench --bench change -- --rows 2000000 --runs 5
//! cargo bench --bench change -- --table DIR        # a table that is there already; it stays as it is
//! cargo bench --bench change -- --table DIR --zorder a,b --memory 512MB
//! ```

#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use support::process::{self, Run};
use support::{copy, generate, machine, peer, program, seconds};

/// Prints the seconds and the files that were made.
const COMPACT: &str = "
import sys, time
from deltalake import DeltaTable
table = DeltaTable(sys.argv[1])
start = time.perf_counter()
metrics = table.optimize.compact(target_size=int(sys.argv[2]))
print(time.perf_counter() - start, metrics['numFilesAdded'])
";

const ZORDER: &str = "
import sys, time
from deltalake import DeltaTable
table = DeltaTable(sys.argv[1])
start = time.perf_counter()
metrics = table.optimize.z_order(sys.argv[3].split(','), target_size=int(sys.argv[2]))
print(time.perf_counter() - start, metrics['numFilesAdded'])
";

const TARGET: u64 = 128 * 1024 * 1024;

struct Options {
    table: Option<PathBuf>,
    rows: u64,
    runs: usize,
    zorder: String,
    memory: Option<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test` runs benchmarks too: there is nothing to be tested here.
    if !arguments.iter().any(|a| a == "--bench") {
        return;
    }
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}; see benches/change/main.rs");
            std::process::exit(2);
        }
    };
    let peer = peer::Peer::find();
    println!("{}", machine());
    println!("deltalake: {}; the fastest of {} runs each\n", peer.version(), options.runs);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("change");
    let Some(table) = options.table.clone().or_else(|| generate::sales(&scratch, &peer, options.rows)) else {
        return println!("no table to work on");
    };
    println!(
        "{:<28} {:>8} {:>8}  {:>9} {:>8}  {:>6} {:>7}",
        "", "deltop", "peak", "deltalake", "peak", "faster", "leaner"
    );
    let columns = options.zorder.as_str();
    let work = Work { table: &table, scratch: &scratch, peer: &peer, options: &options };
    work.compare("compact", &[], COMPACT, &[]);
    work.compare(&format!("Z-order by {columns}"), &["--zorder", columns], ZORDER, &[columns]);
}

struct Work<'a> {
    table: &'a Path,
    scratch: &'a Path,
    peer: &'a peer::Peer,
    options: &'a Options,
}

impl Work<'_> {
    fn compare(&self, name: &str, flags: &[&str], script: &str, more: &[&str]) {
        let target = TARGET.to_string();
        let (mut ours, mut theirs) = (None, None);
        // In turns, so that a busy minute of the machine strikes both.
        for _ in 0..self.options.runs {
            ours = Run::better(
                ours,
                self.fresh(|table| {
                    let mut arguments = vec!["optimize", table, "--target-size", &target];
                    arguments.extend(["--allow-writes", "--yes", "--json"]);
                    arguments.extend(flags);
                    if let Some(memory) = &self.options.memory {
                        arguments.extend(["--memory", memory]);
                    }
                    process::run(&program(), &arguments)
                }),
            );
            theirs = Run::better(
                theirs,
                self.fresh(|table| {
                    let arguments: Vec<&str> = [table, target.as_str()].iter().chain(more).copied().collect();
                    self.peer.run(script, &arguments)
                }),
            );
        }
        let time = |r: &Option<Run>| r.as_ref().map_or("–".into(), |r| seconds(r.time));
        let peak =
            |r: &Option<Run>| r.as_ref().map_or("–".into(), |r| format!("{} MB", r.peak / 1_000_000));
        let ratio = |a: Option<f64>| a.map_or("–".into(), |n| format!("{n:.2}×"));
        let both = theirs.as_ref().zip(ours.as_ref());
        println!(
            "{name:<28} {:>8} {:>8}  {:>9} {:>8}  {:>6} {:>7}",
            time(&ours),
            peak(&ours),
            time(&theirs),
            peak(&theirs),
            ratio(both.map(|(t, o)| t.time.as_secs_f64() / o.time.as_secs_f64())),
            ratio(both.map(|(t, o)| t.peak as f64 / o.peak as f64)),
        );
    }

    fn fresh(&self, run: impl Fn(&str) -> Option<Run>) -> Option<Run> {
        let table = self.scratch.join("run");
        let _ = std::fs::remove_dir_all(&table);
        copy(self.table, &table).ok()?;
        let done = run(&table.to_string_lossy());
        let _ = std::fs::remove_dir_all(&table);
        done
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options =
        Options { table: None, rows: 20_000_000, runs: 3, zorder: "customer,product".into(), memory: None };
    let mut rest = arguments.iter().filter(|a| *a != "--bench");
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{name} {value}: not a number"));
        match name.as_str() {
            "--table" => options.table = Some(value.into()),
            "--rows" => options.rows = number()?.max(1000),
            "--runs" => options.runs = number()?.clamp(1, 100) as usize,
            "--zorder" => options.zorder.clone_from(value),
            "--memory" => options.memory = Some(value.clone()),
            other => return Err(format!("{other} is not known")),
        }
    }
    Ok(options)
}
