//! The tasks in a drawer that can be opened from everywhere.

use crate::app::scroll::Scroll;

/// Which task is selected; the tasks themselves are the app's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TasksLayer {
    pub scroll: Scroll,
}
