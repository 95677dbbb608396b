//! Panes as pictures at four sizes.
