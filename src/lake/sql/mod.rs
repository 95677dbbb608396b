//! Queries: DataFusion over delta-rs's table provider.
//!
//! ```text
//! text → split   statements, tokens; dialect: how they are spelled
//!      → look    SHOW and DESCRIBE, answered here
//!      → change  OPTIMIZE and the like, for the change engine
//!      → refused what else changes a table: checked, and told what to use instead
//!      → guard   changes in the place of a query, clauses that would be passed over
//!      → travel  VERSION AS OF as a part of the table's name
//!      → fold    names in any case
//!      → relation, spark   tables and functions in the engine's words
//!      → catalog leads to the lakehouse: which tables there are; load reads one on first use
//!      → engine  memory, spilling
//!      → labels  the result's names as people wrote them
//!      → encode  values as JSON or text
//! mend:  a log that the engine does not take, written anew in memory
//! blame: every error as what failed, why, what to do
//! ```

mod beside;
mod blame;
mod boundary;
mod bounds;
mod catalog;
mod change;
mod cursor;
mod dialect;
mod encode;
mod engine;
mod entry;
mod explain;
mod file_format;
mod file_table;
mod fold;
mod folded;
mod guard;
mod labels;
mod lakehouse;
mod load;
mod look;
mod mend;
mod near;
mod nested;
mod path;
mod pump;
mod pushdown;
mod refused;
mod relation;
mod session;
mod spark;
mod split;
mod travel;
mod twice;
mod words;
mod yielding;

pub use change::SqlChange;
pub use encode::{append_rows, csv_record, grid_columns, json_rows};
pub use engine::Limits;
pub use explain::AfterRun;
pub use session::{SqlRun, SqlSession};
pub use spark::function_names;
pub use split::{Origin, statements};
