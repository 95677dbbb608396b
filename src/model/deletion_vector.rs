//! Where a deletion vector is kept (Delta protocol, "Deletion Vector Descriptor Schema").

use super::files::DeletionVector;

/// The alphabet of Z85, the protocol's base 85 (ZeroMQ RFC 32).
const Z85: &[u8; 85] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
/// Characters of a UUID in Z85.
const UUID_CHARS: usize = 20;

impl DeletionVector {
    /// The file that holds it: relative to the table, or an absolute path or URL. None for an inline
    /// vector, and for a descriptor that is not of the protocol's form.
    pub fn file(&self) -> Option<String> {
        match self.storage_type.as_str() {
            "p" => Some(self.path_or_inline_dv.clone()),
            "u" => {
                let at = self.path_or_inline_dv.len().checked_sub(UUID_CHARS)?;
                let prefix = self.path_or_inline_dv.get(..at)?;
                let name = format!("deletion_vector_{}.bin", uuid(self.path_or_inline_dv.get(at..)?)?);
                Some(if prefix.is_empty() { name } else { format!("{prefix}/{name}") })
            }
            _ => None,
        }
    }
}

/// Twenty characters as the text of a UUID.
fn uuid(text: &str) -> Option<String> {
    let mut hex = String::with_capacity(36);
    for five in text.as_bytes().chunks(5) {
        let digit = |c: &u8| Z85.iter().position(|z| z == c).map(|d| d as u64);
        let value = five.iter().try_fold(0u64, |sum, c| Some(sum * 85 + digit(c)?))?;
        hex.push_str(&format!("{:08x}", u32::try_from(value).ok()?));
    }
    for at in [20, 16, 12, 8] {
        hex.insert(at, '-');
    }
    Some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(storage_type: &str, path: &str) -> Option<String> {
        let (storage_type, path_or_inline_dv) = (storage_type.into(), path.into());
        DeletionVector { storage_type, path_or_inline_dv, offset: None, size_in_bytes: 1, cardinality: 1 }
            .file()
    }

    /// The first is the protocol's own example.
    #[test]
    fn files_of_all_kinds() {
        let name = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
        assert_eq!(file("u", "ab^-aqEH.-t@S}K{vb[*k^"), Some(format!("ab/{name}")));
        assert_eq!(file("u", "^-aqEH.-t@S}K{vb[*k^"), Some(name.into()));
        assert_eq!(file("p", "s3://b/x.bin"), Some("s3://b/x.bin".into()));
        assert_eq!(file("i", "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"), None);
        assert_eq!(file("u", "short"), None);
        assert_eq!(file("u", "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\""), None);
        assert_eq!(file("u", "#####################"), None);
    }
}
