//! What the tests share.

pub mod headless;
pub mod journey;
pub mod keys;
pub mod lake;
pub mod svg;
pub mod terminal;
