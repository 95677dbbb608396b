//! How tables are found and read: locations, the log, footers, SQL. Uses [`crate::model`] only.

mod azure_url;
pub mod commit;
pub mod diff;
pub mod discover;
pub mod evidence;
pub mod export;
pub mod filter;
pub mod folder;
pub mod footer;
pub mod history;
pub mod history_search;
pub mod log;
mod orphans;
pub mod own_paths;
pub mod place;
mod present;
pub mod prune;
pub mod sql;
pub mod store_reader;
pub mod value_sample;
pub mod versions;
pub mod walk;
pub mod watch;
