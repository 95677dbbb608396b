//! One attempt to put a commit file, and what became of it.

use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt, PutMode, PutOptions};
use serde::Deserialize;

use crate::lake::log::{parse_lines, store};
use crate::model::{Fault, FaultKind};
use crate::tune::Context;

/// What became of an attempt.
pub enum Sent {
    /// The version is ours.
    Ours,
    /// Another writer has the version.
    Taken,
    /// The store failed, and did not take the commit.
    NotThere(String),
    /// The store failed, and it is not known whether it took the commit, or will: a request whose
    /// answer was lost may still be carried out.
    InDoubt(String),
    /// Trying again would not help.
    Refused(Fault),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line {
    commit_info: Option<Info>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Info {
    txn_id: Option<String>,
}

/// Puts the file if there is none. `id` is the commit's own id.
pub async fn send(ctx: &Context, path: &Path, bytes: Vec<u8>, id: &str) -> Sent {
    let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
    let error = match ctx.place.store.put_opts(path, bytes.into(), options).await {
        Ok(_) => return Sent::Ours,
        Err(e) => e,
    };
    let why = || store::redact(&error.to_string());
    // Whatever the answer: the store's own retries can turn our success into any error.
    let found = match whose(ctx, path, id).await {
        Ok(Some(true)) => return Sent::Ours,
        Ok(Some(false)) => return Sent::Taken,
        Ok(None) => Ok(()),
        Err(again) => Err(again),
    };
    if let Some(fault) = refusal(&error) {
        return Sent::Refused(fault.because(why()));
    }
    match found {
        Ok(()) if is_final(&error, ctx.place.is_local()) => Sent::NotThere(why()),
        Ok(()) => Sent::InDoubt(why()),
        Err(again) => Sent::InDoubt(format!("{}; {}", why(), store::redact(&again.to_string()))),
    }
}

/// What trying again would not help.
fn refusal(error: &StoreError) -> Option<Fault> {
    let fault = |code, message: &str| Fault::new(FaultKind::Change, code, message);
    match error {
        StoreError::NotImplemented { .. } | StoreError::NotSupported { .. } => Some(
            fault("no-put-if-absent", "This store cannot take a commit safely")
                .hint("Its API must offer a put that fails if the file is there (S3: conditional put)"),
        ),
        StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. } => Some(
            fault("permission-denied", "The log may not be written")
                .hint("Nothing was committed. Check the rights on _delta_log"),
        ),
        _ => None,
    }
}

/// Whether a put that failed so, and left no file, is over. On this machine it is; over a network
/// only if the store itself turned the request down.
fn is_final(error: &StoreError, is_local: bool) -> bool {
    is_local || matches!(error, StoreError::NotFound { .. } | StoreError::InvalidPath { .. })
}

/// Whether the commit file is ours; none if there is none.
async fn whose(ctx: &Context, path: &Path, id: &str) -> Result<Option<bool>, StoreError> {
    let bytes = match ctx.place.store.get(path).await {
        Ok(found) => found.bytes().await?,
        Err(StoreError::NotFound { .. }) => return Ok(None),
        Err(e) => return Err(e),
    };
    let (lines, _) = parse_lines::<Line>(&bytes, &["{\"add\"", "{\"remove\""]);
    let is_ours = |line: Line| line.commit_info.and_then(|i| i.txn_id).is_some_and(|t| t == id);
    Ok(Some(lines.into_iter().any(is_ours)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_store_turned_down_is_over() {
        let lost = StoreError::Generic { store: "S3", source: "connection reset".into() };
        assert!(is_final(&lost, true));
        assert!(!is_final(&lost, false));
        let none = StoreError::NotFound { path: "bucket".into(), source: "404".into() };
        assert!(is_final(&none, false));
        assert!(refusal(&lost).is_none());
    }
}
