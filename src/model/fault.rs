//! What went wrong, why, and what to do next: the one error that a person or a script gets to see.

use std::fmt;

/// The kinds of failure; each has its exit status (the command-line contract).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The call was wrong: arguments, SQL, a predicate, an unknown column.
    Usage,
    /// The table cannot be read: missing, no permission, damaged, not a table.
    Read,
    /// The table uses a feature that this operation does not support; the message names it.
    Feature,
    /// Refused for safety: read-only, retention, a missing confirmation.
    Refused,
    /// Another writer got in between; nothing was committed.
    Conflict,
    /// A change failed on its way (disk, verification, I/O); nothing was committed.
    Change,
    /// The user cancelled.
    Cancelled,
}

impl FaultKind {
    /// The process's exit status for this kind.
    pub fn exit_status(self) -> u8 {
        match self {
            FaultKind::Usage => 2,
            FaultKind::Read => 3,
            FaultKind::Feature => 4,
            FaultKind::Refused => 5,
            FaultKind::Conflict => 6,
            FaultKind::Change => 7,
            FaultKind::Cancelled => 130,
        }
    }
}

/// A failure in three sentences: what failed, why, what to do.
///
/// The texts may quote names from tables; whoever prints them passes them through
/// [`crate::model::text::clean`] first. They never hold credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// A stable kebab-case word for scripts, such as `not-a-table`.
    pub code: &'static str,
    /// What failed.
    pub message: String,
    /// Why, as far as it is known; may be empty.
    pub cause: String,
    /// The next step; may be empty.
    pub hint: String,
}

impl Fault {
    pub fn new(kind: FaultKind, code: &'static str, message: impl Into<String>) -> Self {
        Fault { kind, code, message: message.into(), cause: String::new(), hint: String::new() }
    }

    pub fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Fault::new(FaultKind::Usage, code, message)
    }

    pub fn read(code: &'static str, message: impl Into<String>) -> Self {
        Fault::new(FaultKind::Read, code, message)
    }

    pub fn feature(code: &'static str, message: impl Into<String>) -> Self {
        Fault::new(FaultKind::Feature, code, message)
    }

    pub fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Fault::new(FaultKind::Refused, code, message)
    }

    /// The user asked to stop.
    pub fn cancelled() -> Self {
        Fault::new(FaultKind::Cancelled, "cancelled", "Cancelled")
    }

    /// Adds the reason.
    #[must_use]
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.cause = cause.to_string();
        self
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    pub fn exit_status(&self) -> u8 {
        self.kind.exit_status()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.cause.is_empty() {
            write!(f, ": {}", self.cause)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// A result whose error is fit to be shown.
pub type Outcome<T> = Result<T, Fault>;
