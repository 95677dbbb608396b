//! Reads the command line and hands over to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    deltop::runtime::memory::set_up();
    let args = std::env::args_os().collect();
    ExitCode::from(match deltop::cli::parse(args) {
        Ok(cli) => deltop::cli::run(cli),
        Err(status) => status,
    })
}
