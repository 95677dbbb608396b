//! The bytes of a commit file, `commitInfo` first (protocol, "Commit Provenance Information" and
//! "In-Commit Timestamps").

use serde_json::{Map, Value, json};

use super::Proposal;
use crate::model::units::Millis;

/// Who writes: `deltop/` and the version.
pub const ENGINE: &str = concat!("deltop/", env!("CARGO_PKG_VERSION"));

/// `id` tells this commit from all others. `last_in_commit`: the in-commit timestamp of the version
/// before, if the table has them; ours must be larger.
pub fn commit_file(proposal: &Proposal, id: &str, now: Millis, last_in_commit: Option<Millis>) -> Vec<u8> {
    let mut info = Map::new();
    let timestamp = match last_in_commit {
        Some(last) => now.max(last.saturating_add(1)),
        None => now,
    };
    if last_in_commit.is_some() {
        info.insert("inCommitTimestamp".into(), timestamp.into());
    }
    info.insert("timestamp".into(), timestamp.into());
    info.insert("operation".into(), proposal.operation.into());
    info.insert("operationParameters".into(), Value::Object(proposal.parameters.clone()));
    info.insert("readVersion".into(), proposal.read_version.into());
    info.insert("isolationLevel".into(), "SnapshotIsolation".into());
    info.insert("isBlindAppend".into(), false.into());
    info.insert("operationMetrics".into(), Value::Object(proposal.metrics.clone()));
    info.insert("engineInfo".into(), ENGINE.into());
    info.insert("txnId".into(), id.into());
    if !proposal.task.is_empty() {
        info.insert("deltop".into(), Value::Object(proposal.task.clone()));
    }
    let mut out = json!({ "commitInfo": info }).to_string();
    out.push('\n');
    for action in &proposal.actions {
        out.push_str(action);
        out.push('\n');
    }
    out.into_bytes()
}
