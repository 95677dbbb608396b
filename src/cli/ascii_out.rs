//! Text for terminals and locales that have nothing but ASCII.

use std::io::{self, Write};

use crate::ui::ascii;

/// Puts a likeness in the place of each character that is not ASCII.
pub struct AsciiOut<W> {
    to: W,
    /// The beginning of a character whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> AsciiOut<W> {
    pub fn new(to: W) -> Self {
        AsciiOut { to, begun: Vec::new() }
    }

    pub fn into_inner(self) -> W {
        self.to
    }
}

impl<W: Write> Write for AsciiOut<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && bytes.is_ascii() {
            return self.to.write(bytes);
        }
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            // No text of ours; as it is.
            Err(e) if e.error_len().is_some() => {
                let raw = std::mem::take(&mut self.begun);
                self.to.write_all(&raw)?;
                return Ok(bytes.len());
            }
            Err(e) => e.valid_up_to(),
        };
        let rest = self.begun.split_off(whole);
        let text = String::from_utf8_lossy(&std::mem::replace(&mut self.begun, rest)).into_owned();
        self.to.write_all(ascii::text(&ascii::spelled(&text, false)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_may_come_in_pieces() {
        let text = "1 – 2 · a → b …\n";
        let mut whole = Vec::new();
        let mut ascii = AsciiOut::new(&mut whole);
        for byte in text.as_bytes() {
            ascii.write_all(&[*byte]).unwrap();
        }
        assert_eq!(String::from_utf8(whole).unwrap(), "1 - 2 . a -> b ...\n");
    }
}
