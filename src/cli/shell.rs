//! `deltop completions` and `deltop man`, both from the one definition.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::args::Cli;
use super::output::{Sink, failed};
use crate::model::Outcome;

pub fn completions(shell: Shell, out: &mut Sink) -> Outcome<()> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "deltop", &mut text);
    out.write_all(&text).map_err(failed)
}

/// One page: the program, then each command below a heading of its own.
pub fn man(out: &mut Sink) -> Outcome<()> {
    let mut command = Cli::command();
    command.build();
    write_page(out, &command).map_err(failed)
}

fn write_page(out: &mut dyn Write, command: &Command) -> io::Result<()> {
    Man::new(command.clone()).render(out)?;
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = sub.get_bin_name().unwrap_or(sub.get_name()).to_uppercase();
        writeln!(out, ".SH \"{name}\"")?;
        let man = Man::new(sub.clone());
        let mut section = Vec::new();
        man.render_synopsis_section(&mut section)?;
        man.render_description_section(&mut section)?;
        man.render_options_section(&mut section)?;
        let text = String::from_utf8_lossy(&section).replace("\n.SH ", "\n.SS ");
        let text = text.strip_prefix(".SH ").map_or(text.clone(), |rest| format!(".SS {rest}"));
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
