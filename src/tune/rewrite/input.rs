//! An input file of a rewrite: its add action, and what is needed of it.

use serde_json::{Map, Value, json};

use crate::lake::log::key::decode_path;
use crate::model::files::DeletionVector;
use crate::model::units::Millis;
use crate::model::{Fault, Outcome};
use crate::tune::data::source::SourceFile;

/// A file with its add action as it stands in the log.
#[derive(Debug, Clone)]
pub struct Input {
    pub add: Map<String, Value>,
    pub file: SourceFile,
    /// `numRecords` less the deletion vector's cardinality; none if the statistics lack it.
    pub live: Option<u64>,
}

impl Input {
    /// Fault `bad-commit` for an action without what the protocol demands.
    pub fn new(add: Map<String, Value>) -> Outcome<Input> {
        let bad = |what: &str| {
            Fault::read("bad-commit", "An add action cannot be used")
                .because(format!("it has no valid {what}"))
        };
        let raw = add.get("path").and_then(Value::as_str).ok_or_else(|| bad("path"))?;
        let path = decode_path(raw).into_owned();
        let size = add.get("size").and_then(natural).ok_or_else(|| bad("size"))?;
        let vector = match add.get("deletionVector").and_then(Value::as_object) {
            Some(v) => Some(vector(v).ok_or_else(|| bad("deletionVector"))?),
            None => None,
        };
        let records = add.get("stats").and_then(Value::as_str).and_then(records);
        let deleted = vector.as_ref().map_or(0, |v| v.cardinality);
        let live = records.map(|n| n.saturating_sub(deleted));
        Ok(Input { add, file: SourceFile { path, size, vector }, live })
    }

    /// `partitionValues` as they stand.
    pub fn partition_values(&self) -> Map<String, Value> {
        self.add.get("partitionValues").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// The remove action, with all that the add action said of the file, so that an undo can add it
    /// again (protocol, "Remove File": everything but path, time and dataChange is optional).
    pub fn remove(&self, now: Millis) -> String {
        let mut remove = Map::new();
        let mut copy = |key: &str| {
            if let Some(value) = self.add.get(key).filter(|v| !v.is_null()) {
                remove.insert(key.to_owned(), value.clone());
            }
        };
        copy("path");
        let kept = [
            "partitionValues",
            "size",
            "stats",
            "tags",
            "deletionVector",
            "baseRowId",
            "defaultRowCommitVersion",
        ];
        kept.into_iter().for_each(copy);
        remove.insert("deletionTimestamp".into(), now.into());
        remove.insert("dataChange".into(), false.into());
        remove.insert("extendedFileMetadata".into(), true.into());
        json!({ "remove": remove }).to_string()
    }
}

/// `numRecords` of statistics.
pub fn records(stats: &str) -> Option<u64> {
    let value: Value = serde_json::from_str(stats).ok()?;
    value.get("numRecords").and_then(natural)
}

fn natural(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn vector(of: &Map<String, Value>) -> Option<DeletionVector> {
    let text = |key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(DeletionVector {
        storage_type: text("storageType")?,
        path_or_inline_dv: text("pathOrInlineDv")?,
        offset: of.get("offset").and_then(Value::as_i64),
        size_in_bytes: of.get("sizeInBytes").and_then(Value::as_i64).unwrap_or(0),
        cardinality: of.get("cardinality").and_then(natural)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_carry_what_the_add_said() {
        let add = json!({"path": "a%20b", "partitionValues": {"p": ""}, "size": 7, "modificationTime": 1,
            "dataChange": true, "stats": "{\"numRecords\":5}", "tags": null,
            "deletionVector": {"storageType": "u", "pathOrInlineDv": "x", "offset": 1, "sizeInBytes": 2, "cardinality": 2}});
        let Value::Object(add) = add else { panic!() };
        let input = Input::new(add).unwrap();
        assert_eq!((input.file.path.as_str(), input.live), ("a b", Some(3)));
        let remove: Value = serde_json::from_str(&input.remove(9)).unwrap();
        let remove = &remove["remove"];
        assert_eq!(remove["path"], "a%20b");
        assert_eq!(remove["deletionVector"]["cardinality"], 2);
        assert_eq!(remove["partitionValues"]["p"], "");
        assert_eq!(remove["dataChange"], false);
        assert_eq!(remove.get("tags"), None);
        assert_eq!(remove["deletionTimestamp"], 9);
    }
}
