//! How tables are found and read: locations, the log, SQL. Uses [`crate::model`] only.

pub mod commit;
pub mod diff;
pub mod discover;
pub mod footer;
pub mod history;
pub mod log;
pub mod place;
mod present;
pub mod sql;
pub mod versions;
pub mod walk;
pub mod watch;
