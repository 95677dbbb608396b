//! The filter of a list (of files, of tables), while it is typed.

use crate::app::input::Input;

/// The list follows each key; leaving with `Esc` brings back what was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterLayer {
    pub input: Input,
    pub before: String,
}

impl FilterLayer {
    pub fn new(filter: &str) -> Self {
        FilterLayer { input: Input::new(filter), before: filter.to_owned() }
    }
}
