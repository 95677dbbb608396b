//! The file size that suits a table.

use super::table::Metadata;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// The size to aim at, and the band in which a file is fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeTarget {
    /// Bytes.
    pub target: u64,
    /// Smallest acceptable size, bytes: half of the target.
    pub low: u64,
    /// Largest acceptable size, bytes: twice the target.
    pub high: u64,
    /// Where the figure comes from.
    pub source: &'static str,
}

impl SizeTarget {
    fn new(target: u64, source: &'static str) -> Self {
        SizeTarget { target, low: target / 2, high: target.saturating_mul(2), source }
    }
}

/// The target for a table of `total_bytes`: `delta.targetFileSize` where it is set, else by the
/// table's size: 128 MiB below 10 GiB, rising linearly to 1 GiB at 10 TiB
/// (Microsoft Fabric docs, "Tune file size", adaptive target file size; the smallest acceptable
/// file is half of it there; twice is the largest by this project's own rule).
pub fn size_target(metadata: &Metadata, total_bytes: u64) -> SizeTarget {
    let property = metadata.configuration.get("delta.targetFileSize").and_then(|v| parse_size(v));
    if let Some(bytes) = property.filter(|b| *b > 0) {
        return SizeTarget::new(bytes, "table property delta.targetFileSize");
    }
    let (from, to) = (10 * GIB, 10 * 1024 * GIB);
    let at = total_bytes.clamp(from, to) - from;
    let rise = u128::from(at) * u128::from(GIB - 128 * MIB) / u128::from(to - from);
    SizeTarget::new(128 * MIB + rise as u64, "Fabric adaptive target file size")
}

/// Bytes of `134217728`, `128mb`, `1 GB`, `64k` (binary units, as Spark reads such properties).
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let shift = match text[digits..].trim() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    number.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_rises_with_the_table() {
        let of = |bytes| size_target(&Metadata::default(), bytes).target;
        assert_eq!(of(0), 128 * MIB);
        assert_eq!(of(10 * GIB), 128 * MIB);
        assert_eq!(of(10 * 1024 * GIB), GIB);
        assert_eq!(of(u64::MAX), GIB);
        assert!((256 * MIB..512 * MIB).contains(&of(3 * 1024 * GIB)));
    }

    #[test]
    fn the_property_wins() {
        let mut m = Metadata::default();
        m.configuration.insert("delta.targetFileSize".into(), "256mb".into());
        assert_eq!(size_target(&m, 0).target, 256 * MIB);
        m.configuration.insert("delta.targetFileSize".into(), "much".into());
        assert_eq!(size_target(&m, 0).target, 128 * MIB);
        assert_eq!(parse_size("1 GB"), Some(GIB));
        assert_eq!(parse_size("99999999999t"), None);
    }
}
