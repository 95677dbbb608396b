//! Where the text of `deltop sql` comes from: an argument, a file, or standard input.

use std::io::{self, Read};

use super::args::SqlArgs;
use crate::model::{Fault, Outcome};

pub fn text(args: &SqlArgs) -> Outcome<String> {
    match (args.text.as_deref(), &args.file) {
        (Some("-"), _) => {
            let mut text = String::new();
            let read = io::stdin().lock().read_to_string(&mut text);
            read.map_err(|e| failed("standard input", &e)).map(|_| text)
        }
        (Some(text), _) => Ok(text.to_owned()),
        (None, Some(path)) => {
            std::fs::read_to_string(path).map_err(|e| failed(&path.display().to_string(), &e))
        }
        (None, None) => Err(Fault::usage("usage", "There is no SQL").hint("deltop sql --help")),
    }
}

fn failed(what: &str, cause: &io::Error) -> Fault {
    Fault::usage("no-sql-file", format!("Cannot read SQL from {what}"))
        .because(cause)
        .hint("Name a readable text file (UTF-8), or - for standard input")
}
