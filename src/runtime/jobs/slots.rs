//! Progress and partial results: of each job only the last value counts.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::app::{JobEvent, JobId};
use crate::model::change::TaskProgress;
use crate::model::files::FileList;
use crate::model::progress::Progress;

/// One slot a running job. Whatever comes for a job that is not open is dropped, so that nothing
/// follows a job's closing event.
#[derive(Debug, Default)]
pub(super) struct Slots {
    jobs: Mutex<BTreeMap<JobId, Slot>>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Slot {
    progress: Option<Progress>,
    partial: Option<FileList>,
    task: Option<TaskProgress>,
}

impl Slots {
    pub fn open(&self, id: JobId) {
        self.lock().insert(id, Slot::default());
    }

    pub fn close(&self, id: JobId) {
        self.lock().remove(&id);
    }

    pub fn progress(&self, id: JobId, progress: Progress) {
        self.put(id, |slot| slot.progress = Some(progress));
    }

    pub fn partial(&self, id: JobId, list: FileList) {
        self.put(id, |slot| slot.partial = Some(list));
    }

    pub fn task(&self, id: JobId, progress: TaskProgress) {
        self.put(id, |slot| slot.task = Some(progress));
    }

    /// Waits for a value that was put since the last call returned.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Takes all values that are there.
    pub fn take(&self) -> VecDeque<(JobId, JobEvent)> {
        let mut taken = VecDeque::new();
        for (id, slot) in self.lock().iter_mut() {
            let partial = slot.partial.take().map(JobEvent::PartialFiles);
            let progress = slot.progress.take().map(JobEvent::Progress);
            let task = slot.task.take().map(JobEvent::Task);
            taken.extend(partial.into_iter().chain(progress).chain(task).map(|event| (*id, event)));
        }
        taken
    }

    fn put(&self, id: JobId, change: impl FnOnce(&mut Slot)) {
        if let Some(slot) = self.lock().get_mut(&id) {
            change(slot);
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<JobId, Slot>> {
        // A panic of a job cannot leave a slot half-changed.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(done: u64) -> Progress {
        Progress::new("reading", done, None, "files")
    }

    #[test]
    fn the_last_value_wins_and_nothing_follows_the_end() {
        let slots = Slots::default();
        let (a, b) = (JobId(1), JobId(2));
        slots.open(a);
        slots.progress(a, progress(1));
        slots.progress(a, progress(2));
        slots.progress(b, progress(9));
        let taken = slots.take();
        assert!(matches!(taken.front(), Some((id, JobEvent::Progress(p))) if *id == a && p.done == 2));
        assert_eq!(taken.len(), 1);
        slots.partial(a, FileList::default());
        slots.close(a);
        slots.progress(a, progress(3));
        assert!(slots.take().is_empty());
    }
}
