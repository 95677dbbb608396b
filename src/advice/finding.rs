//! A finding: what is wrong, how one knows, what it costs, what to do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Costs time or money, or will.
    Warning,
    /// Costs much, or rows are wrong.
    Critical,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Critical => "critical",
        })
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "info" => Ok(Severity::Info),
            "warning" => Ok(Severity::Warning),
            "critical" => Ok(Severity::Critical),
            other => Err(format!("\"{other}\" is none of info, warning, critical")),
        }
    }
}

/// What mends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// A command line of this program; it shows its plan and stops. None where this program has no
    /// command for it, or none that would work on the table as it is.
    pub command: Option<String>,
    /// Files that the table would have afterwards, from the plan; none if they do not change.
    pub target_files: Option<u64>,
    /// Bytes that new files aim at.
    pub target_file_size: Option<u64>,
    /// Where there is no command: what to do, in words; it may name another engine's statement.
    pub instructions: Option<String>,
}

impl Action {
    /// What to do: the command, else the instructions.
    pub fn text(&self) -> &str {
        self.command.as_deref().or(self.instructions.as_deref()).unwrap_or_default()
    }
}

/// The command-line contract's finding; key order is that of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's stable id.
    pub id: &'static str,
    pub severity: Severity,
    pub title: String,
    /// The figures behind it.
    pub evidence: String,
    /// What it costs, what the action would change, and the risk in that.
    pub impact: String,
    pub action: Option<Action>,
    /// Where the rule comes from.
    pub source: &'static str,
}
