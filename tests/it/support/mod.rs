//! What the tests share.

pub mod headless;
