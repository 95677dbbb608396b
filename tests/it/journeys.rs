//! Scripted keys through the real event loop on real tables.
