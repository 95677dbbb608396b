//! A reader of Thrift's compact protocol, for what must be known of a footer before the parquet
//! crate parses it, or after it refused to (thrift-compact-protocol.md of Apache Thrift).
//!
//! Everything is `None` where the bytes are not of the protocol's form.

pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

// Types of the compact protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;

impl Reader<'_> {
    /// The next field's type, 0 at the end of a struct.
    pub fn field(&mut self, id: &mut i16) -> Option<u8> {
        let head = self.byte()?;
        if head == 0 {
            return Some(0);
        }
        *id = match i16::from(head >> 4) {
            0 => i16::try_from(self.zigzag()?).ok()?,
            delta => id.checked_add(delta)?,
        };
        Some(head & 0x0f)
    }

    /// The number of elements of a list, and their type.
    pub fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        Some((count, head & 0x0f))
    }

    /// Passes over a value. `depth`: how deep it is nested already.
    pub fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > 32 {
            return None;
        }
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.advance(1),
            I16 | I32 | I64 => self.varint().map(drop),
            DOUBLE => self.advance(8),
            BINARY => {
                let length = self.varint()?;
                self.advance(length)
            }
            LIST | SET => {
                let (count, kind) = self.list()?;
                // In a collection a truth value takes a byte of its own.
                let kind = if matches!(kind, TRUE | FALSE) { BYTE } else { kind };
                (0..count).try_for_each(|_| self.skip(kind, depth + 1))
            }
            MAP => {
                let count = self.varint()?;
                if count == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                (0..count).try_for_each(|_| {
                    self.skip(kinds >> 4, depth + 1)?;
                    self.skip(kinds & 0x0f, depth + 1)
                })
            }
            STRUCT => {
                let mut id = 0;
                loop {
                    match self.field(&mut id)? {
                        0 => return Some(()),
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
            }
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn advance(&mut self, by: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(by).ok()?)?;
        self.at = Some(end).filter(|end| *end <= self.bytes.len())?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}
