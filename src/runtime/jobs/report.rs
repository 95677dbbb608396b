//! How a job hands out parts of its answer.

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::app::{JobEvent, JobId};
use crate::model::{Fault, Outcome};

/// The way to the screen. It holds few events: who is ahead of the screen waits.
pub(super) struct Report {
    id: JobId,
    send: mpsc::Sender<(JobId, JobEvent)>,
}

impl Report {
    pub fn new(id: JobId, send: mpsc::Sender<(JobId, JobEvent)>) -> Self {
        Report { id, send }
    }

    /// Sends an event, waiting for room. Fails when the screen is gone.
    pub async fn send(&self, event: JobEvent) -> Outcome<()> {
        self.send.send((self.id, event)).await.map_err(|_| Fault::cancelled())
    }

    /// Sends an event if there is room; gives it back if not.
    pub fn try_send(&self, event: JobEvent) -> Result<(), JobEvent> {
        self.send.try_send((self.id, event)).map_err(|e| match e {
            TrySendError::Full((_, event)) | TrySendError::Closed((_, event)) => event,
        })
    }
}
