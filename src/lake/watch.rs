//! What a long read reports to and obeys.

use tokio_util::sync::CancellationToken;

use crate::model::files::FileList;
use crate::model::progress::Progress;
use crate::model::{Fault, Outcome};

/// Passed into every long read. Cloned freely; calls are cheap and come from any thread.
#[derive(Clone, Default)]
pub struct Watch {
    /// Once cancelled, reads end with [`Fault::cancelled`] within some tens of milliseconds.
    pub cancel: CancellationToken,
    progress: Option<std::sync::Arc<dyn Fn(Progress) + Send + Sync>>,
    partial: Option<std::sync::Arc<dyn Fn(FileList) + Send + Sync>>,
}

impl Watch {
    pub fn new(cancel: CancellationToken) -> Self {
        Watch { cancel, ..Watch::default() }
    }

    #[must_use]
    pub fn on_progress(mut self, f: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(std::sync::Arc::new(f));
        self
    }

    /// `f` gets the files read so far, now and then; each call replaces the one before.
    #[must_use]
    pub fn on_partial_files(mut self, f: impl Fn(FileList) + Send + Sync + 'static) -> Self {
        self.partial = Some(std::sync::Arc::new(f));
        self
    }

    /// The same, but without the lists on the way.
    #[must_use]
    pub fn without_partial_files(&self) -> Self {
        Watch { partial: None, ..self.clone() }
    }

    pub fn progress(&self, progress: Progress) {
        if let Some(f) = &self.progress {
            f(progress);
        }
    }

    pub fn wants_partial_files(&self) -> bool {
        self.partial.is_some()
    }

    pub fn partial_files(&self, list: FileList) {
        if let Some(f) = &self.partial {
            f(list);
        }
    }

    /// Ends the work if it was cancelled.
    pub fn check(&self) -> Outcome<()> {
        if self.cancel.is_cancelled() { Err(Fault::cancelled()) } else { Ok(()) }
    }
}
