//! What the tests share.

pub mod log;

pub mod headless;
pub mod journey;
pub mod keys;
pub mod lake;
pub mod peer;
pub mod screen;
pub mod svg;
pub mod terminal;

use std::sync::OnceLock;

/// One async runtime for all tests that need no other.
pub fn runtime() -> &'static tokio::runtime::Runtime {
    static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime for tests")
    })
}
