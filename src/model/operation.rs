//! What a commit did, in words: its operation and parameters, whatever form a writer gave them.

use serde_json::{Map, Value};

use super::operation_text::{Decoded, items, object_list, shorten, tidy};

/// The kinds of operation that the program treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperationKind {
    /// Rows appended (`WRITE` with mode append, `COPY INTO`, …).
    Append,
    /// Rows replaced (`WRITE` with mode overwrite, `REPLACE TABLE AS SELECT`, …).
    Overwrite,
    /// `WRITE` without a mode that says which.
    Write,
    StreamingUpdate,
    Merge,
    Update,
    Delete,
    Truncate,
    Optimize,
    VacuumStart,
    VacuumEnd,
    Restore,
    Create,
    Clone,
    Convert,
    /// Schema, properties, constraints, protocol: no rows.
    Metadata,
    /// Any other word.
    Other,
    /// The commit says none.
    Unsaid,
}

impl OperationKind {
    /// The kind in one or two words.
    pub fn name(self) -> &'static str {
        match self {
            OperationKind::Append => "append",
            OperationKind::Overwrite => "overwrite",
            OperationKind::Write => "write",
            OperationKind::StreamingUpdate => "streaming update",
            OperationKind::Merge => "merge",
            OperationKind::Update => "update",
            OperationKind::Delete => "delete",
            OperationKind::Truncate => "truncate",
            OperationKind::Optimize => "optimize",
            OperationKind::VacuumStart => "vacuum start",
            OperationKind::VacuumEnd => "vacuum end",
            OperationKind::Restore => "restore",
            OperationKind::Create => "create",
            OperationKind::Clone => "clone",
            OperationKind::Convert => "convert",
            OperationKind::Metadata => "metadata",
            OperationKind::Other => "other",
            OperationKind::Unsaid => "not stated",
        }
    }

    /// The kind of a `commitInfo.operation`; its parameters tell appends from overwrites.
    pub fn of(operation: Option<&str>, parameters: Option<&Map<String, Value>>) -> Self {
        let Some(operation) = operation.map(|o| o.trim().to_uppercase()).filter(|o| !o.is_empty()) else {
            return OperationKind::Unsaid;
        };
        let mode = parameters.and_then(|p| p.get("mode")).and_then(Value::as_str).unwrap_or_default();
        match operation.as_str() {
            "WRITE" => match mode.to_lowercase().as_str() {
                "append" => OperationKind::Append,
                "overwrite" => OperationKind::Overwrite,
                _ => OperationKind::Write,
            },
            "COPY INTO" => OperationKind::Append,
            "STREAMING UPDATE" => OperationKind::StreamingUpdate,
            "MERGE" => OperationKind::Merge,
            "UPDATE" => OperationKind::Update,
            "DELETE" => OperationKind::Delete,
            "TRUNCATE" => OperationKind::Truncate,
            "OPTIMIZE" | "REORG" | "PURGE" | "AUTO COMPACTION" => OperationKind::Optimize,
            "VACUUM START" => OperationKind::VacuumStart,
            "VACUUM END" => OperationKind::VacuumEnd,
            "RESTORE" => OperationKind::Restore,
            "CLONE" => OperationKind::Clone,
            "CONVERT" => OperationKind::Convert,
            "REPLACE TABLE AS SELECT" | "CREATE OR REPLACE TABLE AS SELECT" => OperationKind::Overwrite,
            "CREATE TABLE" | "CREATE TABLE AS SELECT" | "REPLACE TABLE" | "CREATE OR REPLACE TABLE" => {
                OperationKind::Create
            }
            "SET TBLPROPERTIES"
            | "UNSET TBLPROPERTIES"
            | "ADD COLUMNS"
            | "ADD COLUMN"
            | "CHANGE COLUMN"
            | "CHANGE COLUMNS"
            | "DROP COLUMNS"
            | "RENAME COLUMN"
            | "REPLACE COLUMNS"
            | "UPGRADE PROTOCOL"
            | "ADD CONSTRAINT"
            | "DROP CONSTRAINT"
            | "CLUSTER BY"
            | "DROP FEATURE"
            | "UPDATE SCHEMA"
            | "UPDATE COLUMN METADATA"
            | "COMPUTE STATS"
            | "SET FIELD METADATA"
            | "UPDATE FIELD METADATA"
            | "UPDATE TABLE METADATA" => OperationKind::Metadata,
            _ => OperationKind::Other,
        }
    }
}

/// An operation as it is shown. The texts come from the log: clean them for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    pub kind: OperationKind,
    /// The writer's word; `(unsaid)` if there is none.
    pub name: String,
    /// The parameters in words, in one line of at most some hundred characters; may be empty.
    pub words: String,
}

impl Operation {
    /// From `commitInfo.operation` and `commitInfo.operationParameters`.
    pub fn of(operation: Option<&str>, parameters: Option<&Map<String, Value>>) -> Self {
        let kind = OperationKind::of(operation, parameters);
        let name = match kind {
            OperationKind::Unsaid => "(unsaid)".into(),
            _ => shorten(operation.unwrap_or_default().trim(), 60),
        };
        let empty = Map::new();
        let mut decoded = Decoded::of(parameters.unwrap_or(&empty));
        let mut parts = known(kind, &name, &mut decoded);
        parts.extend(decoded.rest());
        Operation { kind, name, words: shorten(&parts.join(", "), 400) }
    }
}

/// The parts of the sentence for the parameters that this kind of operation is known to have; they
/// are taken out of `p`, so that the rest is shown as it is.
fn known(kind: OperationKind, name: &str, p: &mut Decoded) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    match kind {
        OperationKind::Append | OperationKind::Overwrite | OperationKind::Write => {
            let mode = p.text("mode").map(|m| m.to_lowercase());
            let filter = p.predicate("predicate");
            match (mode, filter) {
                (Some(mode), Some(filter)) => out.push(format!("{mode} where {filter}")),
                (mode, filter) => out.extend(mode.or(filter.map(|f| format!("where {f}")))),
            }
        }
        OperationKind::StreamingUpdate => {
            out.extend(p.text("outputMode").map(|m| m.to_lowercase()));
            out.extend(p.text("epochId").map(|e| format!("epoch {e}")));
            out.extend(p.text("queryId").map(|q| format!("query {}", shorten(&q, 40))));
        }
        OperationKind::Merge => merge(p, &mut out),
        OperationKind::Update | OperationKind::Delete | OperationKind::Truncate => {
            let all = kind != OperationKind::Truncate && p.is_empty_list("predicate");
            match p.predicate("predicate") {
                Some(filter) => out.push(format!("where {filter}")),
                None if all => out.push("all rows".into()),
                None => {}
            }
        }
        OperationKind::Optimize => {
            if p.flag("auto") == Some(true) {
                out.push("automatic".into());
            }
            out.extend(p.predicate("predicate").map(|f| format!("where {f}")));
            out.extend(p.list("zOrderBy").map(|c| format!("Z-order by {c}")));
            out.extend(p.list("clusterBy").map(|c| format!("cluster by {c}")));
            out.extend(p.text("targetSize").map(|s| format!("target size {}", bytes(&s))));
            p.drop_plain("batchId", "0");
        }
        OperationKind::VacuumStart => {
            let specified = p.text("specifiedRetentionMillis");
            let default = p.text("defaultRetentionMillis");
            match (specified, default) {
                (Some(ms), _) => out.push(format!("retain {}", duration(&ms))),
                (None, Some(ms)) => out.push(format!("retain {} (default)", duration(&ms))),
                _ => {}
            }
            if p.flag("retentionCheckEnabled") == Some(false) {
                out.push("safety check off".into());
            }
        }
        OperationKind::VacuumEnd => out.extend(p.text("status").map(|s| s.to_lowercase())),
        OperationKind::Restore => {
            out.extend(p.text("version").map(|v| format!("to version {v}")));
            out.extend(p.text("timestamp").map(|t| format!("to {t}")));
            out.extend(p.text("datetime").map(|t| format!("to {t}")));
        }
        OperationKind::Create => table(p, &mut out),
        OperationKind::Clone => {
            let shallow = p.flag("isShallow").map(|s| if s { "shallow" } else { "deep" });
            let from = p.text("source").map(|s| format!("from {s}"));
            out.extend(shallow.into_iter().map(str::to_owned).chain(from));
            out.extend(p.text("sourceVersion").map(|v| format!("at version {v}")));
        }
        OperationKind::Convert => {
            out.extend(p.text("numFiles").map(|n| format!("{n} files")));
            out.extend(p.list("partitionedBy").map(|c| format!("partitioned by {c}")));
            out.extend(p.text("sourceFormat").map(|f| format!("from {f}")));
        }
        OperationKind::Metadata => metadata(name, p, &mut out),
        OperationKind::Other | OperationKind::Unsaid => {}
    }
    out.extend(p.list("partitionBy").map(|c| format!("partitioned by {c}")));
    out.extend(p.list("clusterBy").map(|c| format!("clustered by {c}")));
    p.drop_plain("statsOnLoad", "false");
    out
}

fn table(p: &mut Decoded, out: &mut Vec<String>) {
    out.extend(p.text("mode"));
    p.drop_plain("isManaged", "false");
    out.extend(p.pairs("properties").map(|t| format!("with {t}")));
    out.extend(p.text("description").map(|d| format!("\"{}\"", shorten(&d, 80))));
    // delta-rs repeats the whole protocol, metadata and location here; the commit shows them as actions.
    ["metadata", "protocol", "location"].into_iter().for_each(|key| p.forget(key));
}

fn merge(p: &mut Decoded, out: &mut Vec<String>) {
    out.extend(p.predicate("predicate").or(p.predicate("mergePredicate")).map(|on| format!("on {on}")));
    let clauses = [
        ("matchedPredicates", "matched"),
        ("notMatchedPredicates", "not matched"),
        ("notMatchedBySourcePredicates", "not matched by source"),
    ];
    for (key, label) in clauses {
        let Some(value) = p.take(key) else { continue };
        let actions: Vec<String> = object_list(&value)
            .into_iter()
            .map(|clause| {
                let get = |k: &str| clause.get(k).and_then(Value::as_str);
                let action = get("actionType").or(get("action_type")).unwrap_or("act");
                match get("predicate") {
                    Some(filter) => format!("{action} if {}", shorten(&tidy(filter), 120)),
                    None => action.to_owned(),
                }
            })
            .collect();
        match &value {
            Value::Array(list) if list.is_empty() => {}
            Value::Null => {}
            other if actions.is_empty() => out.push(format!("{label}: {}", items(other))),
            _ => out.push(format!("{label}: {}", actions.join(", "))),
        }
    }
    // Before the lists there was one predicate of each kind (Delta 1.x).
    for (key, label) in
        [("updatePredicate", "update"), ("deletePredicate", "delete"), ("insertPredicate", "insert")]
    {
        out.extend(p.predicate(key).map(|f| format!("{label} if {f}")));
    }
}

fn metadata(name: &str, p: &mut Decoded, out: &mut Vec<String>) {
    match name.to_uppercase().as_str() {
        "UNSET TBLPROPERTIES" => {
            out.extend(p.list("properties"));
            p.drop_plain("ifExists", "true");
        }
        "RENAME COLUMN" => {
            let (from, to) = (p.text("oldColumnPath"), p.text("newColumnPath"));
            out.extend(from.zip(to).map(|(from, to)| format!("{from} to {to}")));
        }
        "UPGRADE PROTOCOL" => {
            if let Some(value) = p.take("newProtocol") {
                let get = |k: &str| value.get(k).map(items);
                out.extend(get("minReaderVersion").map(|v| format!("reader {v}")));
                out.extend(get("minWriterVersion").map(|v| format!("writer {v}")));
                out.extend(get("readerFeatures").filter(|f| !f.is_empty()).map(|f| format!("reads {f}")));
                out.extend(get("writerFeatures").filter(|f| !f.is_empty()).map(|f| format!("writes {f}")));
            }
        }
        "ADD CONSTRAINT" | "DROP CONSTRAINT" => {
            let expression = p.predicate("expr").or(p.predicate("expression"));
            match (p.text("name"), expression) {
                (Some(name), Some(e)) => out.push(format!("{name}: {e}")),
                (name, e) => out.extend(name.or(e)),
            }
        }
        "CLUSTER BY" => {
            out.extend(p.list("newClusteringColumns").map(|c| format!("by {c}")));
            out.extend(p.list("oldClusteringColumns").map(|c| format!("before by {c}")));
        }
        _ => {
            out.extend(p.columns("columns"));
            out.extend(p.columns("column"));
            out.extend(p.pairs("properties"));
        }
    }
}

fn bytes(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), super::units::bytes)
}

fn duration(millis: &str) -> String {
    millis.parse().map_or_else(|_| millis.to_owned(), super::units::duration)
}

#[cfg(test)]
#[path = "operation_tests.rs"]
mod tests;
