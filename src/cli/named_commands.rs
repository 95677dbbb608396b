//! Whatever findings, hints and documents name as a command is one: it parses with the very definition
//! that the program uses.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, Parser};

use super::args::Cli;
use crate::advice::tests::every::every_finding;
use crate::model::plan::shell_words;

#[test]
fn the_action_of_every_finding_is_a_command_or_says_what_else_to_do() {
    let mut parsed = 0;
    for finding in every_finding() {
        let Some(command) = finding.action.as_ref().and_then(|a| a.command.as_deref()) else { continue };
        let words = shell_words(command);
        let cli = Cli::try_parse_from(&words).unwrap_or_else(|e| panic!("{}: {command}\n{e}", finding.id));
        let at = cli.command.as_ref().and_then(|c| c.at()).map(|at| at.location.as_str());
        assert_eq!(at, Some("/data/it's a `table` \"x\""), "{command}");
        parsed += 1;
    }
    assert!(parsed > 10, "only {parsed}");
}

/// The program's own texts and documents, without comments.
fn texts() -> Vec<(PathBuf, String)> {
    fn below(folder: &Path, ending: &str, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => below(&path, ending, out),
                path if path.to_string_lossy().ends_with(ending) => out.push(path),
                _ => {}
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("README.md"), root.join("config.example.toml")];
    below(&root.join("docs"), ".md", &mut paths);
    below(&root.join("src"), ".rs", &mut paths);
    let own = Path::new(file!()).file_name();
    paths.retain(|p| p.file_name() != own && !p.ends_with("cli/unknown.rs"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_comment = |line: &&str| path.ends_with("rs") && line.trim_start().starts_with("//");
        let lines: Vec<&str> = code.lines().filter(|l| !is_comment(l)).collect();
        (path, lines.join("\n"))
    };
    paths.into_iter().map(read).collect()
}

/// The command lines that a text names: `deltop …` in backticks, at the start of a line of shell or of
/// a string, or after a colon.
fn named(text: &str) -> Vec<&str> {
    let starts = text.match_indices("deltop ").filter(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        ["`", "\"", "\n", ": "].iter().any(|start| before.ends_with(start))
    });
    let end = |rest: &str| rest.find(['`', '"', '\n', '|', ';', ',']).unwrap_or(rest.len());
    starts.filter_map(|(at, _)| text.get(at..)).map(|rest| rest.get(..end(rest)).unwrap_or(rest)).collect()
}

/// What is wrong with a command line as a text names it, with its placeholders.
fn problem(definition: &Command, line: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip(1);
    let first = words.next()?;
    // The program in a sentence, and an example's configured name.
    const OTHERS: [&str; 6] = ["shows", "changes", "stopped", "version", "again", "lake"];
    // Else a location, a flag, or a placeholder of a text that is put together.
    let is_word = first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if !is_word || OTHERS.contains(&first) {
        return None;
    }
    let Some(command) = definition.find_subcommand(first) else {
        return Some(format!("there is no command {first}: {line}"));
    };
    let known = |flag: &str| {
        let is = |c: &Command| c.get_arguments().any(|a| a.get_long() == Some(flag));
        flag == "help" || is(command) || is(definition)
    };
    let flags = words.filter_map(|w| w.trim_start_matches(['[', '(']).strip_prefix("--"));
    let name = |flag: &'_ str| -> String {
        flag.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect()
    };
    flags.map(name).find(|f| !f.is_empty() && !known(f)).map(|f| format!("{first} has no --{f}: {line}"))
}

#[test]
fn documents_and_hints_name_only_what_there_is() {
    let definition = Cli::command();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (path, text) in texts() {
        for line in named(&text) {
            seen += 1;
            wrong.extend(problem(&definition, line).map(|p| format!("{}: {p}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 60, "only {seen} were found");
    for (line, is_wrong) in [
        ("deltop detail T", false),
        ("deltop repartition T", true),
        ("deltop vacuum T [--retain HOURS] [--full]", false),
        ("deltop vacuum T --force", true),
        ("deltop {shown}", false),
    ] {
        assert_eq!(problem(&definition, line).is_some(), is_wrong, "{line}");
    }
}
