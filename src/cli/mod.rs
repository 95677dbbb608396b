//! Headless commands: text and JSON from the same model values as the panes.
