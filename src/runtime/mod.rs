//! The only place with the terminal, the async runtime, signals and the clock.

pub mod executor;
