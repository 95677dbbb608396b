//! What the tests share.

pub mod screen;
