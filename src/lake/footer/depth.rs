//! How deep a footer's schema nests, found without recursion.
//!
//! The parquet crate builds the schema by a recursive function, so that a file with a chain of a
//! hundred thousand groups would exhaust the stack, which ends the process. The schema is a flat
//! list in which each element states the number of its children (parquet.thrift, `SchemaElement`);
//! this reads just these numbers.

use super::thrift::{I32, LIST, Reader, STRUCT};

/// Deeper than any schema that people make; each level needs stack in the parser.
pub(super) const DEEPEST: usize = 200;

/// Whether the schema nests no deeper than [`DEEPEST`], as far as the bytes can be understood:
/// what cannot is left to the parser to refuse.
pub(super) fn is_tolerable(footer: &[u8]) -> bool {
    Reader { bytes: footer, at: 0 }.schema_is_tolerable().unwrap_or(true)
}

/// `FileMetaData.schema` and `SchemaElement.num_children`.
const SCHEMA_FIELD: i16 = 2;
const CHILDREN_FIELD: i16 = 5;

impl Reader<'_> {
    /// None where the bytes are not of the protocol's form.
    fn schema_is_tolerable(&mut self) -> Option<bool> {
        let mut id = 0;
        loop {
            let kind = self.field(&mut id)?;
            if kind == 0 {
                return Some(true);
            }
            if id == SCHEMA_FIELD && kind == LIST {
                return self.elements_are_tolerable();
            }
            self.skip(kind, 0)?;
        }
    }

    fn elements_are_tolerable(&mut self) -> Option<bool> {
        let (count, kind) = self.list()?;
        if kind != STRUCT {
            return None;
        }
        // Children still to come, of each group that is open.
        let mut open: Vec<u64> = Vec::new();
        for _ in 0..count {
            let children = self.element()?;
            if let Some(left) = open.last_mut() {
                *left = left.saturating_sub(1);
            }
            if children > 0 {
                open.push(children);
            }
            if open.len() > DEEPEST {
                return Some(false);
            }
            while open.last() == Some(&0) {
                open.pop();
            }
        }
        Some(true)
    }

    /// Reads a `SchemaElement`; gives the number of its children.
    fn element(&mut self) -> Option<u64> {
        let (mut id, mut children) = (0, 0);
        loop {
            match self.field(&mut id)? {
                0 => return Some(children),
                I32 if id == CHILDREN_FIELD => children = u64::try_from(self.zigzag()?).unwrap_or(0),
                kind => self.skip(kind, 0)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(mut n: u64, out: &mut Vec<u8>) {
        while n >= 0x80 {
            out.push(n as u8 | 0x80);
            n >>= 7;
        }
        out.push(n as u8);
    }

    /// The start of a footer: version, then a schema of elements with these numbers of children.
    fn footer(children: &[u64]) -> Vec<u8> {
        let mut out = vec![0x15, 2, 0x19, 0xfc];
        varint(children.len() as u64, &mut out);
        for n in children {
            // type (field 1), name (field 4), then num_children (field 5) if there are any
            out.extend([0x15, 2, 0x38, 1, b'a']);
            if *n > 0 {
                out.push(0x15);
                varint(n * 2, &mut out);
            }
            out.push(0);
        }
        out
    }

    #[test]
    fn chains_are_deep_and_wide_schemas_are_not() {
        let chain = |n: usize| [vec![1; n], vec![0]].concat();
        assert!(is_tolerable(&footer(&chain(DEEPEST))));
        assert!(!is_tolerable(&footer(&chain(DEEPEST + 1))));
        assert!(!is_tolerable(&footer(&chain(200_000))));
        assert!(is_tolerable(&footer(&[vec![100_000], vec![0; 100_000]].concat())));
        let side_by_side = [vec![1_000], [2, 0, 0].repeat(1_000)].concat();
        assert!(is_tolerable(&footer(&side_by_side)));
        assert!(!is_tolerable(&footer(&[2; 1_000])));
    }

    #[test]
    fn nonsense_is_left_to_the_parser() {
        for bytes in [
            &b""[..],
            b"\x19",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x19\xfc\xff\xff\xff\xff\x0f",
        ] {
            assert!(is_tolerable(bytes));
        }
    }
}
