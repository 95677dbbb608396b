//! Failures: three lines on standard error, or JSON on standard output.

use std::io::{self, Write};

use serde_json::json;

use super::output::{self, CLOSED, Format};
use crate::model::Fault;
use crate::model::text::clean;

/// Tells what went wrong; gives the process's exit status. A closed pipe is no failure.
pub fn fault(fault: &Fault, format: Format) -> u8 {
    if fault.code == CLOSED {
        return 0;
    }
    // Whoever called may have closed the very stream that this goes to; then nothing can be told.
    drop(match format {
        Format::Text => write_text(&mut io::stderr().lock(), fault),
        _ => output::to_stdout(|out| output::object(out, Format::Ndjson, &as_json(fault)))
            .map_err(io::Error::other),
    });
    fault.exit_status()
}

fn write_text(out: &mut dyn Write, fault: &Fault) -> io::Result<()> {
    let mut text = format!("deltop: {}\n", clean(&one_line(&fault.message)));
    for (label, line) in [("why", &fault.cause), ("next", &fault.hint)] {
        if !line.is_empty() {
            text += &format!("  {label}: {}\n", clean(&one_line(line)));
        }
    }
    out.write_all(text.as_bytes())
}

fn as_json(fault: &Fault) -> serde_json::Value {
    let message = one_line(&fault.to_string());
    let hint = (!fault.hint.is_empty()).then_some(&fault.hint);
    json!({"error": {"code": fault.code, "message": message, "hint": hint}})
}

/// Libraries lay out some of their messages in several lines.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_takes_three_lines_at_most() {
        let fault = Fault::read("not-found", "Cannot\n open x").because("it is \x1b[31mgone").hint("look");
        let mut out = Vec::new();
        write_text(&mut out, &fault).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "deltop: Cannot open x\n  why: it is ␛[31mgone\n  next: look\n");
        let error = &as_json(&Fault::read("a-b", "m"))["error"];
        assert_eq!(error.to_string(), r#"{"code":"a-b","message":"m","hint":null}"#);
    }
}
