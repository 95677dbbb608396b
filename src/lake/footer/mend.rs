//! A footer without the fields that are not of the format's type.
//!
//! Writers have used numbers of fields before the format gave them a meaning (Dremio's wrote a list
//! as field 15 of the column metadata, now the bloom filter's length). Readers made by Thrift pass
//! over a field of another type than they expect; the parquet crate does not look at the type.

use super::thrift::{BINARY, I32, I64, LIST, Reader, STRUCT};

/// The structs on the way to what such fields were found in.
#[derive(Clone, Copy)]
enum Struct {
    File,
    RowGroup,
    Chunk,
    Column,
}

/// The same footer without the fields of a wrong type; none if the bytes cannot be understood.
pub(super) fn without_foreign_fields(footer: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(footer.len());
    Reader { bytes: footer, at: 0 }.copy(Struct::File, &mut out)?;
    Some(out)
}

impl Struct {
    /// The type of a field (parquet.thrift); none for one that this program does not need, which is
    /// left out.
    fn kind_of(self, id: i16) -> Option<u8> {
        Some(match (self, id) {
            (Struct::File, 1) => I32,
            (Struct::File, 3) => I64,
            (Struct::File, 2 | 4 | 5 | 7) => LIST,
            (Struct::File, 6) => BINARY,
            (Struct::RowGroup, 1) => LIST,
            (Struct::RowGroup, 2 | 3 | 5 | 6) => I64,
            (Struct::Chunk, 1) => BINARY,
            (Struct::Chunk, 2 | 4 | 6) => I64,
            (Struct::Chunk, 3) => STRUCT,
            (Struct::Chunk, 5 | 7) => I32,
            (Struct::Column, 1 | 4 | 15) => I32,
            (Struct::Column, 2 | 3 | 8) => LIST,
            (Struct::Column, 5 | 6 | 7 | 9 | 10 | 11 | 14) => I64,
            (Struct::Column, 12) => STRUCT,
            _ => return None,
        })
    }

    /// What a field holds that is to be looked into.
    fn inner(self, id: i16) -> Option<Struct> {
        match (self, id) {
            (Struct::File, 4) => Some(Struct::RowGroup),
            (Struct::RowGroup, 1) => Some(Struct::Chunk),
            (Struct::Chunk, 3) => Some(Struct::Column),
            _ => None,
        }
    }
}

impl Reader<'_> {
    fn copy(&mut self, of: Struct, out: &mut Vec<u8>) -> Option<()> {
        let (mut id, mut written) = (0, 0);
        loop {
            let kind = self.field(&mut id)?;
            if kind == 0 {
                out.push(0);
                return Some(());
            }
            if of.kind_of(id) != Some(kind) {
                self.skip(kind, 0)?;
                continue;
            }
            // A number that grows by 1 to 15 stands in the head itself; the format's all do.
            let delta = u8::try_from(id - written).ok().filter(|delta| (1..=15).contains(delta))?;
            out.push(delta << 4 | kind);
            written = id;
            let start = self.at;
            match of.inner(id) {
                Some(inner) if kind == LIST => {
                    let (count, element) = self.list()?;
                    if element != STRUCT {
                        return None;
                    }
                    out.extend_from_slice(self.bytes.get(start..self.at)?);
                    (0..count).try_for_each(|_| self.copy(inner, out))?;
                }
                Some(inner) => self.copy(inner, out)?,
                None => {
                    self.skip(kind, 0)?;
                    out.extend_from_slice(self.bytes.get(start..self.at)?);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_type_is_left_out() {
        // A file with one row group, of one chunk, whose column has field 14 (an offset), field 15
        // as a list of one byte, and field 16, which is not needed.
        let column = |foreign: &[u8]| [&[0x15, 2, 0xd6, 8][..], foreign, &[0]].concat();
        let file = |foreign: &[u8]| {
            [&[0x15, 2, 0x39, 0x1c, 0x19, 0x1c, 0x3c][..], &column(foreign), &[0, 0, 0]].concat()
        };
        let with = file(&[0x19, 0x13, 7, 0x15, 4]);
        assert_eq!(without_foreign_fields(&with).as_deref(), Some(&file(&[])[..]));
        let right = file(&[0x15, 4]);
        assert_eq!(without_foreign_fields(&right), Some(right));
        assert_eq!(without_foreign_fields(&with[..9]), None);
        assert_eq!(without_foreign_fields(b""), None);
    }
}
