//! htop for Delta Lake tables.
//!
//! ```text
//! model/    what a table is: files, histogram, partition tree, history, units. Pure
//! advice/   what is good or bad about it. Pure; uses model
//! lake/     how it is read: locations, log replay, SQL, discovery; uses model
//! tune/     how it is changed; uses model, lake
//! app/      the screen's state machine. Pure; uses model, advice
//! ui/       state to ratatui buffer. Pure; uses app, model, advice
//! runtime/  the only place with the terminal, the async runtime and the clock
//! cli/      headless commands
//! ```
//!
//! `tests/it/house.rs` reads the `use` lines and holds this.

pub mod advice;
pub mod app;
pub mod cli;
pub mod lake;
pub mod model;
pub mod runtime;
pub mod tune;
pub mod ui;
