//! How tables are found and read: locations, the log, footers, SQL. Uses [`crate::model`] only.

mod azure_url;
pub mod discover;
pub mod evidence;
pub mod footer;
pub mod history;
pub mod history_search;
pub mod log;
pub mod place;
pub mod sql;
pub mod versions;
pub mod watch;
