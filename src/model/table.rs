//! What the log says of a table at one version, apart from its files.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::schema::Field;
use super::units::Millis;

/// Which version to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsOf {
    #[default]
    Latest,
    Version(u64),
    /// The newest version whose time is not after this one.
    Time(Millis),
}

impl FromStr for AsOf {
    type Err = String;

    /// `latest`, a version number, or a time: RFC 3339, `2026-05-27`, `2026-05-27 10:00[:00[.5]]` (UTC).
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("latest") {
            return Ok(AsOf::Latest);
        }
        if let Ok(version) = text.strip_prefix('v').unwrap_or(text).parse() {
            return Ok(AsOf::Version(version));
        }
        if let Ok(time) = chrono::DateTime::parse_from_rfc3339(text) {
            return Ok(AsOf::Time(time.timestamp_millis()));
        }
        let local = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"];
        for format in local {
            if let Ok(time) = chrono::NaiveDateTime::parse_from_str(text, format) {
                return Ok(AsOf::Time(time.and_utc().timestamp_millis()));
            }
        }
        if let Ok(date) = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d") {
            return Ok(AsOf::Time(date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis()));
        }
        Err(format!("\"{text}\" is neither a version number nor a time such as 2026-05-27 10:00:00 (UTC)"))
    }
}

impl fmt::Display for AsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AsOf::Latest => f.write_str("latest"),
            AsOf::Version(v) => write!(f, "v{v}"),
            AsOf::Time(t) => f.write_str(&super::units::screen_time(*t)),
        }
    }
}

/// The protocol action in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Protocol {
    pub min_reader: u32,
    pub min_writer: u32,
    /// None below reader version 3.
    pub reader_features: Option<Vec<String>>,
    /// None below writer version 7.
    pub writer_features: Option<Vec<String>>,
}

/// The metaData action in force.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    pub id: String,
    pub name: Option<String>,
    pub description: Option<String>,
    /// `format.provider`; `parquet` in every table that follows the protocol.
    pub provider: String,
    /// Empty if the schema is missing or unreadable; then `schema_problem` says so.
    pub schema: Vec<Field>,
    pub schema_problem: Option<String>,
    /// Logical names.
    pub partition_columns: Vec<String>,
    pub configuration: BTreeMap<String, String>,
    pub created: Option<Millis>,
}

impl Metadata {
    pub fn column(&self, name: &str) -> Option<&Field> {
        self.schema.iter().find(|f| f.name == name)
    }

    /// Whether a property is set to true.
    pub fn is_on(&self, property: &str) -> bool {
        self.configuration.get(property).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
    }
}

/// The last version that an application recorded (`txn`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppTxn {
    pub app_id: String,
    pub version: i64,
    pub last_updated: Option<Millis>,
}

/// A domain's configuration (`domainMetadata`), if not removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    pub domain: String,
    pub configuration: String,
}

/// Remove actions still in the state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tombstones {
    pub files: u64,
    /// Σ of the sizes that the removes state.
    pub bytes: u64,
    /// Removes that state no size.
    pub without_size: u64,
}

/// How the log itself is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogState {
    /// Commit files present, up to the version looked at.
    pub commits: u64,
    /// The oldest commit file present.
    pub first_commit: Option<u64>,
    /// The newest complete checkpoint at or below the version looked at.
    pub last_checkpoint: Option<u64>,
    /// What replay of the state started from: a checkpoint's version, or none for commit 0.
    pub replay_from: Option<u64>,
    /// Bytes of all files in the log folder, sidecars not counted.
    pub bytes: u64,
    /// Versions after the one looked at that exist.
    pub newer_versions: u64,
}

impl LogState {
    /// Commits that a reader must replay on top of the newest checkpoint.
    pub fn commits_since_checkpoint(&self, version: u64) -> u64 {
        self.last_checkpoint.map_or(version + 1, |c| version - c.min(version))
    }
}

/// Figures that a `.crc` or a checkpoint hint states before replay has confirmed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedTotals {
    pub files: u64,
    pub bytes: Option<u64>,
}

/// A table at one version, without its files.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Where it is, without credentials.
    pub location: String,
    /// What people call it: the metadata's name, else the folder's.
    pub name: String,
    pub version: u64,
    /// The version's time: in-commit timestamp where enabled, else the commit file's time.
    pub modified: Option<Millis>,
    pub protocol: Protocol,
    pub metadata: Metadata,
    pub txns: Vec<AppTxn>,
    pub domains: Vec<Domain>,
    pub log: LogState,
    pub stated: Option<StatedTotals>,
    /// What is odd but was got over: a damaged checkpoint, a stale hint, … in sentences.
    pub warnings: Vec<String>,
}

impl Table {
    /// Logical names of the clustering columns (domain `delta.clustering`); nested ones dotted.
    /// Empty if the table is not clustered.
    pub fn clustering_columns(&self) -> Vec<String> {
        let Some(domain) = self.domains.iter().find(|d| d.domain == "delta.clustering") else {
            return Vec::new();
        };
        let value: serde_json::Value = serde_json::from_str(&domain.configuration).unwrap_or_default();
        let columns = value.get("clusteringColumns").and_then(|c| c.as_array()).cloned().unwrap_or_default();
        columns.iter().map(|path| self.logical_path(path)).collect()
    }

    /// The domain stores physical names, one array of names a column.
    fn logical_path(&self, physical: &serde_json::Value) -> String {
        let parts: Vec<&str> = match physical {
            serde_json::Value::Array(parts) => parts.iter().filter_map(|p| p.as_str()).collect(),
            other => other.as_str().into_iter().collect(),
        };
        let mut fields = &self.metadata.schema[..];
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            let field = fields.iter().find(|f| f.physical_name() == part);
            out.push(field.map_or(part, |f| f.name.as_str()));
            fields = match field.map(|f| &f.data_type) {
                Some(super::schema::DataType::Struct(inner)) => inner,
                _ => &[],
            };
        }
        out.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_of_takes_versions_and_times() {
        assert_eq!("12".parse(), Ok(AsOf::Version(12)));
        assert_eq!("v12".parse(), Ok(AsOf::Version(12)));
        assert_eq!("Latest".parse(), Ok(AsOf::Latest));
        assert_eq!("1970-01-02".parse(), Ok(AsOf::Time(86_400_000)));
        assert_eq!("1970-01-01 00:00:01.5".parse(), Ok(AsOf::Time(1500)));
        assert_eq!("1970-01-01T01:00:00+01:00".parse(), Ok(AsOf::Time(0)));
        assert!("yesterday".parse::<AsOf>().is_err());
        assert!("-1".parse::<AsOf>().is_err());
    }
}
