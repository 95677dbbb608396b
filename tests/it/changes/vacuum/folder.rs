//! A table's folder made file by file: log, files of any name and age, links.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Milliseconds.
pub const DAY: i64 = 86_400_000;

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = Folder(TempDir::new().unwrap());
        fs::create_dir(folder.path().join("_delta_log")).unwrap();
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file as long as its name, last written so many days ago.
    pub fn file(&self, path: &str, days: i64) {
        let at = self.path().join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(&at, path).unwrap();
        age(&at, days);
    }

    pub fn link(&self, to: &str, name: &str) {
        std::os::unix::fs::symlink(to, self.path().join(name)).unwrap();
    }

    pub fn commit(&self, version: u64, days: i64, actions: &[Value]) {
        let lines: String = actions.iter().map(|a| format!("{a}\n")).collect();
        fs::write(self.log(version), lines).unwrap();
        age(&self.log(version), days);
    }

    pub fn append(&self, version: u64, actions: &[Value]) {
        let at = self.log(version);
        let modified = fs::metadata(&at).unwrap().modified().unwrap();
        let mut file = File::options().append(true).open(&at).unwrap();
        actions.iter().for_each(|a| writeln!(file, "{a}").unwrap());
        file.set_modified(modified).unwrap();
    }

    fn log(&self, version: u64) -> std::path::PathBuf {
        self.path().join(format!("_delta_log/{version:020}.json"))
    }

    pub fn info(&self, version: u64) -> Value {
        let text = fs::read_to_string(self.log(version)).unwrap();
        let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        first["commitInfo"].clone()
    }

    pub fn protocol(&self) -> Value {
        json!({"protocol": {"minReaderVersion": 3, "minWriterVersion": 7,
            "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors", "changeDataFeed"]}})
    }

    pub fn protocol_with(&self, features: &[&str]) -> Value {
        json!({"protocol": {"minReaderVersion": 3, "minWriterVersion": 7,
            "readerFeatures": features, "writerFeatures": features}})
    }

    pub fn metadata(&self, configuration: &[(&str, &str)]) -> Value {
        let configuration: BTreeMap<&str, &str> = configuration.iter().copied().collect();
        let schema = json!({"type": "struct", "fields": [
            {"name": "id", "type": "long", "nullable": true, "metadata": {}}]});
        json!({"metaData": {"id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet"},
            "schemaString": schema.to_string(), "partitionColumns": [], "configuration": configuration}})
    }

    /// `uri` as in the log, for a file of the folder.
    pub fn add(&self, path: &str, uri: &str) -> Value {
        let size = fs::metadata(self.path().join(path)).unwrap().len();
        json!({"path": uri, "partitionValues": {}, "size": size, "modificationTime": 0, "dataChange": true})
    }

    pub fn remove(&self, uri: &str, days: i64) -> Value {
        json!({"remove": {"path": uri, "deletionTimestamp": ago(days), "dataChange": true}})
    }

    /// An add or a remove of a file with a deletion vector of its own file.
    pub fn with_vector(&self, path: &str, vector: &str, days: i64) -> Value {
        let mut action = self.add(path, path);
        action["deletionTimestamp"] = json!(ago(days));
        action["deletionVector"] = json!({"storageType": "u", "pathOrInlineDv": vector, "offset": 1,
            "sizeInBytes": 3, "cardinality": 1});
        action
    }

    /// Every file and link below the folder, with its length.
    pub fn tree(&self) -> BTreeMap<String, u64> {
        let (mut folders, mut out) = (vec![self.path().to_owned()], BTreeMap::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                    continue;
                }
                let path = entry.path().strip_prefix(self.path()).unwrap().to_str().unwrap().to_owned();
                out.insert(path, entry.metadata().unwrap().len());
            }
        }
        out
    }

    /// A replay of the log in the plainest way: paths that are active, or that were removed less than
    /// so many days ago.
    pub fn needed_by_log(&self, days: i64) -> BTreeSet<String> {
        let mut state: BTreeMap<String, bool> = BTreeMap::new();
        for version in 0.. {
            let Ok(text) = fs::read_to_string(self.log(version)) else { break };
            let actions: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            for remove in actions.iter().filter_map(|a| a.get("remove")) {
                let young = remove["deletionTimestamp"].as_i64().unwrap() >= ago(days);
                state.insert(decoded(&remove["path"]), young);
            }
            for add in actions.iter().filter_map(|a| a.get("add")) {
                state.insert(decoded(&add["path"]), true);
                if add["deletionVector"]["pathOrInlineDv"] == "vBn[lx{q8@P<9BNH/isA" {
                    state.insert("deletion_vector_61d16c75-6994-46b7-a15b-8b538852e50e.bin".into(), true);
                }
            }
        }
        state.into_iter().filter_map(|(path, needed)| needed.then_some(path)).collect()
    }
}

fn decoded(path: &Value) -> String {
    let text = percent_encoding::percent_decode_str(path.as_str().unwrap()).decode_utf8().unwrap();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

fn ago(days: i64) -> i64 {
    chrono::Utc::now().timestamp_millis() - days * DAY
}

fn age(path: &Path, days: i64) {
    let time = SystemTime::now() - Duration::from_millis((days * DAY) as u64);
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}
