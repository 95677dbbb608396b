//! The SQL console by scripted keys through the real event loop.

mod export;
