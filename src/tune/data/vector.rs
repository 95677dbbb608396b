//! Deletion vectors: which rows of a file are deleted (protocol, "Deletion Vector Format").

use object_store::ObjectStoreExt;
use roaring::RoaringTreemap;

use crate::lake::footer::Locator;
use crate::lake::log::store;
use crate::lake::watch::Watch;
use crate::model::files::DeletionVector;
use crate::model::{Fault, Outcome};

/// Every vector begins with it: the portable format of Roaring bitmaps.
const MAGIC: u32 = 1_681_511_377;

/// The deleted rows. Faults: `bad-deletion-vector`, those of the store.
pub async fn read(locator: &Locator<'_>, vector: &DeletionVector, watch: &Watch) -> Outcome<RoaringTreemap> {
    let bad = |why: String| {
        Fault::read(
            "bad-deletion-vector",
            format!("The deletion vector {} cannot be read", vector.unique_id()),
        )
        .because(why)
        .hint("Without it nobody can tell which rows of its file are deleted")
    };
    let rows = if vector.storage_type == "i" {
        let bytes = z85(&vector.path_or_inline_dv).ok_or_else(|| bad("it is not Base85".into()))?;
        parse(&bytes).map_err(bad)?
    } else {
        let path = file_of(vector).ok_or_else(|| bad("its path cannot be made out".into()))?;
        let (store, at) = locator.locate(&path)?;
        let start = u64::try_from(vector.offset.unwrap_or(0)).map_err(|e| bad(e.to_string()))?;
        let size = u64::try_from(vector.size_in_bytes).map_err(|e| bad(e.to_string()))?;
        // Around it: its size before, its checksum after.
        let end = start
            .checked_add(size)
            .and_then(|e| e.checked_add(8))
            .ok_or_else(|| bad("its size is absurd".into()))?;
        let read = async { store.get_range(&at, start..end).await };
        let bytes = store::cancellable(watch, read).await?.map_err(|e| store::fault(&at, e))?;
        parse(framed(&bytes, size).map_err(bad)?).map_err(bad)?
    };
    if rows.len() != vector.cardinality {
        return Err(bad(format!("it deletes {} rows, the log says {}", rows.len(), vector.cardinality)));
    }
    Ok(rows)
}

/// Path of the vector's file: relative to the table, or absolute; none for what is not understood.
pub fn file_of(vector: &DeletionVector) -> Option<String> {
    match vector.storage_type.as_str() {
        "p" => Some(crate::lake::log::key::decode_path(&vector.path_or_inline_dv).into_owned()),
        "u" => {
            // A prefix of any length, then a UUID in 20 characters.
            let text = &vector.path_or_inline_dv;
            let (prefix, id) = text.split_at_checked(text.len().checked_sub(20)?)?;
            let id = uuid::Uuid::from_slice(&z85(id)?).ok()?;
            let folder = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
            Some(format!("{folder}deletion_vector_{id}.bin"))
        }
        _ => None,
    }
}

/// The data between its size and its checksum.
fn framed(bytes: &[u8], size: u64) -> Result<&[u8], String> {
    let be = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_be_bytes);
    let size = usize::try_from(size).map_err(|e| e.to_string())?;
    let (stated, data) = be(0).zip(bytes.get(4..4 + size)).ok_or("the file is too short")?;
    if stated as usize != size {
        return Err(format!("its size is {stated} in the file and {size} in the log"));
    }
    let sum = be(4 + size).ok_or("the file is too short")?;
    if crc32(data) != sum {
        return Err("its checksum is wrong".into());
    }
    Ok(data)
}

/// CRC-32 as zip and gzip have it; vectors are small, so a bit at a time will do.
fn crc32(data: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !data.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

fn parse(data: &[u8]) -> Result<RoaringTreemap, String> {
    let magic = data.get(..4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    if magic != Some(MAGIC) {
        return Err("it is not in the portable Roaring format".into());
    }
    RoaringTreemap::deserialize_from(&data[4..]).map_err(|e| e.to_string())
}

/// ZeroMQ's Base85 (<https://rfc.zeromq.org/spec/32/>): five characters are four bytes.
fn z85(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8; 85] =
        b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
    if !text.len().is_multiple_of(5) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 5 * 4);
    for five in text.as_bytes().chunks(5) {
        let mut value: u32 = 0;
        for c in five {
            let digit = DIGITS.iter().position(|d| d == c)?;
            value = value.checked_mul(85)?.checked_add(u32::try_from(digit).ok()?)?;
        }
        out.extend_from_slice(&value.to_be_bytes());
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base85_as_its_specification_has_it() {
        assert_eq!(z85("HelloWorld").unwrap(), [0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B]);
        assert_eq!(z85("Hello~orld"), None);
        assert_eq!(z85("abc"), None);
        assert_eq!(z85("#####"), None);
    }

    #[test]
    fn the_protocols_examples() {
        let vector = |storage_type: &str, text: &str| DeletionVector {
            storage_type: storage_type.into(),
            path_or_inline_dv: text.into(),
            offset: Some(4),
            size_in_bytes: 40,
            cardinality: 6,
        };
        let path = file_of(&vector("u", "ab^-aqEH.-t@S}K{vb[*k^")).unwrap();
        assert_eq!(path, "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
        let inline = z85("^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L").unwrap();
        let rows: Vec<u64> = parse(&inline).unwrap().iter().collect();
        assert_eq!(rows, [3, 4, 7, 11, 18, 29]);
    }

    #[test]
    fn damage_is_noticed() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        let mut bytes = 4u32.to_be_bytes().to_vec();
        bytes.extend_from_slice(b"data");
        bytes.extend_from_slice(&crc32(b"data").to_be_bytes());
        assert_eq!(framed(&bytes, 4), Ok(&b"data"[..]));
        assert!(framed(&bytes, 5).is_err());
        bytes[5] ^= 1;
        assert!(framed(&bytes, 4).is_err());
        assert!(parse(b"nonsense").is_err());
    }
}
