//! Table features: which a table uses, and what this program can do with each.

use super::table::Protocol;

/// What can be done with a table that has a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSupport {
    /// The protocol's name, such as `deletionVectors`.
    pub name: &'static str,
    /// The log, the layout and the footers are shown.
    pub read: bool,
    /// SQL queries return its rows.
    pub sql: bool,
    /// Its data may be changed by delta-rs' operations.
    pub write: bool,
}

const fn row(name: &'static str, read: bool, sql: bool, write: bool) -> FeatureSupport {
    FeatureSupport { name, read, sql, write }
}

/// One row for each feature that the protocol names or writers are known to use; a feature that
/// is not here can be looked at, and nothing else. From the sources of deltalake-core 1.1.3 and
/// its kernel (`buoyant_kernel` 0.28.1, `table_features`).
pub const FEATURES: &[FeatureSupport] = &[
    row("allowColumnDefaults", true, true, false),
    row("appendOnly", true, true, true),
    row("catalogManaged", true, false, false),
    row("catalogOwned-preview", true, false, false),
    row("changeDataFeed", true, true, true),
    row("checkConstraints", true, true, true),
    row("checkpointProtection", true, true, false),
    row("clustering", true, true, false),
    row("collations", true, true, false),
    row("collations-preview", true, true, false),
    row("columnMapping", true, true, true),
    row("deletionVectors", true, true, true),
    row("domainMetadata", true, true, false),
    row("generatedColumns", true, true, true),
    row("icebergCompatV1", true, true, false),
    row("icebergCompatV2", true, true, false),
    row("icebergCompatV3", true, true, false),
    row("icebergWriterCompatV1", true, true, false),
    row("icebergWriterCompatV3", true, true, false),
    row("identityColumns", true, true, false),
    row("inCommitTimestamp", true, true, false),
    row("invariants", true, true, true),
    row("materializePartitionColumns", true, true, false),
    row("rowTracking", true, true, false),
    row("timestampNtz", true, true, true),
    row("typeWidening", true, false, false),
    row("typeWidening-preview", true, false, false),
    row("v2Checkpoint", true, true, true),
    row("vacuumProtocolCheck", true, false, false),
    row("variantShredding", true, false, false),
    row("variantShredding-preview", true, false, false),
    row("variantType", true, true, true),
    row("variantType-preview", true, true, true),
];

/// The support of a feature by name; unknown features can only be looked at.
pub fn support(name: &str) -> FeatureSupport {
    FEATURES.iter().copied().find(|f| f.name == name).unwrap_or(row("", true, false, false))
}

/// Features that a legacy protocol version implies (protocol, "Valid Feature Names in Table
/// Features": the versions in which each appeared).
const LEGACY: &[(&str, u32, u32)] = &[
    ("appendOnly", 0, 2),
    ("invariants", 0, 2),
    ("checkConstraints", 0, 3),
    ("changeDataFeed", 0, 4),
    ("generatedColumns", 0, 4),
    ("columnMapping", 2, 5),
    ("identityColumns", 0, 6),
];

impl Protocol {
    /// The table's features by name, sorted: those that it lists, or those that its versions imply.
    pub fn features(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        if self.min_writer < 7 {
            let implied = LEGACY.iter().filter(|(_, _, writer)| self.min_writer >= *writer);
            out.extend(implied.map(|(name, ..)| (*name).to_owned()));
        }
        if self.min_reader == 2 && !out.iter().any(|f| f == "columnMapping") {
            out.push("columnMapping".into());
        }
        out.extend(self.reader_features.iter().chain(&self.writer_features).flatten().cloned());
        out.sort();
        out.dedup();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_imply_features() {
        let p = |r, w| Protocol { min_reader: r, min_writer: w, ..Protocol::default() };
        assert!(p(1, 1).features().is_empty());
        assert_eq!(p(1, 2).features(), ["appendOnly", "invariants"]);
        assert_eq!(p(2, 5).features().len(), 6);
        let named = Protocol { reader_features: Some(vec!["b".into()]), ..p(3, 7) };
        assert_eq!(named.features(), ["b"]);
    }
}
