//! Where answers go: buffered standard output, as text or JSON.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, Write};

use serde::Serialize;

use super::ascii_out::AsciiOut;
use super::progress::ProgressLine;
use crate::model::text::is_hostile;
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

/// As [`to_stdout`], for a command that reads for a while; with `ascii` in nothing but ASCII.
pub async fn answer<T>(
    progress: ProgressLine,
    ascii: bool,
    write: impl AsyncFnOnce(&mut Sink) -> Outcome<T>,
) -> Outcome<T> {
    let mut out = Stdout { buffer: BufWriter::with_capacity(BUFFER, io::stdout()), progress: Some(progress) };
    let outcome = if ascii {
        let mut spelled = AsciiOut::new(out);
        let outcome = write(&mut spelled).await;
        out = spelled.into_inner();
        outcome
    } else {
        write(&mut out).await
    };
    out.progress = None;
    let flushed = out.flush().map_err(failed);
    let value = outcome?;
    flushed?;
    Ok(value)
}

const BUFFER: usize = 64 << 10;

/// Writes one value: laid out in lines for `--json`, in a single line for `--ndjson`.
pub fn object(out: &mut Sink, format: Format, value: &impl Serialize) -> Outcome<()> {
    let text = match format {
        Format::Ndjson => serde_json::to_string(value),
        _ => serde_json::to_string_pretty(value),
    };
    out.write_all(escaped(&text.map_err(|e| failed(e.into()))?).as_bytes()).map_err(failed)?;
    out.write_all(b"\n").map_err(failed)
}

/// JSON may hold any character but C0 controls as it is. What could steer a terminal that it is
/// shown on (C1 controls, marks of direction) is escaped too; it can stand in strings only.
fn escaped(json: &str) -> Cow<'_, str> {
    let escapes = |c: char| !c.is_ascii() && is_hostile(c);
    if !json.chars().any(escapes) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if escapes(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Writes an array element by element, each on its own line, so that none needs to be kept.
/// The first megabytes are held back until the end: a failure until then can still be told as the
/// only JSON value.
pub struct ArrayWriter<'a> {
    out: &'a mut Sink,
    lines_only: bool,
    /// Of each open array whether nothing is in it yet; the outermost first.
    empty: Vec<bool>,
    held: Vec<u8>,
    /// Some of it was written.
    started: bool,
}

/// Bytes of an array that are held back.
const HELD: usize = 4 << 20;

impl<'a> ArrayWriter<'a> {
    pub fn new(out: &'a mut Sink, format: Format) -> Self {
        let lines_only = format == Format::Ndjson;
        ArrayWriter { out, lines_only, empty: vec![true], held: Vec::new(), started: false }
    }

    /// Whether a part of the array was written already.
    pub fn has_started(&self) -> bool {
        self.started
    }

    /// Begins an array as the next element: what is pushed until [`ArrayWriter::finish`] goes into
    /// it. Lines know no arrays.
    pub fn begin(&mut self) {
        self.separate();
        self.empty.push(true);
    }

    /// Ends the array that was begun last.
    pub fn finish(&mut self) {
        self.close();
        self.empty.pop();
    }

    fn separate(&mut self) {
        let before: &[u8] = match (self.lines_only, self.empty.last()) {
            (true, _) => b"",
            (false, Some(false)) => b",\n",
            (false, _) => b"[\n",
        };
        self.held.extend_from_slice(before);
        if let Some(empty) = self.empty.last_mut() {
            *empty = false;
        }
    }

    fn close(&mut self) {
        self.held.extend_from_slice(match (self.lines_only, self.empty.last()) {
            (true, _) => b"",
            (false, Some(false)) => b"\n]",
            (false, _) => b"[]",
        });
    }

    pub fn push(&mut self, element: &impl Serialize) -> Outcome<()> {
        self.separate();
        let text = serde_json::to_string(element).map_err(|e| failed(e.into()))?;
        self.held.extend_from_slice(escaped(&text).as_bytes());
        if self.lines_only {
            self.held.push(b'\n');
        }
        if self.started || self.held.len() > HELD { self.let_go() } else { Ok(()) }
    }

    fn let_go(&mut self) -> Outcome<()> {
        self.started = true;
        let written = self.out.write_all(&self.held).map_err(failed);
        self.held.clear();
        written
    }

    /// Ends all arrays that are open.
    pub fn end(mut self) -> Outcome<()> {
        while !self.empty.is_empty() {
            self.finish();
        }
        if !self.lines_only {
            self.held.push(b'\n');
        }
        self.let_go()
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

    #[test]
    fn arrays_nest() {
        let nested = |format| {
            let mut out: Vec<u8> = Vec::new();
            let mut array = ArrayWriter::new(&mut out, format);
            array.begin();
            array.push(&1).unwrap();
            array.push(&2).unwrap();
            array.finish();
            array.begin();
            array.end().unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(nested(Format::Json), "[\n[\n1,\n2\n],\n[]\n]\n");
        assert_eq!(nested(Format::Ndjson), "1\n2\n");
    }
}
