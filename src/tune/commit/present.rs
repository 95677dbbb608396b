//! Whether the files that a commit adds are there. A vacuum that ran since they were written, or since
//! the plan of an undo was made, has deleted them without a conflict in the log.

use futures::{StreamExt, TryStreamExt};
use object_store::{Error as StoreError, ObjectStoreExt};
use serde::Deserialize;

use crate::lake::footer::Locator;
use crate::lake::log::key::decode_path;
use crate::lake::log::store;
use crate::model::{Fault, FaultKind, Outcome};
use crate::tune::Context;

/// Requests under way at once.
const AT_ONCE: usize = 16;

#[derive(Deserialize)]
struct Line {
    add: Option<Add>,
}

#[derive(Deserialize)]
struct Add {
    path: String,
    size: Option<u64>,
}

/// Looks for each file that an add action among these lines names, and at its size.
///
/// # Errors
/// `file-gone` (kind conflict: nothing was committed); those of the store.
pub async fn check(ctx: &Context, actions: &[String]) -> Outcome<()> {
    let locator = Locator::new(&ctx.place);
    let adds = actions.iter().filter_map(|line| serde_json::from_str::<Line>(line).ok()?.add);
    let looks: Vec<_> = adds.map(|add| look(locator.locate(&decode_path(&add.path)), add)).collect();
    let looks = futures::stream::iter(looks).buffered(AT_ONCE).try_collect::<Vec<()>>();
    store::cancellable(&ctx.watch(), looks).await??;
    Ok(())
}

type Found = Outcome<(std::sync::Arc<dyn object_store::ObjectStore>, object_store::path::Path)>;

async fn look(found: Found, add: Add) -> Outcome<()> {
    let (store, at) = found?;
    match store.head(&at).await {
        Ok(head) if add.size.is_none_or(|size| size == head.size) => Ok(()),
        Ok(head) => Err(gone(format!("{} has {} bytes now", add.path, head.size))),
        Err(StoreError::NotFound { .. }) => Err(gone(format!("{} is no longer there", add.path))),
        Err(e) => Err(store::fault(&at, e)),
    }
}

fn gone(why: String) -> Fault {
    Fault::new(FaultKind::Conflict, "file-gone", "A file that the commit would add was deleted meanwhile")
        .because(format!("{why}; a vacuum by another program does that"))
        .hint("Nothing was committed. Run it again when no vacuum is running")
}
