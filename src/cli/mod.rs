//! The command line: one definition, headless commands one file each, errors and exit statuses.
//! Text and JSON come from the same model values as the panes.

mod advise;
mod args;
mod ascii_out;
mod call;
mod change;
mod clean_staged;
mod columns;
mod config;
mod demo;
mod detail;
mod diff;
mod files;
mod footer;
mod histogram;
mod history;
mod ls;
#[cfg(test)]
mod named_commands;
mod output;
mod parquet_rows;
mod partitions;
mod periods;
mod preview;
mod progress;
mod prune;
mod report;
mod retention;
mod rows;
mod screen;
mod script;
mod shell;
mod sql;
mod task_progress;
mod text;
mod trends;
mod unknown;
mod usage;
mod vacuum;

use args::{Cli, Command, Common};
use call::{Call, Writes};
use output::{Format, Sink};

use crate::lake::place::Place;
use crate::model::change::Change;
use crate::model::{Fault, Outcome};
use crate::runtime::executor::{Patience, block_on};
use crate::runtime::logging;
use crate::runtime::settings::{self, Settings};

pub use usage::parse;

/// Carries out what the command line asks for; gives the exit status.
pub fn run(cli: Cli) -> u8 {
    let format = call::format(&cli);
    match dispatch(cli, format) {
        Ok(status) => status,
        Err(fault) => report::fault(&fault, format),
    }
}

fn dispatch(cli: Cli, format: Format) -> Outcome<u8> {
    let Cli { location, common, command } = cli;
    // These help to find out what is wrong with a configuration, so they do not depend on it.
    match &command {
        Some(Command::Completions { shell }) => return plainly(|out| shell::completions(*shell, out)),
        Some(Command::Man) => return plainly(shell::man),
        Some(Command::Config(what)) => return plainly(|out| config::run(*what, format, out)),
        _ => {}
    }
    let settings = settings::load()?;
    logging::init(&settings);
    match (command, location) {
        (Some(Command::Demo(args)), _) => {
            no_version(&common, "demo")?;
            plainly(|out| demo::run(&args.dir, format, out))?;
            if format.is_text() && screen::is_possible() {
                return screen::open(&args.dir.to_string_lossy(), &common, settings);
            }
            Ok(0)
        }
        (Some(command), _) => on_deep_stack(|| headless(command, &common, format, &settings)),
        (None, Some(word)) if unknown::means_nothing(&word) && !settings.locations.contains_key(&word) => {
            Err(unknown::unknown(&word))
        }
        (None, Some(location)) => screen::open(&location, &common, settings),
        (None, None) => plainly(|out| usage::welcome(&settings, out)),
    }
}

/// Queries of thousands of terms are parsed and planned by recursion. The screen does not come
/// here: it stays on the first thread, to which the system delivers Ctrl-Z's signal.
fn on_deep_stack(work: impl FnOnce() -> Outcome<u8> + Send) -> Outcome<u8> {
    /// Bytes; only what is used of them takes memory.
    const STACK: usize = 512 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let broke =
            || Fault::read("internal", "The command broke off").hint("This is a bug; please report it");
        let no_thread = |e| Fault::read("no-runtime", "Cannot start worker threads").because(e);
        thread.map_err(no_thread)?.join().unwrap_or_else(|_| Err(broke()))
    })
}

/// Runs what answers at once.
fn plainly(write: impl FnOnce(&mut Sink) -> Outcome<()>) -> Outcome<u8> {
    output::to_stdout(write).map(|()| 0)
}

/// Runs a command on a location.
fn headless(command: Command, common: &Common, format: Format, settings: &Settings) -> Outcome<u8> {
    let Some(at) = command.at() else { return Ok(0) };
    if matches!(command, Command::Ls(_)) {
        no_version(common, "ls")?;
    }
    let (location, options) = settings.resolve(&at.location, &call::storage_options(common)?);
    logging::redact(&options);
    let place = Place::parse(&location, &options)?;
    let as_of = common.as_of.unwrap_or_default();
    if command.changes() && common.as_of.is_some() {
        return Err(refuse_as_of());
    }
    let writes = Writes { allowed: common.allow_writes, memory: settings.tune_memory };
    let patience = if command.changes() { Patience::ToTheEnd } else { Patience::ASecond };
    let (profile, thresholds) =
        (common.profile.unwrap_or(settings.profile), settings.thresholds(common.profile)?);
    block_on(patience, |watch| async move {
        let (watch, progress) = progress::attach(watch);
        // What SQL gives is data.
        let spelled = common.ascii && format.is_text() && !matches!(command, Command::Sql(_));
        output::answer(progress, spelled, async |out| {
            let (ascii, query) = (common.ascii, settings.sql_limits);
            let mut call =
                Call { place, as_of, format, query, ascii, writes, profile, thresholds, watch: &watch, out };
            answer(&mut call, &command).await
        })
        .await
    })
}

/// Gives the exit status.
async fn answer(call: &mut Call<'_>, command: &Command) -> Outcome<u8> {
    let done = match command {
        Command::Check(args) => return advise::check(call, args).await,
        Command::Advise(args) => advise::run(call, args).await,
        Command::Prune(args) => prune::run(call, args).await,
        Command::Detail(_) => detail::run(call).await,
        Command::Files(args) => files::run(call, args).await,
        Command::Histogram(args) => histogram::run(call, args.by).await,
        Command::Partitions(args) => partitions::run(call, args).await,
        Command::Columns(args) => columns::run(call, args).await,
        Command::Footer(args) => footer::run(call, args.file.as_deref(), args.sample).await,
        Command::History(args) => match args.by {
            None => history::run(call, args.limit).await,
            Some(by) => periods::run(call, by, args.limit).await,
        },
        Command::Diff(args) => diff::run(call, args.from, args.to).await,
        Command::Trends(args) => trends::run(call, args.by).await,
        Command::Retention(args) => retention::run(call, args.retain, args.list).await,
        Command::Ls(_) => ls::run(call).await,
        Command::Preview(args) => preview::run(call, args.limit).await,
        Command::Sql(args) => sql::run(call, args).await,
        Command::Optimize(args) => change::optimize(call, args).await,
        Command::Rewrite(args) => change::rewrite(call, args).await,
        Command::Undo(args) => change::undo(call, args).await,
        Command::CleanStaged(args) => clean_staged::run(call, args.yes).await,
        Command::Vacuum(args) => vacuum::run(call, args).await,
        Command::Repair(args) => change::run(call, &Change::Repair, change::context(call), args.yes).await,
        Command::Demo(_) | Command::Config(_) | Command::Completions { .. } | Command::Man => Ok(()),
    };
    done.map(|()| 0)
}

/// Changes are made to the newest version.
fn refuse_as_of() -> Fault {
    Fault::usage("usage", "A change takes no --as-of")
        .because("it is made to the newest version")
        .hint("Leave --as-of out")
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
