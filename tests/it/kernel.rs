//! The kernel's replay as a second voice.
