//! What a commit says of itself, as far as double rewrites go.

use serde_json::{Map, Value};

/// `commitInfo.operation` of a commit that repairs; its parameter `versions` holds, as a JSON text,
/// the second versions that it repaired.
pub const REPAIR: &str = "REPAIR";

/// From a commit's `commitInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The version whose state a RESTORE brought back.
    pub restored: Option<u64>,
    /// Second versions that a repair put right.
    pub repaired: Vec<u64>,
    /// Versions that an undo took back.
    pub undone: Vec<u64>,
    /// The rows of the files that it removes are gone, and what it adds are other rows.
    pub overwrites: bool,
}

impl Told {
    /// A RESTORE that states no version, but a time, is taken for one to the version before.
    pub fn of(version: u64, operation: Option<&str>, parameters: Option<&Map<String, Value>>) -> Told {
        let operation = operation.unwrap_or_default();
        let stated = |name: &str| parameters.and_then(|p| p.get(name)).filter(|v| !v.is_null());
        let versions = |name: &str| {
            stated(name)
                .and_then(Value::as_str)
                .and_then(|t| serde_json::from_str(t).ok())
                .unwrap_or_default()
        };
        let target = || {
            let target = stated("version");
            target.and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok()))
        };
        Told {
            restored: operation
                .eq_ignore_ascii_case("RESTORE")
                .then(|| target().unwrap_or(version.saturating_sub(1))),
            repaired: if operation == REPAIR { versions("versions") } else { Vec::new() },
            undone: if operation == "OPTIMIZE" { versions("undo") } else { Vec::new() },
            overwrites: overwrites(operation, stated("mode"), stated("predicate")),
        }
    }
}

/// With a condition an overwrite may copy rows that do not meet it.
fn overwrites(operation: &str, mode: Option<&Value>, predicate: Option<&Value>) -> bool {
    let everything = predicate.and_then(Value::as_str).is_none_or(|p| p.is_empty() || p == "[]");
    let mode = mode.and_then(Value::as_str).unwrap_or_default();
    match operation {
        "WRITE" => mode.eq_ignore_ascii_case("overwrite") && everything,
        "CREATE OR REPLACE TABLE"
        | "CREATE OR REPLACE TABLE AS SELECT"
        | "REPLACE TABLE"
        | "REPLACE TABLE AS SELECT"
        | "TRUNCATE" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(operation: &str, parameters: Value) -> Told {
        Told::of(9, Some(operation), parameters.as_object())
    }

    #[test]
    fn what_commits_say() {
        assert_eq!(told("REPAIR", json!({"versions": "[2,5]"})).repaired, [2, 5]);
        assert_eq!(told("OPTIMIZE", json!({"undo": "[3]"})).undone, [3]);
        assert_eq!(told("DELETE", json!({"versions": "[2]", "undo": "[3]"})), Told::default());
        assert_eq!(told("RESTORE", json!({"version": "4"})).restored, Some(4));
        assert_eq!(told("RESTORE", json!({"timestamp": "2024-01-01"})).restored, Some(8));
        assert_eq!(Told::of(9, None, None), Told::default());
    }

    #[test]
    fn overwrites_are_of_whole_files() {
        for (operation, parameters, expected) in [
            ("WRITE", json!({"mode": "Overwrite", "partitionBy": "[]"}), true),
            ("WRITE", json!({"mode": "Overwrite", "predicate": "x > 1"}), false),
            ("WRITE", json!({"mode": "Append"}), false),
            ("CREATE OR REPLACE TABLE AS SELECT", json!({}), true),
            ("UPDATE", json!({}), false),
            ("OPTIMIZE", json!({}), false),
        ] {
            assert_eq!(told(operation, parameters.clone()).overwrites, expected, "{operation} {parameters}");
        }
    }
}
