//! A question before something that cannot simply be taken back.

use crate::app::input::Input;

/// What happens on a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    /// The plan in front is run.
    RunPlan,
    /// The program ends; running tasks are cancelled first.
    Quit,
}

/// The question. Where `name` is given, it must be typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmLayer {
    pub title: String,
    /// Sentences, a line each.
    pub lines: Vec<String>,
    /// What must be typed.
    pub name: Option<String>,
    pub input: Input,
    pub then: Confirmed,
}

impl ConfirmLayer {
    pub fn new(title: &str, lines: Vec<String>, then: Confirmed) -> Self {
        ConfirmLayer { title: title.to_owned(), lines, name: None, input: Input::default(), then }
    }

    #[must_use]
    pub fn typing(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Whether Enter does it.
    pub fn is_ready(&self) -> bool {
        self.name.as_ref().is_none_or(|name| self.input.text().trim() == name.trim())
    }
}
