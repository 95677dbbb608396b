//! Who reads the table: where published guidance differs, the reader decides.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Open-source Spark, Fabric Spark.
    #[default]
    Spark,
    Databricks,
    /// Fabric's SQL analytics endpoint and warehouse.
    FabricSql,
    /// Power BI's Direct Lake.
    DirectLake,
    #[serde(rename = "duckdb")]
    DuckDb,
    DeltaRs,
}

impl Profile {
    pub const ALL: [Profile; 6] = [
        Profile::Spark,
        Profile::Databricks,
        Profile::FabricSql,
        Profile::DirectLake,
        Profile::DuckDb,
        Profile::DeltaRs,
    ];

    /// The name that configuration and command line use.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Spark => "spark",
            Profile::Databricks => "databricks",
            Profile::FabricSql => "fabric-sql",
            Profile::DirectLake => "direct-lake",
            Profile::DuckDb => "duckdb",
            Profile::DeltaRs => "delta-rs",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Profile::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| {
            let names = Profile::ALL.map(Profile::name).join(", ");
            format!("\"{text}\" is no reader profile; there are {names}")
        })
    }
}
