//! What is at a location, and opening a table.

use crate::app::JobEvent;
use crate::lake::discover;
use crate::lake::place::Place;
use crate::lake::versions::find_versions;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::lakehouse::Found;
use crate::model::table::AsOf;

use super::Shared;

pub(super) async fn look(location: &str, shared: &Shared, watch: &Watch) -> Outcome<JobEvent> {
    let place = Place::resolve(location, &shared.options, watch).await?;
    let mut found = discover::look(&place, watch).await?;
    if let Found::Folder(entries) = &mut found {
        find_versions(&place, entries, watch).await?;
    }
    Ok(JobEvent::Looked(found))
}

pub(super) async fn open(location: &str, as_of: AsOf, shared: &Shared, watch: &Watch) -> Outcome<JobEvent> {
    let opened = shared.tables.open(location, as_of, &shared.options, watch).await?;
    Ok(JobEvent::Opened(opened.table))
}
