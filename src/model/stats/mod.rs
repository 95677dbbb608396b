//! What the log's statistics say of each file and column, typed, ordered and compact.
//!
//! Source: Delta protocol, "Per-file Statistics": `numRecords`, `nullCount`, `minValues`,
//! `maxValues`, `tightBounds`. Whatever is missing, damaged, of another type or contradictory is
//! *unknown* and counted as such; it never becomes a figure.

mod column;
mod json;
mod kind;
mod lacking;
mod parse;
mod partition;
mod table;
mod value;
mod wanted;

pub use column::{Bound, StatsColumn, Values};
pub use kind::StatKind;
pub use lacking::lacking;
pub use partition::{partition_columns, partition_value};
pub use table::{StatsTable, TypedStats};
pub use value::{Scalar, double_from_key, double_key, parse_scalar};
pub use wanted::{WantedColumn, indexed_columns, wanted_columns};
