//! Paths in statements: absolute ones and URLs as they are, others from the open location.

use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::beside::parent;
use crate::lake::place::Place;
use crate::model::{Fault, Outcome};

/// The place that a path means. A relative one counts from the open location, then from the folder
/// that holds it (`Files/…` beside `Tables`), on this machine also from the working directory: the
/// first that there is.
///
/// # Errors
/// `not-found` if there is nothing, and those of [`Place::parse`].
pub(super) async fn find(from: &Place, path: &str) -> Outcome<Place> {
    if is_absolute(path) {
        check_url(path)?;
        return Place::parse(path, &from.options);
    }
    let above = parent(from);
    for base in std::iter::once(from).chain(above.as_ref()) {
        let place = base.child(path);
        if is_there(&place).await {
            return Ok(place);
        }
    }
    if from.is_local()
        && let Ok(place) = Place::parse(path, &from.options)
    {
        return Ok(place);
    }
    Err(Fault::read("not-found", format!("There is nothing at \"{path}\""))
        .because(format!("A relative path counts from {}, and from the folder that holds it", from.display))
        .hint("Write an absolute path or a URL"))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.contains("://") || path.starts_with("lakehouse:")
}

/// Addresses that look right and lead nowhere.
pub(super) fn check_url(path: &str) -> Outcome<()> {
    let bad = |why: &str, hint: &str| {
        Err(Fault::usage("bad-location", format!("\"{path}\" is not a location")).because(why).hint(hint))
    };
    const FORM: &str = "For instance abfss://<workspace>@onelake.dfs.fabric.microsoft.com/<lakehouse>.Lakehouse/Tables/<table>";
    if path.starts_with("lakehouse:") {
        return bad("lakehouse: addresses are known inside a Fabric notebook only", FORM);
    }
    if path.starts_with("abfss://@") || path.starts_with("abfs://@") {
        return bad("the container or workspace before the @ is missing", FORM);
    }
    Ok(())
}

/// An object of that name, or one below it. A failure is not a no: what follows will tell it.
async fn is_there(place: &Place) -> bool {
    if place.store.head(&place.root).await.is_ok() {
        return true;
    }
    let below = place.store.list_with_delimiter(Some(&Path::clone(&place.root))).await;
    below.is_ok_and(|found| !(found.objects.is_empty() && found.common_prefixes.is_empty()))
}
