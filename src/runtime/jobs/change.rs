//! Plans and runs changes. A plan stays here until it runs, so that what runs is the very plan that
//! was shown.

use std::sync::{Arc, Mutex, PoisonError};

use crate::app::{JobEvent, JobId};
use crate::lake::place::Place;
use crate::lake::watch::Watch;
use crate::model::change::{Change, TaskProgress};
use crate::model::{Fault, Outcome};
use crate::tune::{self, Context, Planned};

use super::Shared;
use super::report::Report;

/// Plans kept; older ones are made anew when they are wanted.
const KEPT: usize = 4;

/// The plans that were made and did not run yet, newest last.
#[derive(Default)]
pub(super) struct Plans(Mutex<Vec<(JobId, String, Planned)>>);

impl Plans {
    fn keep(&self, id: JobId, location: &str, plan: Planned) {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() >= KEPT {
            plans.remove(0);
        }
        plans.push((id, location.to_owned(), plan));
    }

    /// With the location that it is for.
    fn take(&self, id: JobId) -> Option<(String, Planned)> {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = plans.iter().position(|(kept, ..)| *kept == id)?;
        let (_, location, plan) = plans.remove(at);
        Some((location, plan))
    }
}

pub(super) async fn plan(
    id: JobId,
    location: &str,
    change: &Change,
    shared: &Shared,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let ctx = context(location, shared, watch)?;
    let planned = tune::plan(change, &ctx).await?;
    let view = Arc::new(planned.view.clone());
    shared.plans.keep(id, location, planned);
    Ok(JobEvent::Planned(view))
}

/// Progress is last-value-wins, but no line for the log is lost.
pub(super) async fn run(
    id: JobId,
    plan: JobId,
    shared: &Arc<Shared>,
    report: &Report,
    watch: &Watch,
) -> Outcome<JobEvent> {
    let (location, planned) = shared.plans.take(plan).ok_or_else(|| {
        Fault::refused("plan-gone", "The plan is no longer kept")
            .because("Many others were made since")
            .hint("Plan it again")
    })?;
    let (notes, mut lines) = tokio::sync::mpsc::unbounded_channel();
    let slots = shared.clone();
    let progress = move |mut progress: TaskProgress| {
        if let Some(line) = progress.note.take() {
            // Nobody listens any more while the program ends.
            let _ = notes.send(line);
        }
        slots.slots.task(id, progress);
    };
    let ctx = Context { progress: Arc::new(progress), ..context(&location, shared, watch)? };
    let work = tune::run(planned, &ctx);
    tokio::pin!(work);
    let done = loop {
        tokio::select! {
            done = &mut work => break done?,
            Some(line) = lines.recv() => report.send(JobEvent::TaskNote(line)).await?,
        }
    };
    while let Ok(line) = lines.try_recv() {
        report.send(JobEvent::TaskNote(line)).await?;
    }
    Ok(JobEvent::Changed(Box::new(done)))
}

fn context(location: &str, shared: &Shared, watch: &Watch) -> Outcome<Context> {
    let place = Place::parse(location, &shared.options)?;
    Ok(Context {
        allow_writes: shared.powers.allow_writes,
        memory: shared.powers.memory.unwrap_or_else(tune::default_memory),
        cancel: watch.cancel.clone(),
        data_folder: shared.powers.data_folder.clone(),
        ..Context::new(place)
    })
}
