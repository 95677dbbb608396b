//! What the tests share.

pub mod log;
pub mod screen;
