//! What is good or bad about a layout: one rule a file. Pure.
