//! How fast and how lean logs are read, side by side with python `deltalake` and with a bare read of
//! the same parquet columns.
//!
//! ```sh
//! cargo bench --bench log                    # logs of 10,000 to 1,000,000 files
//! cargo bench --bench log -- --files 50000 --seed 7 --runs 3
//! cargo bench --bench log -- --log DIR       # a log that is there already
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | `generate` | writes logs of any size: classic, multi-part and V2 checkpoints, JSON commits |
//! | `bare` | only the parquet columns, read by one thread |
//! | `inside` | what the screen does with a million files: refresh, sort, filter, sum up, history |
//! | `../support` | runs programs and python `deltalake`: wall time, and peak memory as the kernel counts it |

mod bare;
mod generate;
mod inside;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use generate::{Plan, Shape};
use support::process::{self, Run};
use support::{machine, peer, program, seconds};

/// Opens the table and asks for all add actions with their figures; the import is not counted.
const PEER: &str = "
import sys, time
from deltalake import DeltaTable
start = time.perf_counter()
actions = DeltaTable(sys.argv[1]).get_add_actions(flatten=True)
print(time.perf_counter() - start, actions.num_rows)
";

/// What was asked for on the command line.
struct Options {
    files: Option<usize>,
    seed: u64,
    runs: usize,
    log: Option<PathBuf>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        // The program runs itself for what is measured from outside.
        [what, log] if what == "--bare" => return bare::read(Path::new(log)),
        // A child's peak is never told lower than its parent's size was: what needs memory is a child.
        [what, number, rest @ ..] if what == "--write" => return write(number, rest),
        // `cargo test` runs benchmarks too: there is nothing to be tested here.
        _ if !arguments.iter().any(|a| a == "--bench") => return,
        _ => {}
    }
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}; see benches/log/main.rs");
            std::process::exit(2);
        }
    };
    let peer = peer::Peer::find();
    println!("{}", machine());
    println!("deltalake: {}; the fastest of {} runs each\n", peer.version(), options.runs);
    println!(
        "{:<34} {:>9}  {:>8} {:>8}  {:>8} {:>8}  {:>6} {:>7}  {:>8} {:>6}",
        "log", "files", "deltop", "peak", "deltalake", "peak", "faster", "leaner", "bare", "of it"
    );
    if let Some(log) = &options.log {
        compare("given", log, &peer, &options);
        return inside::measure(log);
    }
    let mut largest = None;
    for (number, plan) in plans(&options).into_iter().enumerate() {
        let log = folder(&plan);
        if !log.is_dir() {
            let bench = std::env::current_exe().expect("this program");
            let mut child = std::process::Command::new(bench);
            child.args(["--write", &number.to_string()]).args(&arguments);
            assert!(child.status().is_ok_and(|s| s.success()), "the log is written");
        }
        compare(&plan.name(), &log, &peer, &options);
        largest = Some(log);
    }
    if let Some(log) = largest {
        println!("\nWhat the screen does with the last of them:");
        inside::measure(&log);
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { files: None, seed: 1, runs: 5, log: None };
    let mut rest = arguments.iter().filter(|a| *a != "--bench");
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<usize>().map_err(|_| format!("{name} {value}: not a number"));
        match name.as_str() {
            "--files" => options.files = Some(number()?.max(100)),
            "--seed" => options.seed = number()? as u64,
            "--runs" => options.runs = number()?.max(1),
            "--log" => options.log = Some(value.into()),
            other => return Err(format!("{other} is not known")),
        }
    }
    Ok(options)
}

/// The logs: small to large, the largest one last.
fn plans(options: &Options) -> Vec<Plan> {
    let plan = |files, shape| Plan { files, shape, seed: options.seed, tail: 20, struct_stats: false };
    match options.files {
        Some(files) => vec![
            plan(files, Shape::Commits(files.div_ceil(100))),
            Plan { struct_stats: true, ..plan(files, Shape::V2(4)) },
            plan(files, Shape::Classic),
            plan(files, Shape::Multi(10)),
        ],
        None => vec![
            plan(10_000, Shape::Classic),
            plan(100_000, Shape::Commits(1000)),
            Plan { tail: 10_000, ..plan(100_000, Shape::Multi(4)) },
            plan(100_000, Shape::Classic),
            Plan { struct_stats: true, ..plan(1_000_000, Shape::V2(10)) },
            plan(1_000_000, Shape::Classic),
            plan(1_000_000, Shape::Multi(10)),
        ],
    }
}

/// Writes the log of the plan with this number.
fn write(number: &str, arguments: &[String]) {
    let plans = options(arguments).map(|o| plans(&o)).unwrap_or_default();
    if let Some(plan) = number.parse().ok().and_then(|n: usize| plans.get(n)) {
        generate::write(plan, &folder(plan));
    }
}

/// Below the target folder, by what is in it.
fn folder(plan: &Plan) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("logs").join(plan.name().replace([' ', ','], "-"))
}

fn compare(name: &str, log: &Path, peer: &peer::Peer, options: &Options) {
    let program = program();
    let location = log.to_string_lossy().into_owned();
    let columns = "path,sizeInBytes,partitionValues";
    let own: Vec<&str> =
        vec!["files", &location, "--sort", "size", "--limit", "10", "--columns", columns, "--json"];
    let bench = std::env::current_exe().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let (mut ours, mut theirs, mut bare) = (None, None, None);
    // In turns, so that a busy minute of the machine strikes them all.
    for _ in 0..options.runs {
        ours = Run::better(ours, process::run(&program, &own));
        theirs = Run::better(theirs, peer.run(PEER, &[&location]));
        bare = Run::better(bare, process::timed(&bench, &["--bare", &location]));
    }
    let files = theirs.as_ref().or(bare.as_ref()).and_then(|r| r.count);
    let count = files.map_or("?".into(), |n| n.to_string());
    let time = |r: &Option<Run>| r.as_ref().map_or("–".into(), |r| seconds(r.time));
    let peak = |r: &Option<Run>| r.as_ref().map_or("–".into(), |r| format!("{} MB", r.peak / 1_000_000));
    let ratio = |a: Option<f64>| a.map_or("–".into(), |n| format!("{n:.1}×"));
    let both = theirs.as_ref().zip(ours.as_ref());
    let faster = both.map(|(t, o)| t.time.as_secs_f64() / o.time.as_secs_f64());
    let leaner = both.map(|(t, o)| t.peak as f64 / o.peak as f64);
    let of_bare = ours.as_ref().zip(bare.as_ref()).map(|(o, b)| o.time.as_secs_f64() / b.time.as_secs_f64());
    println!(
        "{name:<34} {count:>9}  {:>8} {:>8}  {:>8} {:>8}  {:>6} {:>7}  {:>8} {:>6}",
        time(&ours),
        peak(&ours),
        time(&theirs),
        peak(&theirs),
        ratio(faster),
        ratio(leaner),
        time(&bare),
        ratio(of_bare)
    );
}
