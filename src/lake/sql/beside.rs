//! The tables beside a table, in the same folder.

use object_store::path::Path;

use crate::lake::place::Place;

/// The only folder beside `place` that is called so, whatever the case, if it is a table; with a
/// schema the one in the schema's folder, if there is such a folder beside the table's own.
/// A listing for each part of the name, one for its log; where the store does not let us look
/// there is none.
pub(super) async fn find(place: &Place, schema: Option<&str>, folded: &str) -> Option<Place> {
    let folder = parent(place)?;
    let folder = match schema {
        Some(schema) if folder.name.to_lowercase() != schema => match parent(&folder) {
            Some(above) => only_child(&above, schema).await.unwrap_or(folder),
            None => folder,
        },
        _ => folder,
    };
    let found = only_child(&folder, folded).await?;
    let inside = found.store.list_with_delimiter(Some(&found.root)).await.ok()?;
    let is_table = inside.common_prefixes.iter().any(|p| p.filename() == Some("_delta_log"));
    is_table.then_some(found)
}

/// The only folder in `folder` that is called so, whatever the case.
async fn only_child(folder: &Place, folded: &str) -> Option<Place> {
    let listing = folder.store.list_with_delimiter(Some(&folder.root)).await.ok()?;
    let names = listing.common_prefixes.iter().filter_map(Path::filename);
    let mut alike = names.filter(|name| name.to_lowercase() == folded);
    alike.next().filter(|_| alike.next().is_none()).map(|name| folder.child(name))
}

/// None at the top of a store.
pub(super) fn parent(place: &Place) -> Option<Place> {
    let mut parts: Vec<_> = place.root.parts().collect();
    parts.pop()?;
    let root = Path::from_iter(parts);
    let url = place.url.join("..").ok()?;
    let (display, _) = place.display.trim_end_matches('/').rsplit_once('/')?;
    Some(Place {
        name: root.filename().unwrap_or_default().to_owned(),
        display: if display.is_empty() { "/".to_owned() } else { display.to_owned() },
        url,
        root: root.clone(),
        ..place.clone()
    })
}
