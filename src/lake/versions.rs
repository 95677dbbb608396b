//! The newest versions of a lakehouse's tables.

use futures::StreamExt;

use super::log::OpenTable;
use super::place::Place;
use super::watch::Watch;
use crate::model::Outcome;
use crate::model::lakehouse::{Entry, EntryKind};
use crate::model::progress::Progress;
use crate::model::table::AsOf;

/// Tables opened at once.
const AT_ONCE: usize = 16;

/// Opens the tables among `entries` (of the folder `place`) whose version is not known yet. One
/// that cannot be opened stays without a version: the others are told all the same.
pub async fn find_versions(place: &Place, entries: &mut [Entry], watch: &Watch) -> Outcome<()> {
    let unknown = entries.iter().enumerate().filter(|(_, e)| e.kind == EntryKind::Table { version: None });
    let places: Vec<(usize, Place)> = unknown
        .map(|(at, entry)| {
            let itself = entry.location == place.display;
            (at, if itself { place.clone() } else { place.child(&entry.name) })
        })
        .collect();
    let total = places.len() as u64;
    let opening = places.into_iter().map(|(at, place)| {
        let watch = Watch::new(watch.cancel.clone());
        async move {
            let open = OpenTable::open(&place, AsOf::Latest, &watch).await;
            (at, open.ok().map(|open| open.table.version))
        }
    });
    let mut opened = futures::stream::iter(opening).buffer_unordered(AT_ONCE);
    let mut done = 0;
    while let Some((at, version)) = opened.next().await {
        entries[at].kind = EntryKind::Table { version };
        done += 1;
        watch.progress(Progress::new("opening tables", done, Some(total), "tables"));
    }
    watch.check()
}
