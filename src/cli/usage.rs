//! Reads the arguments; help and mistakes end here.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::args::Cli;
use super::output::{Format, Sink, failed};
use super::{report, unknown};
use crate::model::text::clean;
use crate::model::{Fault, Outcome};
use crate::runtime::settings::Settings;

/// The command line, or the exit status where there is nothing more to do.
pub fn parse(args: Vec<OsString>) -> Result<Cli, u8> {
    let format = stated_format(&args);
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(e) => return Err(no_call(&e, &args, format)),
    };
    check(&cli, &args).map_err(|fault| report::fault(&fault, format)).map(|()| cli)
}

/// Help, the version, or what is wrong with the call; gives the exit status.
fn no_call(error: &clap::Error, args: &[OsString], format: Format) -> u8 {
    if error.kind() != ErrorKind::DisplayVersion
        && let Some(fault) = unknown::first_word(args)
    {
        return report::fault(&fault, format);
    }
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed pipe: whoever read the help has seen enough.
        drop(error.print());
        return 0;
    }
    report::fault(&as_fault(error, args), format)
}

/// The form for errors in arguments that could not be parsed.
fn stated_format(args: &[OsString]) -> Format {
    let mut flags = args.iter().skip(1).take_while(|a| *a != "--");
    if flags.any(|a| a == "--json" || a == "--ndjson") { Format::Json } else { Format::Text }
}

/// What the parser's rules cannot say.
fn check(cli: &Cli, args: &[OsString]) -> Result<(), Fault> {
    if let (Some(location), Some(_)) = (&cli.location, &cli.command) {
        return Err(Fault::usage("usage", "Two locations, or a command after a location")
            .because(format!("{location:?} stands before the command"))
            .hint("The command comes first: deltop COMMAND LOCATION"));
    }
    // The parser keeps only one of the places in which a repeated flag stands.
    let is_option = |a: &&OsString| a.to_str().is_some_and(|a| a == "--option" || a.starts_with("--option="));
    let stated = args.iter().take_while(|a| *a != "--").filter(is_option).count();
    if stated > cli.common.options.len() {
        return Err(Fault::usage("usage", "Some --option before the command, some after it")
            .hint("Put all --option flags after the command"));
    }
    Ok(())
}

/// The parser's error in this program's form: what, why, what to do.
fn as_fault(error: &clap::Error, args: &[OsString]) -> Fault {
    let text = error.render().to_string();
    let mut message = String::new();
    let (mut causes, mut hint) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(rest) = line.strip_prefix("error: ") {
            message = rest.to_owned();
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            hint = format!("{usage}   (all options: --help)");
        } else if line.starts_with("For more information") {
            continue;
        } else {
            causes.push(line.strip_prefix("tip: ").unwrap_or(line));
        }
    }
    if hint.is_empty() {
        hint = help_call(args);
    }
    Fault::usage("usage", message).because(causes.join(" ")).hint(hint)
}

/// The help of the command that was meant.
fn help_call(args: &[OsString]) -> String {
    let definition = Cli::command();
    let named = args.iter().skip(1).find_map(|arg| definition.find_subcommand(arg));
    named.map_or("deltop --help".into(), |command| format!("deltop {} --help", command.get_name()))
}

/// What to type first, for a call without a location.
pub fn welcome(settings: &Settings, out: &mut Sink) -> Outcome<()> {
    out.write_all(WELCOME.as_bytes()).map_err(failed)?;
    let names: Vec<&str> = settings.locations.keys().map(String::as_str).collect();
    if !names.is_empty() {
        writeln!(out, "\nConfigured locations: {}", clean(&names.join(", "))).map_err(failed)?;
    }
    Ok(())
}

const WELCOME: &str = "\
deltop shows how Delta Lake tables are laid out.

  deltop demo              makes a small lakehouse to try it on, and opens it
  deltop LOCATION          opens a table, or a folder or container of tables
  deltop detail LOCATION   the same figures as text; with --json for scripts
  deltop --help            all commands
";

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Vec<OsString> {
        std::iter::once("deltop").chain(words.iter().copied()).map(OsString::from).collect()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn common_flags_stand_on_both_sides() {
        for words in [["--json", "detail", "t"], ["detail", "--json", "t"], ["detail", "t", "--json"]] {
            let cli = parse(args(&words)).unwrap();
            assert!(cli.common.json && cli.location.is_none() && cli.command.is_some());
        }
    }

    #[test]
    fn no_storage_option_is_lost() {
        let cli = parse(args(&["detail", "t", "--option", "a=1", "--option=b=2"])).unwrap();
        assert_eq!(cli.common.options, ["a=1", "b=2"]);
        let cli = parse(args(&["--option", "a=1", "detail", "t"])).unwrap();
        assert_eq!(cli.common.options, ["a=1"]);
        assert_eq!(parse(args(&["--option", "a=1", "detail", "t", "--option", "b=2"])).unwrap_err(), 2);
    }

    #[test]
    fn mistakes_become_faults() {
        let args = args(&["files", "t", "--sort", "colour"]);
        let fault = as_fault(&Cli::try_parse_from(&args).unwrap_err(), &args);
        assert_eq!(fault.exit_status(), 2);
        assert!(fault.message.contains("colour"), "{fault:?}");
        assert!(fault.cause.contains("size"), "{fault:?}");
        assert_eq!(fault.hint, "deltop files --help");
    }
}
