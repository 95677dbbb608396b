//! What a commit file holds, action by action, however odd: for the view of one commit.
//! Actions: Delta protocol, "Actions".

use serde_json::{Map, Value};

use super::action_parts::{boolean, descriptor, metadata, millis, number, path, protocol, text};
use super::files::DeletionVector;
use super::history::Commit;
use super::table::{AppTxn, Metadata, Protocol};
use super::table_diff::{Change, MetadataDiff, protocol_changes};
use super::units::Millis;

/// File actions kept for showing, of each kind; the rest is counted.
pub const KEPT_FILES: usize = 100_000;

/// The problem of a commit file that holds nothing: a commit without actions, which readers accept.
pub const EMPTY: &str = "the commit file is empty";

/// An `add`, `remove` or `cdc` action.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileAction {
    /// Percent-decoded.
    pub path: String,
    /// Bytes; removes may not state it.
    pub size: Option<u64>,
    /// By physical names under column mapping, in the log's order; none is null (an empty string is null).
    pub partition_values: Vec<(String, Option<String>)>,
    pub data_change: Option<bool>,
    /// `modificationTime` of an add, `deletionTimestamp` of a remove.
    pub time: Option<Millis>,
    /// `numRecords` of the action's statistics, before the deletion vector.
    pub records: Option<u64>,
    pub deletion_vector: Option<DeletionVector>,
    pub tags: Vec<(String, Option<String>)>,
}

impl FileAction {
    /// Rows that the file holds after its deletion vector.
    pub fn live_records(&self) -> Option<u64> {
        let deleted = self.deletion_vector.as_ref().map_or(0, |v| v.cardinality);
        self.records.map(|n| n.saturating_sub(deleted))
    }
}

/// File actions of one kind: totals of all, and the first [`KEPT_FILES`] of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileActions {
    pub kept: Vec<FileAction>,
    pub count: u64,
    pub bytes: u64,
    pub without_size: u64,
    /// Σ live records of those that state them.
    pub known_records: u64,
    pub without_records: u64,
    /// Actions that do not say `dataChange=false`. The protocol requires the field; where it is
    /// missing the careful reading is that data changed.
    pub changing_data: u64,
}

impl FileActions {
    fn push(&mut self, action: FileAction) {
        self.count += 1;
        self.changing_data += u64::from(action.data_change != Some(false));
        match action.size {
            Some(size) => self.bytes = self.bytes.saturating_add(size),
            None => self.without_size += 1,
        }
        match action.live_records() {
            Some(n) => self.known_records = self.known_records.saturating_add(n),
            None => self.without_records += 1,
        }
        if self.kept.len() < KEPT_FILES {
            self.kept.push(action);
        }
    }

    /// Live records of all; none if an action lacks the figure.
    pub fn records(&self) -> Option<u64> {
        (self.without_records == 0).then_some(self.known_records)
    }
}

/// A `domainMetadata` action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainAction {
    pub domain: String,
    pub configuration: String,
    pub removed: bool,
}

/// All actions of one commit. Texts come from the log: clean them for a terminal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommitActions {
    /// `commitInfo` as it is.
    pub info: Option<Map<String, Value>>,
    pub added: FileActions,
    pub removed: FileActions,
    pub cdc: FileActions,
    pub protocol: Option<Protocol>,
    pub metadata: Option<Metadata>,
    pub txns: Vec<AppTxn>,
    pub domains: Vec<DomainAction>,
    /// Names of other actions and how many of each there are: `checkpointMetadata`, `sidecar`, future ones.
    pub others: Vec<(String, u64)>,
    /// What could not be read, in sentences, at most twenty.
    pub problems: Vec<String>,
    /// Something was lost that may have been an add or a remove: the files are not all known. An
    /// empty file or an odd `commitInfo` is a problem, but hides no file.
    pub files_unknown: bool,
}

impl CommitActions {
    /// Reads a commit file's text. JSON values may be spread over lines; what is damaged is named and
    /// the rest is still read, from the next line on.
    pub fn parse(text: &str) -> Self {
        let mut out = CommitActions::default();
        let mut rest = text.trim_start_matches('\u{feff}');
        if rest.trim().is_empty() {
            out.problem(EMPTY.into());
        }
        while !rest.trim_start().is_empty() {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let mut good = 0;
            let error = loop {
                match values.next() {
                    Some(Ok(value)) => {
                        good = values.byte_offset();
                        out.push(&value);
                    }
                    Some(Err(error)) => break error,
                    None => return out,
                }
            };
            let bad = &rest[good..];
            let bad = bad.trim_start();
            let cut = if error.is_eof() { " (cut off)" } else { "" };
            let start: String = bad.chars().take(40).collect();
            out.problem(format!("not an action{cut}: {start}"));
            out.files_unknown = true;
            // One damaged line is skipped; a value cut off inside a longer text may eat lines that are good.
            rest = bad.split_once('\n').map_or("", |(_, next)| next);
        }
        out
    }

    /// Adds one value of the commit file: an object with one action, or in odd files with several.
    pub fn push(&mut self, value: &Value) {
        let Value::Object(actions) = value else {
            let start: String = value.to_string().chars().take(40).collect();
            self.files_unknown = true;
            return self.problem(format!("not an action: {start}"));
        };
        for (name, action) in actions.iter().filter(|(_, action)| !action.is_null()) {
            match action {
                Value::Object(action) => self.action(name, action),
                _ => {
                    self.files_unknown |= matches!(name.as_str(), "add" | "remove");
                    self.problem(format!("{} is not an object", name.chars().take(40).collect::<String>()));
                }
            }
        }
    }

    fn action(&mut self, name: &str, action: &Map<String, Value>) {
        match name {
            "add" | "remove" | "cdc" => self.file(name, action),
            "commitInfo" => self.info = Some(action.clone()),
            "protocol" => self.protocol = Some(protocol(action)),
            "metaData" => {
                let metadata = metadata(action);
                if let Some(why) = &metadata.schema_problem {
                    self.problem(format!("metaData: {why}"));
                }
                self.metadata = Some(metadata);
            }
            "txn" => match (text(action, "appId"), number(action, "version")) {
                (Some(app_id), Some(version)) => {
                    self.txns.push(AppTxn { app_id, version, last_updated: millis(action, "lastUpdated") });
                }
                _ => self.problem("txn without appId or version".into()),
            },
            "domainMetadata" => match text(action, "domain") {
                Some(domain) => self.domains.push(DomainAction {
                    domain,
                    configuration: text(action, "configuration").unwrap_or_default(),
                    removed: boolean(action, "removed").unwrap_or(false),
                }),
                None => self.problem("domainMetadata without a domain".into()),
            },
            other => match self.others.iter_mut().find(|(n, _)| n == other) {
                Some((_, count)) => *count += 1,
                None => self.others.push((other.to_owned(), 1)),
            },
        }
    }

    fn file(&mut self, kind: &str, action: &Map<String, Value>) {
        let Some(raw) = action.get("path").and_then(Value::as_str) else {
            self.files_unknown |= kind != "cdc";
            return self.problem(format!("{kind} without a path"));
        };
        let stats = action.get("stats").map(|s| match s {
            Value::String(text) => serde_json::from_str(text).unwrap_or(Value::Null),
            other => other.clone(),
        });
        let records = stats.as_ref().and_then(Value::as_object).and_then(|s| number(s, "numRecords"));
        let pairs = |key: &str| -> Vec<(String, Option<String>)> {
            let map = action.get(key).and_then(Value::as_object).into_iter().flatten();
            map.map(|(k, v)| (k.clone(), v.as_str().map(str::to_owned))).collect()
        };
        let mut partition_values = pairs("partitionValues");
        for (_, value) in &mut partition_values {
            *value = value.take().filter(|v| !v.is_empty());
        }
        let time = if kind == "remove" { "deletionTimestamp" } else { "modificationTime" };
        let to = match kind {
            "add" => &mut self.added,
            "remove" => &mut self.removed,
            _ => &mut self.cdc,
        };
        to.push(FileAction {
            path: path(raw),
            size: number(action, "size").and_then(|n| u64::try_from(n).ok()),
            partition_values,
            data_change: boolean(action, "dataChange"),
            time: millis(action, time),
            records: records.and_then(|n| u64::try_from(n).ok()),
            deletion_vector: action.get("deletionVector").and_then(Value::as_object).and_then(descriptor),
            tags: pairs("tags"),
        });
    }

    fn problem(&mut self, text: String) {
        if self.problems.len() < 20 {
            self.problems.push(text);
        }
    }

    /// The changes of schema, properties and the rest of the metadata against the version before;
    /// none if the commit has no metaData action. Against nothing (version 0) everything is new.
    pub fn metadata_diff(&self, before: Option<&Metadata>) -> Option<MetadataDiff> {
        let empty = Metadata::default();
        self.metadata.as_ref().map(|new| MetadataDiff::between(before.unwrap_or(&empty), new))
    }

    /// As [`CommitActions::metadata_diff`], for the protocol.
    pub fn protocol_diff(&self, before: Option<&Protocol>) -> Option<Vec<Change>> {
        let empty = Protocol::default();
        self.protocol.as_ref().map(|new| protocol_changes(before.unwrap_or(&empty), new))
    }

    /// The commit's line of the history. The file's own time and whether the version can be rebuilt
    /// are not in the commit: `file_time`, `readable`.
    pub fn commit(&self, version: u64, file_time: Option<Millis>, readable: bool) -> Commit {
        let empty = Map::new();
        let info = self.info.as_ref().unwrap_or(&empty);
        let object = |key: &str| match info.get(key) {
            Some(Value::Object(map)) => Some(map.clone()),
            Some(Value::String(text)) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let any_file = self.added.count + self.removed.count > 0;
        Commit {
            version,
            timestamp: millis(info, "inCommitTimestamp").or(file_time),
            stated_timestamp: millis(info, "timestamp"),
            operation: text(info, "operation"),
            operation_parameters: object("operationParameters"),
            operation_metrics: object("operationMetrics"),
            user_metadata: text(info, "userMetadata"),
            engine_info: text(info, "engineInfo"),
            is_blind_append: boolean(info, "isBlindAppend"),
            data_change: any_file.then(|| self.added.changing_data + self.removed.changing_data > 0),
            added_files: self.added.count,
            removed_files: self.removed.count,
            cdc_files: self.cdc.count,
            added_bytes: self.added.bytes,
            removed_bytes: self.removed.bytes,
            removes_without_size: self.removed.without_size,
            added_records: self.added.records(),
            removed_records: self.removed.records(),
            protocol_changed: self.protocol.is_some(),
            metadata_changed: self.metadata.is_some(),
            readable,
            lost_because: None,
            problem: self.problems.first().cloned(),
            incomplete: self.files_unknown,
        }
    }
}

#[cfg(test)]
#[path = "actions_tests.rs"]
mod tests;
