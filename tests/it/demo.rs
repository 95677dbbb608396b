//! The demo lakehouse.
