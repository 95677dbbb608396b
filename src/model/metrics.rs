//! Operation metrics as numbers with names and units, whether a writer gave numbers or strings.

use serde_json::{Map, Value};

use super::operation_text::shorten;
use super::units;

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Files,
    Rows,
    Bytes,
    Millis,
    /// Anything else that is counted.
    Count,
}

/// A metric's value as it could be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    Whole(i128),
    Real(f64),
    /// Not a number; its text, cut.
    Text(String),
}

/// One entry of `commitInfo.operationMetrics`.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// The writer's name, such as `numOutputRows`.
    pub name: String,
    /// In words, without the unit where the unit says it: `rows written`.
    pub label: String,
    pub unit: Unit,
    pub value: Reading,
}

/// Names that do not read well when their words are just parted. From Spark's
/// `DeltaOperationMetrics` and delta-rs' operation metrics.
const LABELS: &[(&str, &str, Unit)] = &[
    ("numFiles", "files written", Unit::Files),
    ("numOutputBytes", "bytes written", Unit::Bytes),
    ("numOutputRows", "rows written", Unit::Rows),
    ("numAddedFiles", "files added", Unit::Files),
    ("numRemovedFiles", "files removed", Unit::Files),
    ("numAddedBytes", "bytes added", Unit::Bytes),
    ("numRemovedBytes", "bytes removed", Unit::Bytes),
    ("numAddedChangeFiles", "change-data files", Unit::Files),
    ("numCopiedRows", "rows copied", Unit::Rows),
    ("numDeletedRows", "rows deleted", Unit::Rows),
    ("numUpdatedRows", "rows updated", Unit::Rows),
    ("numSourceRows", "source rows", Unit::Rows),
    ("numTargetRowsInserted", "rows inserted", Unit::Rows),
    ("numTargetRowsUpdated", "rows updated", Unit::Rows),
    ("numTargetRowsDeleted", "rows deleted", Unit::Rows),
    ("numTargetRowsCopied", "rows copied", Unit::Rows),
    ("numTargetFilesAdded", "files added", Unit::Files),
    ("numTargetFilesRemoved", "files removed", Unit::Files),
    ("numTargetBytesAdded", "bytes added", Unit::Bytes),
    ("numTargetBytesRemoved", "bytes removed", Unit::Bytes),
    ("numTargetChangeFilesAdded", "change-data files", Unit::Files),
    ("executionTimeMs", "time", Unit::Millis),
    ("scanTimeMs", "scan time", Unit::Millis),
    ("rewriteTimeMs", "rewrite time", Unit::Millis),
    ("execution_time_ms", "time", Unit::Millis),
    ("num_added_files", "files added", Unit::Files),
    ("num_added_rows", "rows written", Unit::Rows),
    ("num_removed_files", "files removed", Unit::Files),
    ("num_output_rows", "rows written", Unit::Rows),
    ("num_copied_rows", "rows copied", Unit::Rows),
    ("num_deleted_rows", "rows deleted", Unit::Rows),
    ("num_updated_rows", "rows updated", Unit::Rows),
    ("minFileSize", "smallest file", Unit::Bytes),
    ("maxFileSize", "largest file", Unit::Bytes),
    ("p25FileSize", "file size, 25th percentile", Unit::Bytes),
    ("p50FileSize", "file size, median", Unit::Bytes),
    ("p75FileSize", "file size, 75th percentile", Unit::Bytes),
    ("numDeletedFiles", "files deleted", Unit::Files),
    ("numVacuumedDirectories", "folders looked at", Unit::Count),
    ("numFilesToDelete", "files to delete", Unit::Files),
    ("sizeOfDataToDelete", "bytes to delete", Unit::Bytes),
    ("numRestoredFiles", "files restored", Unit::Files),
    ("restoredFilesSize", "bytes restored", Unit::Bytes),
    ("removedFilesSize", "bytes removed", Unit::Bytes),
    ("tableSizeAfterRestore", "table size after", Unit::Bytes),
    ("numOfFilesAfterRestore", "files after", Unit::Files),
    ("numConvertedFiles", "files converted", Unit::Files),
    ("numCopiedFiles", "files copied", Unit::Files),
    ("copiedFilesSize", "bytes copied", Unit::Bytes),
    ("sourceTableSize", "source size", Unit::Bytes),
    ("sourceNumOfFiles", "source files", Unit::Files),
];

/// All metrics, in the log's order.
pub fn metrics(map: &Map<String, Value>) -> Vec<Metric> {
    map.iter().map(|(name, value)| Metric::of(name, value)).collect()
}

/// A metric that counts, by the first of `names` that is there and is a whole number from 0 on.
pub fn counted(map: Option<&Map<String, Value>>, names: &[&str]) -> Option<u64> {
    let map = map?;
    names.iter().find_map(|name| match reading(map.get(*name)?) {
        Reading::Whole(n) => u64::try_from(n).ok(),
        _ => None,
    })
}

impl Metric {
    fn of(name: &str, value: &Value) -> Self {
        let known = LABELS.iter().find(|(n, ..)| *n == name);
        let (label, unit) = match known {
            Some((_, label, unit)) => ((*label).to_owned(), *unit),
            None => guess(name),
        };
        Metric { name: shorten(name, 60), label: shorten(&label, 60), unit, value: reading(value) }
    }

    /// The value with its unit: `68 rows`, `5.60 KiB`, `4.2 s`. Text comes from the log: clean it
    /// for a terminal.
    pub fn text(&self) -> String {
        let number = match &self.value {
            Reading::Text(text) => return text.clone(),
            Reading::Real(x) => return format!("{x}{}", if self.unit == Unit::Millis { " ms" } else { "" }),
            Reading::Whole(n) => *n,
        };
        let Ok(n) = u64::try_from(number) else { return number.to_string() };
        let one = |what: &str| format!("{} {what}{}", units::count(n), if n == 1 { "" } else { "s" });
        match self.unit {
            Unit::Files => one("file"),
            Unit::Rows => one("row"),
            Unit::Bytes => units::bytes(n),
            Unit::Millis => units::duration(n),
            Unit::Count => units::count(n),
        }
    }
}

/// Words and unit of a name that is not in the table: `numTargetDeletionVectorsAdded` becomes
/// `target deletion vectors added`.
fn guess(name: &str) -> (String, Unit) {
    let words = words(name);
    let has = |w: &[&str]| words.iter().any(|x| w.contains(&x.as_str()));
    let millis = words.last().is_some_and(|w| w == "ms");
    let unit = match () {
        () if millis => Unit::Millis,
        () if has(&["bytes", "size"]) => Unit::Bytes,
        () if has(&["rows", "row", "records"]) => Unit::Rows,
        () if has(&["files", "file"]) => Unit::Files,
        () => Unit::Count,
    };
    let skip = usize::from(words.len() > 1 && words[0] == "num");
    let end = words.len() - usize::from(millis && words.len() > 1);
    (words[skip.min(end)..end].join(" "), unit)
}

fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        let starts = c.is_uppercase() && !before.is_uppercase();
        if matches!(c, '_' | '.' | '-' | ' ') {
            before = ' ';
            continue;
        }
        match out.last_mut().filter(|_| before != ' ' && !starts) {
            Some(word) => word.extend(c.to_lowercase()),
            None => out.push(c.to_lowercase().collect()),
        }
        before = c;
    }
    out
}

fn reading(value: &Value) -> Reading {
    match value {
        Value::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
            (Some(n), ..) => Reading::Whole(n.into()),
            (_, Some(n), _) => Reading::Whole(n.into()),
            (.., Some(x)) if x.fract() == 0.0 && x.abs() < 9e15 => Reading::Whole(x as i128),
            (.., Some(x)) => Reading::Real(x),
            _ => Reading::Text(shorten(&n.to_string(), 80)),
        },
        Value::String(text) => match (text.trim().parse(), text.trim().parse::<f64>()) {
            (Ok(n), _) => Reading::Whole(n),
            (_, Ok(x)) if x.is_finite() => Reading::Real(x),
            _ => Reading::Text(shorten(text, 80)),
        },
        // delta-rs writes some metrics as JSON objects: {"avg":…,"max":…}.
        other => Reading::Text(shorten(&other.to_string(), 80)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(value: Value) -> Vec<String> {
        metrics(value.as_object().unwrap()).iter().map(|m| format!("{}: {}", m.label, m.text())).collect()
    }

    #[test]
    fn numbers_and_strings_read_the_same() {
        let strings =
            shown(json!({"numOutputRows": "68", "numOutputBytes": "5731", "executionTimeMs": "4190"}));
        assert_eq!(strings, ["rows written: 68 rows", "bytes written: 5.60 KiB", "time: 4.2 s"]);
        let numbers = shown(json!({"numOutputRows": 68, "numOutputBytes": 5731.0, "executionTimeMs": 4190}));
        assert_eq!(strings, numbers);
    }

    #[test]
    fn unknown_names_are_parted() {
        let got = shown(json!({
            "numTargetDeletionVectorsAdded": 1, "num_bins": 2, "someTimeMs": 12, "someRows": -5,
            "filesAdded": "{\"avg\":1}", "x": [1], "": null, "num": 3, "ms": 4, "part_rate": 0.5
        }));
        assert_eq!(
            got,
            [
                "target deletion vectors added: 1",
                "bins: 2",
                "some time: 12 ms",
                "some rows: -5",
                "files added: {\"avg\":1}",
                "x: [1]",
                ": null",
                "num: 3",
                "ms: 4 ms",
                "part rate: 0.5"
            ]
        );
    }

    #[test]
    fn counts_are_looked_up_by_any_name() {
        let map = json!({"numUpdatedRows": "7", "numDeletedRows": "many", "numCopiedRows": -1});
        let map = map.as_object();
        assert_eq!(counted(map, &["numTargetRowsUpdated", "numUpdatedRows"]), Some(7));
        assert_eq!(counted(map, &["numDeletedRows"]), None);
        assert_eq!(counted(map, &["numCopiedRows"]), None);
        assert_eq!(counted(None, &["numCopiedRows"]), None);
    }
}
