//! The file size that suits a table.

use serde::{Deserialize, Serialize};

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

/// How a reader's target grows with the table: `floor` up to a table of `from` bytes, then linearly
/// to `ceiling` at `to` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetCurve {
    /// Bytes, as all of them.
    pub floor: u64,
    pub ceiling: u64,
    pub from: u64,
    pub to: u64,
}

impl TargetCurve {
    /// Microsoft Fabric docs, "Tune file size", adaptive target file size.
    pub const FABRIC: TargetCurve =
        TargetCurve { floor: 128 * MIB, ceiling: GIB, from: 10 * GIB, to: 10 * 1024 * GIB };
    /// Databricks docs, "Tune file size": 256 MB below 2.56 TB, 1 GB at 10 TB.
    pub const DATABRICKS: TargetCurve =
        TargetCurve { floor: 256 * MIB, ceiling: GIB, from: 2560 * GIB, to: 10 * 1024 * GIB };

    /// Bytes to aim at for a table of `total_bytes`.
    pub fn at(&self, total_bytes: u64) -> u64 {
        if total_bytes <= self.from || self.to <= self.from {
            return self.floor;
        }
        let done = u128::from(total_bytes.min(self.to) - self.from);
        let rise =
            done * u128::from(self.ceiling.saturating_sub(self.floor)) / u128::from(self.to - self.from);
        self.floor.saturating_add(rise as u64)
    }
}

/// The target for a table of `total_bytes`: `delta.targetFileSize` where it is set, else by the
/// table's size: 128 MiB below 10 GiB, rising linearly to 1 GiB at 10 TiB
/// (Microsoft Fabric docs, "Tune file size", adaptive target file size; the smallest acceptable
/// file is half of it there; twice is the largest by this project's own rule).
pub fn size_target(metadata: &Metadata, total_bytes: u64) -> SizeTarget {
    size_target_on(&TargetCurve::FABRIC, metadata, total_bytes)
}

/// As [`size_target`], by another reader's curve.
pub fn size_target_on(curve: &TargetCurve, metadata: &Metadata, total_bytes: u64) -> SizeTarget {
    let property = metadata.configuration.get("delta.targetFileSize").and_then(|v| parse_size(v));
    if let Some(bytes) = property.filter(|b| *b > 0) {
        return SizeTarget::new(bytes, "table property delta.targetFileSize");
    }
    let source = match *curve {
        TargetCurve::FABRIC => "Fabric adaptive target file size",
        TargetCurve::DATABRICKS => "Databricks autotuned file size",
        _ => "configured target file size",
    };
    SizeTarget::new(curve.at(total_bytes).max(1), source)
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
