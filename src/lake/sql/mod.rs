//! Queries: DataFusion over delta-rs's table provider.
//!
//! ```text
//! text → split   statements, tokens
//!      → guard   what changes data is refused
//!      → looks   SHOW TABLES and the like, answered here
//!      → fold    names in any case
//!      → catalog leads to the lakehouse: which tables there are; load reads one on first use
//!      → engine  memory, spilling
//!      → labels  the result's names as people wrote them
//!      → encode  values as JSON or text
//! mend:  a log that the engine does not take, written anew in memory
//! blame: every error as what failed, why, what to do
//! ```

mod beside;
mod blame;
mod catalog;
mod encode;
mod engine;
mod entry;
mod fold;
mod folded;
mod guard;
mod labels;
mod lakehouse;
mod load;
mod looks;
mod mend;
mod near;
mod nested;
mod session;
mod split;
mod twice;
mod words;

pub use encode::{append_rows, grid_columns, json_rows};
pub use session::{SqlRun, SqlSession};
pub use split::statements;
