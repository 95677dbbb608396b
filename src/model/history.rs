//! The commits of a table, as the log folder has them.

use serde_json::{Map, Value};

use super::units::Millis;

/// One commit file. Whatever is missing or odd in it, the commit is listed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Commit {
    pub version: u64,
    /// In-commit timestamp where the commit has one, else the commit file's time.
    pub timestamp: Option<Millis>,
    /// The time that `commitInfo.timestamp` states.
    pub stated_timestamp: Option<Millis>,
    /// None if the commit has no commitInfo or it names no operation.
    pub operation: Option<String>,
    pub operation_parameters: Option<Map<String, Value>>,
    pub operation_metrics: Option<Map<String, Value>>,
    pub user_metadata: Option<String>,
    pub engine_info: Option<String>,
    pub is_blind_append: Option<bool>,
    /// Whether any add or remove says `dataChange`; none without such actions.
    pub data_change: Option<bool>,
    pub added_files: u64,
    pub removed_files: u64,
    pub cdc_files: u64,
    pub added_bytes: u64,
    /// Σ of the sizes that the removes state.
    pub removed_bytes: u64,
    /// Removes that state no size; if there are any, `removed_bytes` is a lower bound.
    pub removes_without_size: u64,
    /// Σ live rows of the adds (`numRecords` less the deletion vector's cardinality); none if an added
    /// file lacks `numRecords`.
    pub added_records: Option<u64>,
    /// The same of the removes, by their own statistics; none if a remove lacks them (most writers
    /// leave them out).
    pub removed_records: Option<u64>,
    pub protocol_changed: bool,
    pub metadata_changed: bool,
    /// Whether a reader can still rebuild this version from the log; data files are not looked at.
    pub readable: bool,
    /// Why not, if it is not `readable` ([`super::log_reach::lost_because`]).
    pub lost_because: Option<String>,
    /// What is wrong with the commit file, if anything: unreadable, truncated, empty, …
    pub problem: Option<String>,
    /// File actions may have been lost with what is wrong: the counts are lower bounds.
    pub incomplete: bool,
}

/// Characters that a text of a commit has at most in a list.
const LIST_TEXT: usize = 400;

impl Commit {
    /// What a list shows of it, so that a long history takes little memory: without metrics and user
    /// metadata, and with long texts cut. Whoever opens the commit reads it again.
    #[must_use]
    pub fn for_list(mut self) -> Commit {
        // A vacuum's tell whether it deleted anything.
        if !self.operation.as_deref().is_some_and(|name| name.starts_with("VACUUM")) {
            self.operation_metrics = None;
        }
        self.user_metadata = None;
        for text in [&mut self.operation, &mut self.engine_info, &mut self.problem].into_iter().flatten() {
            cut(text);
        }
        let maps = [&mut self.operation_parameters, &mut self.operation_metrics];
        for (_, value) in maps.into_iter().flatten().flat_map(|map| map.iter_mut()) {
            match value {
                Value::String(text) => cut(text),
                Value::Array(_) | Value::Object(_) => {
                    let text = value.to_string();
                    if text.len() > LIST_TEXT {
                        *value = Value::String(text.chars().take(LIST_TEXT).collect());
                    }
                }
                _ => {}
            }
        }
        self
    }
}

fn cut(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(LIST_TEXT) {
        text.truncate(end);
        text.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_short() {
        let long = "é".repeat(1 << 20);
        let commit = Commit {
            operation: Some(long.clone()),
            user_metadata: Some(long.clone()),
            operation_parameters: serde_json::json!({"a": long, "b": [long], "mode": "Append"})
                .as_object()
                .cloned(),
            ..Commit::default()
        };
        let line = commit.for_list();
        let parameters = line.operation_parameters.unwrap();
        assert_eq!((line.operation.map(|o| o.len()), line.user_metadata), (Some(800), None));
        assert!(parameters.iter().all(|(_, v)| v.as_str().is_some_and(|s| s.len() <= 800)));
        assert_eq!(parameters["mode"], "Append");
    }
}
