//! A first word that is neither a command nor a location: most likely a slip, or a command of another
//! program.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgAction, Command, CommandFactory};

use super::args::Cli;
use crate::model::Fault;
use crate::runtime::settings::{self, nearest};

/// What is wrong with the first word of the arguments, if it is one that means nothing.
pub(super) fn first_word(args: &[OsString]) -> Option<Fault> {
    let word = positional(&Cli::command(), args)?;
    let is_configured = || settings::load().is_ok_and(|s| s.locations.contains_key(&word));
    (means_nothing(&word) && !is_configured()).then(|| unknown(&word))
}

/// Whether a word is no command and no path, nor of any other form that a location has.
pub(super) fn means_nothing(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    word.chars().all(plain)
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && Cli::command().find_subcommand(word).is_none()
        && !Path::new(word).exists()
}

/// The fault of such a word.
pub(super) fn unknown(word: &str) -> Fault {
    let definition = Cli::command();
    let near = nearest(word, definition.get_subcommands().map(Command::get_name));
    let hint = match near {
        Some(near) => format!("Perhaps `deltop {near}` was meant; `deltop {near} --help` tells more"),
        None => {
            "`deltop --help` lists the commands; a location is a path, a URL, or a configured name".into()
        }
    };
    Fault::usage("unknown-command", format!("\"{word}\" is neither a command nor a location"))
        .because("there is no file or folder and no configured location of that name")
        .hint(hint)
}

/// The first argument that is no flag and no flag's value.
fn positional(definition: &Command, args: &[OsString]) -> Option<String> {
    let takes_value = |flag: &str| {
        definition.get_arguments().any(|a| {
            a.get_long() == flag.strip_prefix("--")
                && matches!(a.get_action(), ArgAction::Set | ArgAction::Append)
        })
    };
    let mut words = args.iter().skip(1).map(|a| a.to_string_lossy());
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            return Some(word.into_owned());
        }
        if takes_value(&word) {
            words.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str]) -> Option<Fault> {
        let args: Vec<OsString> =
            std::iter::once("deltop").chain(words.iter().copied()).map(Into::into).collect();
        first_word(&args)
    }

    #[test]
    fn words_that_mean_nothing_are_told_from_locations() {
        let fault = found(&["--as-of", "3", "histroy", "t"]).unwrap();
        assert_eq!((fault.code, fault.exit_status()), ("unknown-command", 2));
        assert!(
            fault.message.contains("\"histroy\"") && fault.hint.contains("`deltop history`"),
            "{fault:?}"
        );
        let fault = found(&["frobnicate", "--help"]).unwrap();
        assert!(fault.hint.contains("deltop --help"), "{fault:?}");
        for words in
            [&["history", "t"][..], &["./histroy"], &["s3://b/t"], &["src"], &["--json"], &["a.parquet"], &[]]
        {
            assert_eq!(found(words), None, "{words:?}");
        }
    }
}
