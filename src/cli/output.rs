//! Where answers go: buffered standard output, as text or JSON.

use std::io::{self, BufWriter, ErrorKind, Write};

use serde::Serialize;

use super::progress::ProgressLine;
use crate::model::{Fault, FaultKind, Outcome};

/// What a command writes its answer to.
pub type Sink = dyn Write + Send;

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    #[default]
    Text,
    Json,
    /// JSON with one line for each element of an array.
    Ndjson,
}

impl Format {
    pub fn is_text(self) -> bool {
        self == Format::Text
    }
}

/// The code of the fault that stands for a closed pipe: whoever read has seen enough.
pub const CLOSED: &str = "output-closed";

/// A failed write as a fault.
pub fn failed(cause: io::Error) -> Fault {
    if cause.kind() == ErrorKind::BrokenPipe {
        return Fault::new(FaultKind::Change, CLOSED, "The reader of the output went away");
    }
    Fault::new(FaultKind::Change, "cannot-write", "Cannot write the answer").because(cause)
}

/// Buffered standard output. Its first byte ends the progress line, so that the two never mix.
struct Stdout {
    buffer: BufWriter<io::Stdout>,
    progress: Option<ProgressLine>,
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress = None;
        self.buffer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

/// Runs `write` over buffered standard output and flushes it, also after a failure, so that
/// the order of answer and error holds.
pub fn to_stdout<T>(write: impl FnOnce(&mut Sink) -> Outcome<T>) -> Outcome<T> {
    let mut out = Stdout { buffer: BufWriter::with_capacity(BUFFER, io::stdout()), progress: None };
    let outcome = write(&mut out);
    let flushed = out.flush().map_err(failed);
    let value = outcome?;
    flushed?;
    Ok(value)
}

/// As [`to_stdout`], for a command that reads for a while.
pub async fn answer(
    progress: ProgressLine,
    write: impl AsyncFnOnce(&mut Sink) -> Outcome<()>,
) -> Outcome<()> {
    let mut out = Stdout { buffer: BufWriter::with_capacity(BUFFER, io::stdout()), progress: Some(progress) };
    let outcome = write(&mut out).await;
    out.progress = None;
    let flushed = out.flush().map_err(failed);
    outcome.and(flushed)
}

const BUFFER: usize = 64 << 10;

/// Writes one value: laid out in lines for `--json`, in a single line for `--ndjson`.
pub fn object(out: &mut Sink, format: Format, value: &impl Serialize) -> Outcome<()> {
    match format {
        Format::Ndjson => serde_json::to_writer(&mut *out, value),
        _ => serde_json::to_writer_pretty(&mut *out, value),
    }
    .map_err(|e| failed(e.into()))?;
    out.write_all(b"\n").map_err(failed)
}

/// Writes an array element by element, each on its own line, so that none needs to be kept.
/// Nothing is written before the first element or the end: a failure until then can still be told
/// as the only JSON value.
pub struct ArrayWriter<'a> {
    out: &'a mut Sink,
    lines_only: bool,
    empty: bool,
}

impl<'a> ArrayWriter<'a> {
    pub fn new(out: &'a mut Sink, format: Format) -> Self {
        ArrayWriter { out, lines_only: format == Format::Ndjson, empty: true }
    }

    pub fn is_empty(&self) -> bool {
        self.empty
    }

    pub fn push(&mut self, element: &impl Serialize) -> Outcome<()> {
        let before: &[u8] = match (self.lines_only, self.empty) {
            (true, _) => b"",
            (false, true) => b"[\n",
            (false, false) => b",\n",
        };
        self.empty = false;
        self.out.write_all(before).map_err(failed)?;
        serde_json::to_writer(&mut *self.out, element).map_err(|e| failed(e.into()))?;
        if self.lines_only { self.out.write_all(b"\n").map_err(failed) } else { Ok(()) }
    }

    pub fn end(self) -> Outcome<()> {
        match (self.lines_only, self.empty) {
            (true, _) => Ok(()),
            (false, true) => self.out.write_all(b"[]\n").map_err(failed),
            (false, false) => self.out.write_all(b"\n]\n").map_err(failed),
        }
    }
}

/// Writes a whole array.
pub fn array<T: Serialize>(
    out: &mut Sink,
    format: Format,
    elements: impl IntoIterator<Item = T>,
) -> Outcome<()> {
    let mut array = ArrayWriter::new(out, format);
    for element in elements {
        array.push(&element)?;
    }
    array.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: Format, elements: &[u32]) -> String {
        let mut out: Vec<u8> = Vec::new();
        array(&mut out, format, elements).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn arrays_are_json_or_lines() {
        assert_eq!(written(Format::Json, &[]), "[]\n");
        assert_eq!(written(Format::Json, &[1, 2]), "[\n1,\n2\n]\n");
        assert_eq!(written(Format::Ndjson, &[]), "");
        assert_eq!(written(Format::Ndjson, &[1, 2]), "1\n2\n");
    }
}
