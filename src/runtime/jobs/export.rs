//! All rows of a statement into a file or a new table.

use std::sync::Arc;
use std::time::Instant;

use crate::app::{JobEvent, JobId};
use crate::lake::export::{self, NewFile};
use crate::lake::watch::Watch;
use crate::model::change::{Phase, TaskProgress};
use crate::model::export::{Export, Exported, Form};
use crate::model::{Fault, Outcome};
use crate::tune::new_table::{self, NewFolder};

use super::{Shared, sql};

/// Where the rows go.
enum To {
    File(NewFile),
    Table(NewFolder),
}

pub(super) async fn run(id: JobId, order: Export, shared: &Arc<Shared>, watch: &Watch) -> Outcome<JobEvent> {
    let started = Instant::now();
    let path = export::destination(&order.path)?;
    // Before the query: what cannot be written need not be read.
    let to = match order.form {
        Form::Delta if !shared.powers.allow_writes => return Err(read_only()),
        Form::Delta => To::Table(NewFolder::create(&path)?),
        _ => To::File(NewFile::create(&path, order.replace)?),
    };
    let slots = shared.clone();
    let meter = move |rows: u64, bytes: u64| {
        let progress = TaskProgress {
            phase: Phase::Writing,
            rows_done: Some(rows),
            bytes_done: bytes,
            ..TaskProgress::default()
        };
        slots.slots.task(id, progress);
    };
    let work = async {
        let session = sql::session(&order.location, order.version, shared, watch).await?;
        let run = session.run(&order.text).await?;
        match to {
            To::File(file) => export::write(run, file, order.form, watch, &meter).await,
            To::Table(folder) => new_table::write(run, folder, watch, &meter).await,
        }
    };
    let (rows, bytes) = tokio::select! {
        done = work => done?,
        () = watch.cancel.cancelled() => return Err(Fault::cancelled()),
    };
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let path = path.display().to_string();
    Ok(JobEvent::Exported(Box::new(Exported { path, rows, bytes, millis })))
}

fn read_only() -> Fault {
    Fault::refused("read-only", "A new table is not made while everything is read-only")
        .hint("Start with --allow-writes, or export to a file")
}
