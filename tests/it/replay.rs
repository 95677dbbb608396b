//! Generated logs: the reader against a naive replay.
