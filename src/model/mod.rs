//! What a Delta table is, apart from how it is read or shown. Pure: no I/O, no clock.

pub mod detail;
pub mod fault;
pub mod features;
pub mod files;
pub mod footer;
pub mod footer_summary;
pub mod grid;
pub mod histogram;
pub mod history;
pub mod lakehouse;
pub mod partition;
pub mod progress;
pub mod rollup;
pub mod schema;
pub mod table;
pub mod target;
pub mod text;
pub mod units;

pub use fault::{Fault, FaultKind, Outcome};
