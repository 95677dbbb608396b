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
    /// The store failed, and the version is not there.
    NotThere(String),
    /// The store failed, and it cannot be found out whether the version is there.
    Unknown(String),
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
    match &error {
        StoreError::NotImplemented { .. } | StoreError::NotSupported { .. } => {
            return Sent::Refused(
                Fault::new(FaultKind::Change, "no-put-if-absent", "This store cannot take a commit safely")
                    .because(why())
                    .hint("Its API must offer a put that fails if the file is there (S3: conditional put)"),
            );
        }
        StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. } => {
            return Sent::Refused(
                Fault::new(FaultKind::Change, "permission-denied", "The log may not be written")
                    .because(why())
                    .hint("Nothing was committed. Check the rights on _delta_log"),
            );
        }
        _ => {}
    }
    // The store's own retries can turn our success into "already exists".
    match whose(ctx, path, id).await {
        Ok(Some(true)) => Sent::Ours,
        Ok(Some(false)) => Sent::Taken,
        Ok(None) => Sent::NotThere(why()),
        Err(again) => Sent::Unknown(format!("{}; {}", why(), store::redact(&again.to_string()))),
    }
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
