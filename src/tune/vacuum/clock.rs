//! The store's clock. File ages are told by it, so a vacuum must know how far it is from ours.

use object_store::{Error as StoreError, ObjectStoreExt};

use crate::lake::log::store;
use crate::model::units::Millis;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::Context;

/// A name that no reader, writer or vacuum of a table looks at.
const PROBE: &str = ".deltop-clock-";

/// Asks by an empty file, which is deleted again: it has a place also where a disk is full.
///
/// # Errors
/// `cannot-probe`: the file could not be written or looked at.
pub async fn ask(ctx: &Context) -> Outcome<Millis> {
    let path = ctx.place.root.clone().join(format!("{PROBE}{}", uuid::Uuid::new_v4()));
    let written = ctx.place.store.put(&path, object_store::PutPayload::new()).await;
    let told = match written {
        Ok(_) => ctx.place.store.head(&path).await.map(|object| object.last_modified.timestamp_millis()),
        Err(e) => Err(e),
    };
    let deleted = match ctx.place.store.delete(&path).await {
        Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
        Err(e) => Err(e),
    };
    let told = told.map_err(|e| fault(&e))?;
    deleted.map_err(|e| fault(&e))?;
    Ok(told)
}

fn fault(error: &StoreError) -> Fault {
    Fault::new(FaultKind::Change, "cannot-probe", "The store's clock could not be asked")
        .because(store::redact(&error.to_string()))
        .hint(if is_full(error) {
            "Nothing was deleted. The disk is full: a vacuum needs a few kilobytes for its commits, so free these first"
        } else {
            "Nothing was deleted. A vacuum needs the rights to write to and delete from the table's folder"
        })
}

fn is_full(error: &StoreError) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(e) = cause {
        if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::StorageFull) {
            return true;
        }
        cause = e.source();
    }
    false
}
