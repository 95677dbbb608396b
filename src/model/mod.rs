//! What a Delta table is, apart from how it is read or shown. Pure: no I/O, no clock.

pub mod detail;
pub mod diff;
pub mod diff_partition;
pub mod expiry;
pub mod fault;
pub mod features;
pub mod files;
pub mod grid;
pub mod histogram;
pub mod history;
pub mod interval;
pub mod lakehouse;
pub mod log_cleanup;
pub mod partition;
pub mod progress;
pub mod retention;
pub mod rollup;
pub mod schema;
pub mod schema_diff;
pub mod table;
pub mod table_diff;
pub mod target;
pub mod text;
pub mod units;

pub use fault::{Fault, FaultKind, Outcome};
