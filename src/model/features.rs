//! Table features: which a table uses, and what this program can do with each.

use super::gate::Action;
use super::table::Protocol;

/// Whether an action may be done on a table that lists a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    May,
    /// Never; why not.
    Not(&'static str),
    /// Not where this holds; why not.
    NotIf(Condition, &'static str),
}

/// A feature that a table lists may be without effect on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The table property is `true`.
    Property(&'static str),
    /// The schema has an identity column.
    IdentityColumn,
}

/// What can be done with a table that has a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// The protocol's name, such as `deletionVectors`.
    pub name: &'static str,
    /// SQL queries return its rows. (Looking at log, layout and footers always works.)
    pub sql: bool,
    pub rewrite: Rule,
    pub vacuum: Rule,
    pub undo: Rule,
    pub repair: Rule,
    /// What a change takes care of because of the feature, for the docs.
    pub how: &'static str,
}

impl Feature {
    pub fn rule(&self, action: Action) -> Rule {
        match action {
            Action::Rewrite => self.rewrite,
            Action::Vacuum => self.vacuum,
            Action::Undo => self.undo,
            Action::Repair => self.repair,
        }
    }
}

/// A feature with which everything may be done.
const fn open(name: &'static str, how: &'static str) -> Feature {
    Feature {
        name,
        sql: true,
        rewrite: Rule::May,
        vacuum: Rule::May,
        undo: Rule::May,
        repair: Rule::May,
        how,
    }
}

/// A feature whose data files cannot be written here; what needs no new data file may be done.
const fn no_new_files(name: &'static str, why: &'static str) -> Feature {
    Feature { rewrite: Rule::Not(why), ..open(name, "files are only re-added or removed, never written") }
}

/// A feature because of which nothing may be changed.
const fn closed(name: &'static str, why: &'static str) -> Feature {
    let not = Rule::Not(why);
    Feature { name, sql: false, rewrite: not, vacuum: not, undo: not, repair: not, how: "only looked at" }
}

/// A table that Iceberg readers also read.
const fn iceberg(name: &'static str) -> Feature {
    Feature {
        vacuum: Rule::Not("its Iceberg metadata, which is not read here, may still refer to the files"),
        ..no_new_files(name, "its files must hold partition columns and field ids as Iceberg wants them")
    }
}

const fn no_sql(feature: Feature) -> Feature {
    Feature { sql: false, ..feature }
}

const CATALOG: &str = "its commits go through a catalog, and some may not be in the log yet";
const UNKNOWN: &str = "the feature is not known here, so what it asks of a writer is not either";
const COPIED: &str = "no duty for rows that are there already";

/// One row for each feature that the protocol names or writers are known to use. `sql` is from the
/// sources of deltalake-core 1.1.3 and its kernel (`buoyant_kernel` 0.28.1, `table_features`), the
/// rules are from the protocol's writer requirements and from what this program's own commits,
/// rewriter and vacuum do about them.
pub const FEATURES: &[Feature] = &[
    open("allowColumnDefaults", COPIED),
    Feature {
        repair: Rule::NotIf(Condition::Property("delta.appendOnly"), "rows of the table must not be removed"),
        ..open("appendOnly", "rewrites rearrange rows (`dataChange=false`), which the protocol permits")
    },
    closed("catalogManaged", CATALOG),
    closed("catalogOwned", CATALOG),
    closed("catalogOwned-preview", CATALOG),
    open("changeDataFeed", "no change data, as no row changes; vacuum deletes expired `_change_data` files"),
    open("checkConstraints", COPIED),
    open("checkpointProtection", "the log is never cleaned up on the side"),
    open(
        "clustering",
        "statistics are written on the clustering columns; no `clusteringProvider` is claimed",
    ),
    no_new_files("collations", "statistics by collation are not written here"),
    no_new_files("collations-preview", "statistics by collation are not written here"),
    open("columnMapping", "physical names and field ids are kept (modes `name` and `id`)"),
    open("deletionVectors", "deleted rows are left out; undo re-adds files with their vectors"),
    open("domainMetadata", "domains are left as they are"),
    open("generatedColumns", "values are copied as they are"),
    no_sql(no_new_files("geospatial", "statistics of geometries are not written here")),
    iceberg("icebergCompatV1"),
    iceberg("icebergCompatV2"),
    iceberg("icebergCompatV3"),
    iceberg("icebergWriterCompatV1"),
    iceberg("icebergWriterCompatV3"),
    Feature {
        rewrite: Rule::NotIf(
            Condition::IdentityColumn,
            "it has identity columns, which are not rewritten here",
        ),
        ..open("identityColumns", "no duty while the schema has no identity column")
    },
    open("inCommitTimestamp", "commits carry a timestamp greater than the last one"),
    open("inCommitTimestamp-preview", "commits carry a timestamp greater than the last one"),
    open("invariants", COPIED),
    no_new_files("materializePartitionColumns", "its files must hold the partition columns too"),
    Feature {
        undo: Rule::Not("row ids of re-added files are not checked here"),
        ..no_new_files("rowTracking", "the ids of its rows would have to be written beside them")
    },
    open("timestampNtz", "values are copied as they are"),
    no_sql(open("typeWidening", "narrower values of older files are widened while they are read")),
    no_sql(open("typeWidening-preview", "narrower values of older files are widened while they are read")),
    open("v2Checkpoint", "no checkpoint is written that was not asked for"),
    no_sql(open("vacuumProtocolCheck", "vacuum checks reader and writer features before it reads anything")),
    no_sql(no_new_files("variantShredding", "shredded values would have to be put together and taken apart")),
    no_sql(no_new_files(
        "variantShredding-preview",
        "shredded values would have to be put together and taken apart",
    )),
    open("variantType", "values are copied as they are"),
    open("variantType-preview", "values are copied as they are"),
];

/// The row of a feature; none for one that is not known here.
pub fn known(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|f| f.name == name)
}

/// The row of a feature. One that is not known can only be looked at; its row has no name.
pub fn support(name: &str) -> Feature {
    known(name).copied().unwrap_or(closed("", UNKNOWN))
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

    #[test]
    fn rows_are_sorted_and_single() {
        assert!(FEATURES.windows(2).all(|w| w[0].name < w[1].name));
        assert!(support("fancyWrites").name.is_empty());
    }
}
