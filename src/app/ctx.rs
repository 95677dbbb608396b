//! What one update asks for.

use super::msg::{Effect, Job, JobId};

/// How a note is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Good,
    Warning,
}

/// A short line for the user, shown until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub tone: Tone,
    pub text: String,
}

/// Collects the effects of one update.
#[derive(Debug)]
pub struct Ctx {
    pub effects: Vec<Effect>,
    pub note: Option<Note>,
    next_job: u64,
}

impl Ctx {
    /// `next_job`: the first job id that was never used.
    pub fn new(next_job: u64) -> Self {
        Ctx { effects: Vec::new(), note: None, next_job }
    }

    pub fn next_job(&self) -> u64 {
        self.next_job
    }

    pub fn start(&mut self, job: Job) -> JobId {
        let id = JobId(self.next_job);
        self.next_job += 1;
        self.effects.push(Effect::Start(id, job));
        id
    }

    pub fn cancel(&mut self, id: JobId) {
        self.effects.push(Effect::Cancel(id));
    }

    /// To the clipboard, saying what it was.
    pub fn copy(&mut self, what: &str, text: String) {
        let shown = crate::model::fit::fit(&crate::model::text::clean(&text), 60).into_owned();
        self.note(Tone::Good, format!("Copied {what}: {shown}"));
        self.effects.push(Effect::Copy(text));
    }

    pub fn note(&mut self, tone: Tone, text: impl Into<String>) {
        self.note = Some(Note { tone, text: text.into() });
    }
}
