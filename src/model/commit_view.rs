//! One commit opened: its actions, and what its metadata and protocol change.

use super::actions::CommitActions;
use super::table::Table;
use super::table_diff::{Change, MetadataDiff};

/// A commit with what it changes against the version before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommitView {
    pub version: u64,
    pub actions: CommitActions,
    /// None if the commit has no metaData action.
    pub metadata: Option<MetadataDiff>,
    /// None if the commit has no protocol action.
    pub protocol: Option<Vec<Change>>,
    /// Why the changes are told against nothing, though there was a version before.
    pub before_unknown: Option<String>,
}

impl CommitView {
    /// `before`: the table at the version before, none at version 0; or why it is not known.
    pub fn new(version: u64, actions: CommitActions, before: Result<Option<&Table>, String>) -> Self {
        let table = before.as_ref().ok().copied().flatten();
        CommitView {
            version,
            metadata: actions.metadata_diff(table.map(|t| &t.metadata)),
            protocol: actions.protocol_diff(table.map(|t| &t.protocol)),
            before_unknown: before.err(),
            actions,
        }
    }

    /// Whether the commit says anything of metadata or protocol, so that the version before matters.
    pub fn needs_before(version: u64, actions: &CommitActions) -> bool {
        version > 0 && (actions.metadata.is_some() || actions.protocol.is_some())
    }
}
