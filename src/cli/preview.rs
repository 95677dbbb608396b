//! `deltop preview`: the first rows of a table.

use std::io::Write;

use super::rows::{RowFormat, write};
use crate::lake::place::Place;
use crate::lake::sql::SqlSession;
use crate::lake::watch::Watch;
use crate::model::table::AsOf;
use crate::model::{Fault, Outcome};

/// Writes up to `limit` rows.
pub async fn preview(
    place: &Place,
    as_of: AsOf,
    limit: usize,
    format: RowFormat,
    watch: &Watch,
    out: &mut dyn Write,
) -> Outcome<()> {
    let session = SqlSession::open(place, as_of, watch).await?;
    let run = tokio::select! {
        run = session.preview(limit) => run?,
        () = watch.cancel.cancelled() => return Err(Fault::cancelled()),
    };
    write(run, format, watch, out).await.map(|_| ())
}
