//! The SQL console by scripted keys through the real event loop, and its pictures.

mod change;
mod export;
mod grid;
mod pictures;
mod plan;
mod queue;
