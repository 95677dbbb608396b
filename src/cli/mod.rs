//! Headless commands: text and JSON from the same model values as the panes.

pub mod preview;
mod rows;
pub mod sql;

pub use rows::RowFormat;
