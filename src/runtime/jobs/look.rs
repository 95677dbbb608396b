//! What is at a location, and opening a table.

use crate::app::JobEvent;
use crate::lake::discover;
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::Outcome;
use crate::model::table::AsOf;

use super::Shared;

pub(super) async fn look(location: &str, shared: &Shared, watch: &Watch) -> Outcome<JobEvent> {
    let place = Place::parse(location, &shared.options)?;
    discover::look(&place, watch).await.map(JobEvent::Looked)
}

pub(super) async fn open(location: &str, as_of: AsOf, shared: &Shared, watch: &Watch) -> Outcome<JobEvent> {
    let opened = shared.tables.open(location, as_of, &shared.options, watch).await?;
    Ok(JobEvent::Opened(opened.table))
}
