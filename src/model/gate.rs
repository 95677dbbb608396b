//! Which changes a table's features permit, decided before anything of it is read or written
//! (Delta protocol, "Table Features": a writer must support every feature that a table lists).

use super::features::{Condition, Rule, support};
use super::table::Table;
use super::{Fault, Outcome};

/// What changes a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The same rows in other files: rewrite, optimize, purge.
    Rewrite,
    /// Deletes files that no version in use needs.
    Vacuum,
    /// Takes a rewrite back.
    Undo,
    /// Removes rows that a second rewrite doubled.
    Repair,
}

impl Action {
    pub const ALL: [Action; 4] = [Action::Rewrite, Action::Vacuum, Action::Undo, Action::Repair];

    /// As in "Cannot … a table with x".
    fn verb(self) -> &'static str {
        match self {
            Action::Rewrite => "rewrite",
            Action::Vacuum => "vacuum",
            Action::Undo => "undo changes of",
            Action::Repair => "repair",
        }
    }
}

/// The newest protocol versions that are published.
const NEWEST_READER: u32 = 3;
const NEWEST_WRITER: u32 = 7;

/// A feature that forbids an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The feature, or the protocol version such as `writer version 8`.
    pub feature: String,
    pub why: &'static str,
}

/// Why a listed feature forbids the action on this table; none if it does not.
pub fn refusal(action: Action, feature: &str, table: &Table) -> Option<&'static str> {
    match support(feature).rule(action) {
        Rule::May => None,
        Rule::Not(why) => Some(why),
        Rule::NotIf(condition, why) => holds(condition, table).then_some(why),
    }
}

fn holds(condition: Condition, table: &Table) -> bool {
    match condition {
        Condition::Property(key) => {
            let set = table.metadata.configuration.iter().find(|(k, _)| k.eq_ignore_ascii_case(key));
            set.is_some_and(|(_, value)| value.trim().eq_ignore_ascii_case("true"))
        }
        Condition::IdentityColumn => table.metadata.schema.iter().any(|f| f.is_identity()),
    }
}

/// Everything that forbids the action on this table.
pub fn refusals(action: Action, table: &Table) -> Vec<Refusal> {
    let protocol = &table.protocol;
    let mut out = Vec::new();
    let mut newer = |what: &str, version: u32, newest: u32| {
        if version > newest {
            out.push(Refusal {
                feature: format!("{what} version {version}"),
                why: "no published protocol defines this version",
            });
        }
    };
    newer("reader", protocol.min_reader, NEWEST_READER);
    newer("writer", protocol.min_writer, NEWEST_WRITER);
    for feature in protocol.features() {
        if let Some(why) = refusal(action, &feature, table) {
            out.push(Refusal { feature, why });
        }
    }
    out
}

/// Lets the action pass.
///
/// # Errors
/// `unsupported-feature`, naming every feature that forbids the action.
pub fn check(action: Action, table: &Table) -> Outcome<()> {
    let refusals = refusals(action, table);
    let Some(first) = refusals.first() else { return Ok(()) };
    let names: Vec<&str> = refusals.iter().map(|r| r.feature.as_str()).collect();
    let message = format!("Cannot {} a table with {}", action.verb(), names.join(", "));
    let cause = match refusals.len() {
        1 => first.why.to_owned(),
        _ => refusals.iter().map(|r| format!("{}: {}", r.feature, r.why)).collect::<Vec<_>>().join("; "),
    };
    Err(Fault::feature("unsupported-feature", message)
        .because(cause)
        .hint("The engine that owns the table can do it; here it can be looked at"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::features::FEATURES;
    use crate::model::schema::parse_schema;
    use crate::model::table::Protocol;

    fn table(features: &[&str]) -> Table {
        let protocol = Protocol {
            min_reader: 3,
            min_writer: 7,
            writer_features: Some(features.iter().map(|f| (*f).to_owned()).collect()),
            reader_features: None,
        };
        Table { protocol, ..Table::default() }
    }

    #[test]
    fn unknown_features_and_versions_forbid_everything() {
        for action in Action::ALL {
            let fault = check(action, &table(&["deletionVectors", "fancyWrites"])).unwrap_err();
            assert_eq!((fault.code, fault.exit_status()), ("unsupported-feature", 4));
            assert!(fault.message.ends_with("a table with fancyWrites"), "{fault:?}");
            let future = Protocol { min_reader: 4, min_writer: 8, ..Protocol::default() };
            let fault = check(action, &Table { protocol: future, ..Table::default() }).unwrap_err();
            assert!(fault.message.ends_with("reader version 4, writer version 8"), "{fault:?}");
            assert_eq!(check(action, &Table::default()), Ok(()));
        }
    }

    /// The features that issue and protocol want to be rewritable.
    #[test]
    fn what_is_rewritten() {
        let may = ["columnMapping", "deletionVectors", "v2Checkpoint", "changeDataFeed", "checkConstraints"];
        let more = ["generatedColumns", "clustering", "domainMetadata", "inCommitTimestamp", "invariants"];
        assert_eq!(check(Action::Rewrite, &table(&[may, more].concat())), Ok(()));
        let not: Vec<&str> = FEATURES
            .iter()
            .filter(|f| refusal(Action::Rewrite, f.name, &Table::default()).is_some())
            .map(|f| f.name)
            .collect();
        for name in [
            "rowTracking",
            "catalogManaged",
            "icebergCompatV2",
            "variantShredding",
            "materializePartitionColumns",
        ] {
            assert!(not.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_feature_without_effect_forbids_nothing() {
        let mut with = table(&["appendOnly", "identityColumns"]);
        assert!(Action::ALL.iter().all(|a| check(*a, &with).is_ok()));
        with.metadata.configuration.insert("delta.appendOnly".into(), "True".into());
        assert!(check(Action::Rewrite, &with).is_ok() && check(Action::Undo, &with).is_ok());
        assert!(check(Action::Repair, &with).unwrap_err().message.contains("appendOnly"));
        let id = r#"{"type":"struct","fields":[{"name":"i","type":"long","metadata":{"delta.identity.start":1}}]}"#;
        with.metadata.schema = parse_schema(id).unwrap();
        assert!(check(Action::Rewrite, &with).unwrap_err().message.contains("identityColumns"));
        assert!(check(Action::Vacuum, &with).is_ok());
    }
}
