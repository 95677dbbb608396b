//! Which tables a rewrite may touch (safety contract, point 9): refused by name, before anything is
//! read.

use crate::model::table::Table;
use crate::model::{Fault, Outcome};

/// Writer features that a rewrite keeps right, and why.
const FINE: &[&str] = &[
    // Nothing is added or deleted: dataChange is false.
    "appendOnly",
    "changeDataFeed",
    "checkConstraints",
    "invariants",
    "generatedColumns",
    // Values are copied, no default or expression is applied.
    "allowColumnDefaults",
    "timestampNtz",
    "typeWidening",
    "typeWidening-preview",
    // Physical names and ids are kept.
    "columnMapping",
    // Deleted rows are left out, vectors go with their files.
    "deletionVectors",
    "v2Checkpoint",
    "vacuumProtocolCheck",
    "checkpointProtection",
    // Domains are not touched.
    "domainMetadata",
    "clustering",
    "inCommitTimestamp",
    "inCommitTimestamp-preview",
    "variantType",
    "variantType-preview",
];

/// Fault `unsupported-feature` (exit status 4), naming the feature.
pub fn rewrite(table: &Table) -> Outcome<()> {
    let refuse = |what: String| {
        Err(Fault::feature("unsupported-feature", format!("This table cannot be rewritten: it uses {what}"))
            .because("rewriting it without keeping that right would damage it")
            .hint("The table can still be looked at"))
    };
    let protocol = &table.protocol;
    if protocol.min_reader > 3 || protocol.min_writer > 7 {
        return refuse(format!(
            "reader version {} and writer version {}",
            protocol.min_reader, protocol.min_writer
        ));
    }
    let has_identity = table.metadata.schema.iter().any(|f| f.is_identity());
    for feature in protocol.features() {
        // Legacy versions imply it for every table; without such a column it means nothing.
        let unused_identity = feature == "identityColumns" && !has_identity;
        if !FINE.contains(&feature.as_str()) && !unused_identity {
            return refuse(feature);
        }
    }
    if let Some(problem) = &table.metadata.schema_problem {
        return Err(Fault::read("bad-schema", "The table's schema cannot be read").because(problem));
    }
    Ok(())
}
