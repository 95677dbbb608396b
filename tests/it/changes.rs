//! Changes of tables, by the safety contract: what they do, and what they never do.

mod repair;
mod vacuum;
