//! The real binary in a real terminal.
