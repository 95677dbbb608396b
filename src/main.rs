//! Reads the command line and hands over to the library.

use std::process::ExitCode;

/// Queries of thousands of terms are parsed and planned by recursion; only what is used of this
/// takes memory.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let program = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The panic hook has told of it.
        Ok(Err(_)) => ExitCode::from(101),
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    let args = std::env::args_os().collect();
    ExitCode::from(match deltop::cli::parse(args) {
        Ok(cli) => deltop::cli::run(cli),
        Err(status) => status,
    })
}
