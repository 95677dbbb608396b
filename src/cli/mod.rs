//! Headless commands: text and JSON from the same model values as the panes.

mod args;
mod call;
mod columns;
mod demo;
mod detail;
mod files;
mod filter;
mod histogram;
mod history;
mod ls;
mod missing;
mod output;
mod partitions;
mod progress;
mod report;
mod shell;
mod text;
mod usage;

use std::io::{self, IsTerminal};

use args::{At, Cli, Command, Common};
use call::Call;
use output::{Format, Sink};

use crate::lake::place::{Place, StorageOptions};
use crate::lake::watch::Watch;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};
use crate::runtime::executor::block_on;

pub use usage::parse;

/// Carries out what the command line asks for; gives the exit status.
pub fn run(cli: Cli) -> u8 {
    let format = call::format(&cli.common);
    match dispatch(cli, format) {
        Ok(status) => status,
        Err(fault) => report::fault(&fault, format),
    }
}

fn dispatch(cli: Cli, format: Format) -> Outcome<u8> {
    let Cli { location, common, command } = cli;
    match command {
        None => Ok(0),
        Some(Command::Completions { shell }) => done(|out| shell::completions(shell, out)),
        Some(Command::Man) => done(shell::man),
        Some(Command::Config(_)) => Ok(0),
        Some(Command::Demo(args)) => {
            no_version(&common, "demo")?;
            done(|out| demo::run(&args.dir, format, out))
        }
        Some(command) => headless(&common, format, command),
    }
}

fn done(write: impl FnOnce(&mut Sink) -> Outcome<()>) -> Outcome<u8> {
    output::to_stdout(write).map(|()| 0)
}

/// Runs a command on a location.
fn headless(common: &Common, format: Format, command: Command) -> Outcome<u8> {
    let (location, options) = (location_of(&command).to_owned(), call::storage_options(common)?);
    let place = Place::parse(&location, &options)?;
    let as_of = common.as_of.unwrap_or_default();
    block_on(|watch| async move {
        let (watch, progress) = progress::attach(watch);
        let mut out = output::Stdout::new();
        let mut call = Call { place, as_of, format, ascii: common.ascii, watch: &watch, out: &mut out };
        let outcome = match &command {
            Command::Detail(_) => detail::run(&mut call).await,
            _ => Ok(()),
        };
        drop(progress);
        out.close(outcome)
    })?;
    Ok(0)
}

fn location_of(command: &Command) -> &str {
    ""
}

/// Refuses `--as-of` where there is no table whose version it could mean.
fn no_version(common: &Common, command: &str) -> Outcome<()> {
    match common.as_of {
        None => Ok(()),
        Some(_) => Err(Fault::usage("usage", format!("{command} takes no --as-of"))
            .because("It is not about one table")
            .hint(format!("deltop {command} --help"))),
    }
}
