//! What a Delta table is, apart from how it is read or shown. Pure: no I/O, no clock.

pub mod candidates;
pub mod civil;
pub mod clustering;
pub mod detail;
pub mod double_rewrite;
pub mod fault;
pub mod features;
pub mod files;
pub mod footer_summary;
pub mod grid;
pub mod histogram;
pub mod history;
pub mod interval;
pub mod lakehouse;
pub mod partition;
pub mod plan;
pub mod progress;
pub mod rollup;
pub mod schema;
pub mod skew;
pub mod stats;
pub mod table;
pub mod target;
pub mod text;
pub mod units;

pub use fault::{Fault, FaultKind, Outcome};
